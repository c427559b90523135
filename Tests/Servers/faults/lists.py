"""Lists and the ways to page through them: page numbers, offsets, cursors, keysets, Link headers."""

import base64
from bisect import bisect_right
from urllib.parse import urlencode

from . import items


class BadRequest(Exception):
    """The client asked for something that does not exist; the text goes back to it."""


def whole(query, name, default, low=0):
    text = query.get(name)
    if text in (None, ""):
        return default
    if not text.lstrip("-").isdigit() or int(text) < low:
        raise BadRequest(f"{name}: expected an integer of at least {low}, got '{text}'")
    return int(text)


class List:
    """Numbered items as they stand at one request: `served` counts the requests of this run before it."""

    def __init__(self, faults, numbers, make, served=0):
        self.faults, self.numbers, self.make = faults, numbers, make
        self.inserted = served // faults.shift if faults.shift else 0
        kept = len(numbers) - faults.shrink * served
        self.length = max(kept, len(numbers) // 2) if faults.shrink else len(numbers)

    @property
    def count(self):
        return self.length + self.inserted

    def total(self):
        return self.faults.wrong_total or self.count

    def at(self, position):
        """The item at a position, counted from 0; those inserted later stand first."""
        if position < self.inserted:
            return self.make(self.faults.items + self.inserted - position, self.faults)
        return self.make(self.numbers[position - self.inserted], self.faults)

    def slice(self, start, size):
        if self.faults.empty_middle and size and start // size + 1 == self.faults.empty_middle:
            return []
        return [self.at(position) for position in range(start, min(start + size, self.count))]

    def size(self, asked):
        return min(asked, self.faults.short_pages) if self.faults.short_pages else asked


def counted(faults, **values):
    """Totals, unless the fault is that there are none."""
    return {} if faults.no_total else values


def by_page(rows, query, _address):
    size = rows.size(whole(query, "per_page", 100, 1))
    page = whole(query, "page", 1, 1)
    pages = -(-rows.total() // size)
    return {
        "items": rows.slice((page - 1) * size, size), "page": page, "per_page": size,
        **counted(rows.faults, pages=pages, total=rows.total()),
    }


def by_offset(rows, query, _address):
    size, offset = rows.size(whole(query, "limit", 100, 1)), whole(query, "offset", 0)
    return {
        "items": rows.slice(offset, size), "offset": offset, "limit": size,
        **counted(rows.faults, total=rows.total()), "has_more": offset + size < rows.count,
    }


def cursor_text(position):
    return base64.urlsafe_b64encode(f"after:{position}".encode()).decode().rstrip("=")


def cursor_position(text):
    try:
        plain = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)).decode()
        return int(plain.removeprefix("after:"))
    except ValueError:
        raise BadRequest(f"cursor: '{text}' is none of ours") from None


def by_cursor(rows, query, address):
    size = rows.size(whole(query, "per_page", 100, 1))
    text = query.get("cursor")
    start = cursor_position(text) if text else 0
    end = start + size
    following = cursor_text(end) if end < rows.length else None
    looping = rows.faults.repeat_cursor
    if looping and start // size + 1 >= looping:
        following = cursor_text((looping - 1) * size)
    link = address + "?" + urlencode({"cursor": following, "per_page": size}) if following else None
    return {
        "items": rows.slice(start, size), **counted(rows.faults, total=rows.total()),
        "next_cursor": following, "next_url": link,
    }


def by_keyset(rows, query, _address):
    size = rows.size(whole(query, "limit", 100, 1))
    text = query["after_id"]
    after = items.number_of(text, rows.faults) if text else 0
    if after is None:
        raise BadRequest(f"after_id: '{text}' is no id")
    start = bisect_right(rows.numbers, after)
    return {"items": rows.slice(start, size), "has_more": start + size < rows.length}


def link_header(rows, query, address):
    """The items of a page by number, and the Link header that leads on."""
    page = by_page(rows, query, address)
    size, number, last = page["per_page"], page["page"], max(1, -(-rows.count // page["per_page"]))
    targets = {"first": 1, "last": last}
    if number > 1:
        targets["prev"] = number - 1
    if number < last:
        targets["next"] = number + 1
    links = (f'<{address}?{urlencode({"page": to, "per_page": size})}>; rel="{rel}"' for rel, to in targets.items())
    return page["items"], ", ".join(links)


def paged(faults, numbers, make, served, query, address):
    """A page in the way that the query asks for; by number when it says nothing."""
    if "cursor" in query or "after_id" in query:
        stable = List(faults, numbers, make)
        return (by_cursor if "cursor" in query else by_keyset)(stable, query, address)
    way = by_offset if "offset" in query or "limit" in query else by_page
    return way(List(faults, numbers, make, served), query, address)
