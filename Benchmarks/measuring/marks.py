"""Puts a text between two comments of a page, and leaves the rest of the page as it is."""

BEGIN, END = "<!-- what follows is written by Benchmarks/run -->", "<!-- up to here -->"


def between(page, text):
    """The page with `text` between the comments; a page that does not have each once, in this order, is refused."""
    if page.count(BEGIN) != 1: raise ValueError(f"the page has to hold this line once: {BEGIN}")
    before, rest = page.split(BEGIN)
    if END not in rest: raise ValueError(f"no line after the first comment says where the text ends: {END}")
    return f"{before}{BEGIN}\n{text.strip()}\n{END}{rest.split(END, 1)[1]}"


def write(path, text):
    with open(path) as file: page = file.read()
    page = between(page, text)
    with open(path, "w") as file: file.write(page)
