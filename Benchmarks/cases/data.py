"""The files that cases read, made once and kept below `out/`."""
import os, sqlite3
from measuring.places import OUT

CITIES = ("Zürich", "Genève", 'says "no"', "Bern", "Lugano, TI")


def table_row(number):
    """Row `number` of the table: an integer id, two texts, a real and an integer."""
    return {
        "id": number, "name": f"item number {number}", "city": CITIES[number % 5], "score": number * 7919 % 100_000 / 8,
        "count": number * 31 % 1009}


def table(rows):
    """The path of a database whose table `items` has so many rows."""
    def fill(path):
        with sqlite3.connect(path) as database:
            database.execute("create table items(id integer primary key, name text not null, city text, score real, count integer)")
            database.executemany("insert into items values(?, ?, ?, ?, ?)", (tuple(table_row(number).values()) for number in range(1, rows + 1)))
        database.close()
    return made(f"rows-{rows}.db", fill)


def page_item(number):
    """Item `number` of the JSON file: about 220 bytes, like those of the page server."""
    return {
        "id": number, "name": f"alpha bravo {number}", "email": f"user{number}@example.test", "active": number % 3 == 0,
        "score": number * 7919 % 100_000 / 8, "tags": ["kilo", "lima"], "updated_at": "2024-01-02T03:04:05Z",
        "note": "the quick brown fox \\u00e9 jumps "[number % 7:] * 2}


def page(items):
    """The path of a file {"items": […]} with so many items, without spaces, so that raw bytes are what others write."""
    import json

    def fill(path):
        with open(path, "w") as file:
            file.write('{"items":[')
            for number in range(1, items + 1):
                file.write("," * (number > 1) + json.dumps(page_item(number), separators=(",", ":"), ensure_ascii=False))
            file.write(f'],"total":{items}}}')
    return made(f"page-{items}.json", fill)


def made(name, fill):
    os.makedirs(OUT, exist_ok=True)
    path = os.path.join(OUT, name)
    if not os.path.exists(path):
        fill(path + ".new")
        os.rename(path + ".new", path)
    return path
