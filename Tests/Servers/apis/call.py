"""A request to a convention: what is asked, how the server is set, and which items it has."""

import base64
import json
import math
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, quote, urlencode


@dataclass
class Settings:
    """What a server may do beside its documentation."""

    items: int = 57
    # The largest page, whatever is asked; 0 is what the API documents.
    cap: int = 0
    # hidden: the answers say no total.
    total: str = ""
    # empty: the last page with items promises one more, which is empty. 404: a page past the end is answered so.
    # stuck: whatever is asked, the first answer comes again, as from a cache that overlooks the query.
    # broken: pages in the second half are 200 with an error instead of items.
    end: str = ""
    # So many places after as many items are empty, as of items that may not be seen: a page without items in the middle.
    hole: int = 0
    # The length of the lists beside that of the items.
    decoys: int = 1
    # Requests with these settings beyond so many are refused.
    most: int = 0
    # Tells runs with equal settings apart.
    run: str = ""

    def set(self, name, value):
        if not hasattr(self, name):
            raise Refusal(400, {"error": f"there is no setting {name}"})
        setattr(self, name, int(value) if isinstance(getattr(self, name), int) else value)


@dataclass
class Reply:
    """What is sent; a header whose value is a list is sent as several lines."""

    body: object
    headers: dict = field(default_factory=dict)
    status: int = 200
    kind: str = "application/json; charset=utf-8"


class Refusal(Exception):
    """An answer that ends the handling of a request."""

    def __init__(self, status, body):
        super().__init__(status)
        self.status = status
        self.body = body


def text(number):
    """The words by which a test knows an item again; nothing else in an answer has them."""
    return f"nr-{number:04}"


def token(position):
    """A cursor that nobody can guess, with characters that a query must escape."""
    return base64.b64encode(f"after+{position:06}".encode()).decode()


def position(cursor, refusal):
    """Where a cursor stands; a cursor of nobody is refused."""
    try:
        word, _, number = base64.b64decode(cursor, validate=True).decode().partition("+")
        if word == "after":
            return int(number)
    except ValueError:
        pass
    raise refusal


class Call:
    """One request."""

    def __init__(self, method, root, path, query, headers, body, settings):
        self.method = method
        self.root = root
        self.path = path
        self.query = dict(parse_qsl(query, keep_blank_values=True))
        self.headers = headers
        self.body = body
        self.settings = settings
        self.items = settings.items

    @property
    def json(self):
        try:
            return json.loads(self.body or b"{}")
        except ValueError:
            raise Refusal(400, {"error": "the body is no JSON"}) from None

    def url(self, path=None, without=(), **changes):
        """The address of this list with its query changed; a path beside it is that of another list."""
        query = {name: value for name, value in (self.query | changes).items() if name not in without}
        return self.address(self.path if path is None else path, query)

    def address(self, path, query=None):
        return f"{self.root}/{path}" + ("?" + urlencode(query, quote_via=quote) if query else "")

    def relative(self, url):
        """An address without its host."""
        return "/" + url.split("://", 1)[1].partition("/")[2]

    def only(self, *names, refusal):
        """Refuses a query with a name that is none of these, as `refusal(name)` says."""
        for name in self.query:
            if name not in names:
                raise refusal(name)

    def number(self, name, default, least=0, query=None):
        """A number of the query; what is none, or too small, is the default."""
        try:
            number = int((query or self.query).get(name, default))
        except (TypeError, ValueError):
            return default
        return number if number >= least else default

    def size(self, name, default, most=100, query=None):
        """The items of a page: as many as asked, up to what is allowed."""
        return self.capped(min(self.number(name, default, 1, query), most))

    def capped(self, size):
        return min(size, self.settings.cap or size)

    def page(self, start, size, lost=None):
        """The numbers of the items of a page, counted from 1; `lost` is the body of a 404."""
        if self.settings.end == "404" and start and start >= self.items:
            raise Refusal(404, lost or {"error": "not found"})
        if self.settings.end == "broken" and 2 * start > self.items:
            raise Refusal(200, {"ok": False, "error": "internal_error"})
        hole = self.settings.hole
        places = range(start, min(start + size, self.items + hole))
        return [place + 1 - hole * (place >= hole) for place in places if not hole <= place < 2 * hole]

    def more(self, start, size):
        """Whether the answer says that there is more."""
        if self.settings.end == "empty":
            return start < self.items
        return start + size < self.items + self.settings.hole

    def decoys(self, make):
        """A list that is not the items."""
        return [make(number) for number in range(1, self.settings.decoys + 1)]

    def pages(self, size):
        return math.ceil(self.items / size)

    def counted(self, **totals):
        """Members that tell totals, unless these are hidden; none is never a member."""
        return {} if self.settings.total == "hidden" else totals


def links(**addresses):
    """A Link header; what has no address is left out."""
    return {"Link": ", ".join(f'<{url}>; rel="{name}"' for name, url in addresses.items() if url)} if any(
        addresses.values()) else {}
