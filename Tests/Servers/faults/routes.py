"""What there is under which path."""

import json
from email.utils import formatdate
from math import ceil
from time import time

from . import items, lists
from .wire import Answer


def encoded(value, faults):
    if faults.unicode:
        return json.dumps(value, ensure_ascii=False, indent=2).encode()
    return json.dumps(value, separators=(",", ":")).encode()


def refusal(status, faults, message, headers=None):
    return Answer(status, encoded({"error": message}, faults), headers or {})


def retry_headers(faults):
    if faults.retry_after < 0:
        return {}
    if faults.retry_after_date:
        return {"Retry-After": formatdate(ceil(time() + faults.retry_after), usegmt=True)}
    return {"Retry-After": str(faults.retry_after)}


def number_in(text, low, high, what):
    if not text.isdigit() or not low <= int(text) <= high:
        raise LookupError(f"there is no {what} {text}")
    return int(text)


def one_item(text, faults):
    number = items.number_of(text, faults)
    if number is None or not 1 <= number <= faults.items:
        raise LookupError(f"there is no item {text}")
    return items.detail(number, faults)


def padded(value, faults):
    """The value with as many megabytes beside it as asked."""
    if not faults.huge:
        return value
    padding = "x" * (faults.huge * 1_000_000)
    return value | {"padding": padding} if isinstance(value, dict) else value + [{"id": 0, "padding": padding}]


def answer(request, segments, faults, served, address):
    """The faultless answer to a request for data; `served` counts the requests of its run before it."""
    headers = {}
    match segments:
        case ["items"]:
            numbers = range(1, faults.items + 1)
            value = lists.paged(faults, numbers, items.item, served, request.query, address)
        case ["list"]:
            rows = lists.List(faults, range(1, faults.items + 1), items.item, served)
            value, headers["Link"] = lists.link_header(rows, request.query, address)
        case ["items", text]:
            value = one_item(text, faults)
        case ["groups"]:
            value = lists.paged(faults, range(1, faults.groups + 1), items.group, served, request.query, address)
        case ["groups", text, "items"]:
            group = number_in(text, 1, faults.groups, "group")
            numbers = items.group_numbers(group, faults)
            value = lists.paged(faults, numbers, items.item, served, request.query, address)
        case ["echo"]:
            value = {
                "method": request.method, "target": request.target, "query": request.query,
                "headers": request.headers, "body": request.body.decode("utf-8", "replace"),
            }
        case _:
            raise LookupError(f"there is nothing at /{'/'.join(segments)}")
    return Answer(200, encoded(padded(value, faults), faults), headers)
