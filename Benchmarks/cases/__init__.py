"""The cases: `all_of(sizes)` in each file gives those of one concern."""


def all_cases(sizes):
    """Every case, in the order in which they are played: the quick ones first."""
    from . import destinations, instructions, json_file, lab, memory, paging, partitions, postgresql, programs, sqlite, start
    parts = (start, instructions, sqlite, postgresql, json_file, memory, partitions, programs, lab, destinations, paging)
    return [case for part in parts for case in part.all_of(sizes)]
