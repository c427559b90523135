"""Checks what a run put out: all items, each once, and as they should be."""
import hashlib, json, os, sqlite3


class Expected:
    """The items that an output has to hold: `item(number)` for 1 to `count`, whose ids are these numbers.

    Outputs that were found right are known by their digest and not read again."""

    def __init__(self, count, item=None):
        self.count, self.item, self.right = count, item, set()

    def fault(self, records, change=None):
        """Why these records, pairs of an id and an item (or None where only ids can be compared), are not what was expected."""
        seen, rows = bytearray(self.count + 1), 0
        for identifier, found in records:
            rows += 1
            if not (isinstance(identifier, int) and 1 <= identifier <= self.count): return f"an unknown id, {identifier!r}"
            if seen[identifier]: return f"id {identifier} came twice"
            seen[identifier] = 1
            if found is None or self.item is None: continue
            wanted = self.item(identifier)
            if change: wanted = change(dict(wanted))
            if found != wanted: return f"item {identifier} is {found!r}, expected {wanted!r}"[:400]
        return None if rows == self.count else f"{rows} items of {self.count}"

    def check(self, path, records, change=None):
        """The digest of an output, and what is wrong with it, if anything is."""
        sum = digest(path)
        key = (sum, change)
        if sum and key in self.right: return sum, None
        fault = self.fault(records(path), change)
        if sum and not fault: self.right.add(key)
        return sum, fault


def halved(item):
    """What the scripts that touch an item leave of it."""
    item["half"] = item["score"] / 2
    return item


def digest(path):
    if not os.path.isfile(path): return None
    with open(path, "rb") as file: return hashlib.file_digest(file, "sha256").hexdigest()


def ndjson(path):
    """Items of lines of JSON."""
    with open(path, "rb") as file:
        for text in file:
            item = json.loads(text)
            yield item["id"], item


def array(path):
    """Items of one JSON array."""
    with open(path, "rb") as file:
        for item in json.load(file): yield item["id"], item


def ids(records):
    """The same records, of which only the ids are compared."""
    return lambda path: ((identifier, None) for identifier, _ in records(path))


def database(path):
    """Rows of the table `items` of an SQLite database."""
    with sqlite3.connect(path) as connection:
        rows = connection.execute("select * from items")
        names = [column[0] for column in rows.description]
        for row in rows:
            item = dict(zip(names, row))
            yield item["id"], item


def columns(item):
    """An item as columns have it: lists as JSON, truth as 0 and 1."""
    def column(value):
        if isinstance(value, list): return json.dumps(value, separators=(",", ":"))
        return int(value) if isinstance(value, bool) else value
    return {name: column(value) for name, value in item.items()}


def halved_columns(item): return columns(halved(item))
