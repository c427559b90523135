"""What goes out in which batch, and what comes of those that come back undone."""

from __future__ import annotations

import random

import pytest

from lookahead_ray.messages import BatchResult, Outcome, Partition
from lookahead_ray.waves import ATTEMPTS, Batch, Waves


def waves(count: int, workers: int = 2, largest: int = 4) -> Waves:
    made = Waves(workers, largest)
    for number in range(count):
        made.offer(Partition(f"p{number}", f'{{"id":"p{number}"}}'))
    made.is_all_listed = True
    return made


def done(batch: Batch, is_new: bool = True) -> BatchResult:
    return BatchResult("w", [Outcome(partition.id, True, items=10, pages=2, is_new=is_new) for partition in batch.partitions], exit_code=0)


def ids(batches: list[Batch]) -> list[list[str]]:
    return [[partition.id for partition in batch.partitions] for batch in batches]


def test_as_many_batches_are_out_as_there_are_workers() -> None:
    all_of_them = waves(16)

    first = all_of_them.batches()
    none = all_of_them.batches()
    all_of_them.finish(first[0].number, done(first[0]))

    assert ids(first) == [["p0", "p1", "p2", "p3"], ["p4", "p5", "p6"]]
    assert none == []
    assert ids(all_of_them.batches()) == [["p7", "p8", "p9"]]


def test_what_is_listed_ahead_is_bounded() -> None:
    some = Waves(workers=2, largest_batch=4)
    count = 0
    while some.has_room:
        some.offer(Partition(str(count), "{}"))
        count += 1

    assert count == 16


def test_a_partition_that_is_listed_twice_goes_out_once() -> None:
    some = waves(1)

    assert not some.offer(Partition("p0", "{}"))
    assert some.listed == 1


def test_it_is_over_when_all_that_was_listed_is_done() -> None:
    some = waves(3, workers=1)
    while batches := some.batches():
        assert not some.is_over
        some.finish(batches[0].number, done(batches[0]))

    assert some.is_over
    assert (some.done, some.items, some.pages) == (3, 30, 6)


def test_what_was_done_before_counts_no_items() -> None:
    some = waves(1)
    [batch] = some.batches()

    some.finish(batch.number, done(batch, is_new=False))

    assert (some.done, some.items, some.known_before) == (1, 0, 1)


def test_of_a_process_that_died_what_was_under_way_goes_out_one_by_one_and_the_rest_together() -> None:
    some = waves(8, workers=1, largest=8)
    [batch] = some.batches()

    some.finish(batch.number, BatchResult("w", [Outcome("p0", True)], begun=["p1"], exit_code=-9))
    [alone] = some.batches()
    some.finish(alone.number, done(alone))

    assert ids([alone]) == [["p1"]]
    assert ids(some.batches()) == [["p2", "p3"]]


def test_a_partition_that_takes_its_process_along_again_and_again_has_failed() -> None:
    some = waves(1)
    for _ in range(ATTEMPTS):
        [batch] = some.batches()
        failed = some.finish(batch.number, BatchResult("w", begun=["p0"], reason="it was killed by SIGKILL"))

    assert [(partition.id, outcome.code) for partition, outcome in failed] == [("p0", "died")]
    assert "5 times: it was killed by SIGKILL" in failed[0][1].message
    assert some.is_over


def test_a_partition_that_failed_has_failed_and_the_others_go_on() -> None:
    some = waves(2, workers=1)
    [batch] = some.batches()
    failed = some.finish(batch.number, BatchResult("w", [Outcome("p0", False, code="network", is_passing=True)], exit_code=75))
    [rest] = some.batches()
    some.finish(rest.number, done(rest))

    assert [partition.id for partition, _ in failed] == ["p0"]
    assert (some.done, len(some.failed), some.is_over) == (1, 1, True)


def test_partitions_of_a_silent_batch_go_to_others_and_whoever_ends_first_has_read_them() -> None:
    some = waves(1, workers=1)
    [silent] = some.batches()

    assert some.abandon(silent.number)
    assert not some.abandon(silent.number)
    [other] = some.batches()
    some.finish(other.number, done(other))
    late = some.finish(silent.number, BatchResult("w", [Outcome("p0", False, code="superseded")]))

    assert ids([other]) == [["p0"]]
    assert (some.done, some.failed, late, some.is_over) == (1, [], [], True)


def test_one_that_was_superseded_by_nobody_we_know_goes_out_again() -> None:
    some = waves(1)
    [batch] = some.batches()

    failed = some.finish(batch.number, BatchResult("w", [Outcome("p0", False, code="superseded")]))

    assert failed == []
    assert ids(some.batches()) == [["p0"]]


def test_a_run_that_stops_hands_out_nothing_and_is_over_with_its_last_batch() -> None:
    some = waves(8)
    first, second = some.batches()
    some.is_stopping = True

    some.finish(first.number, BatchResult("w", reason="it was stopped"))
    assert some.batches() == [] and not some.is_over
    some.finish(second.number, BatchResult("w", reason="it was stopped"))

    assert some.is_over


@pytest.mark.parametrize("seed", range(30))
def test_whatever_happens_to_processes_every_partition_ends_once(seed: int) -> None:
    dice = random.Random(seed)
    count, listed = 200, 0
    some = Waves(dice.randint(1, 5), dice.randint(1, 9))
    out: dict[int, Batch] = {}
    while not some.is_over:
        while some.has_room and listed < count and dice.random() < 0.8:
            some.offer(Partition(f"p{listed}", "{}"))
            listed += 1
        some.is_all_listed = listed == count
        out |= {batch.number: batch for batch in some.batches()}
        if not out:
            continue
        number = dice.choice(sorted(out))
        luck = dice.random()
        if luck < 0.1:
            some.abandon(number)
            continue
        batch = out.pop(number)
        result = done(batch)
        if luck < 0.3:
            result.outcomes = result.outcomes[: dice.randrange(len(result.outcomes) + 1)]
            left = [partition.id for partition in batch.partitions[len(result.outcomes) :]]
            result.begun = left[: dice.randint(0, 2)]
        some.finish(number, result)

    assert some.done + len(some.failed) == count
    assert some.items == 10 * some.done
