"""The data set: item number N is always the same, whoever asks and how."""

import uuid
from datetime import datetime, timedelta, timezone

from .options import falls_on

WORDS = ["amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "heron", "inlet", "juniper"]
START = datetime(2024, 1, 1, tzinfo=timezone.utc)
BIG = 2**53
NAMESPACE = uuid.UUID("6d1f0b52-2b8e-4a0c-9d63-0f3d5a7c1e40")


def mixed(number):
    """A well-spread number from a number, the same everywhere."""
    return (number * 2654435761 + 40503) % 2**32


def item_id(number, faults):
    if faults.unicode:
        return f"{uuid.uuid5(NAMESPACE, str(number))!s:.23}-{number:012x}"
    return BIG + number if faults.bigint else number


def number_of(text, faults):
    """The number of the item with this id, or None."""
    try:
        if faults.unicode:
            return int(text.rsplit("-", 1)[1], 16)
        return int(text) - (BIG if faults.bigint else 0)
    except (ValueError, IndexError):
        return None


def group_of(number, faults):
    return (number - 1) % faults.groups + 1


def item(number, faults):
    """Item `number` as lists show it."""
    seed = mixed(number)
    name = f"{WORDS[seed % 10]} {WORDS[seed // 10 % 10]} {number}"
    if faults.unicode:
        name = f"{name} 🌲 žluťoučký\nsecond line \"quoted\" \\ \u2028"
    result = {
        "id": item_id(number, faults),
        "name": name,
        "group": group_of(number, faults),
        "created": (START + timedelta(minutes=number)).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "tags": [WORDS[seed // 100 % 10], WORDS[seed // 1000 % 10]],
        "nested": {"score": seed % 10000 / 100, "active": seed % 3 == 0, "path": [number // 100, number % 100]},
    }
    if number > 1 and falls_on(number, faults.dup):
        result["id"] = item_id(number - 1, faults)
    if falls_on(number, faults.null_fields):
        result["name"] = result["nested"] = None
        del result["tags"]
    return result


def detail(number, faults):
    """An item with what only its own address tells."""
    seed = mixed(number)
    return item(number, faults) | {
        "description": " ".join(WORDS[(seed + step * 7) % 10] for step in range(12)),
        "size": seed % 4096,
    }


def group(number, faults):
    return {"id": number, "name": f"group {number}", "count": len(group_numbers(number, faults))}


def group_numbers(number, faults):
    """The numbers of the items in a group, in order."""
    return range(number, faults.items + 1, faults.groups)
