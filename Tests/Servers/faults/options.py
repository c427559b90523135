"""The faults: their names, what they do, and how they are read from a command line, a path or a query."""

from dataclasses import dataclass, field, fields


def fault(help_text, default=0):
    """A fault's place in `Faults`, with the line that --help shows."""
    return field(default=default, metadata={"help": help_text})


@dataclass
class Faults:
    """What goes wrong, and what the data are like. Zero and the empty text mean: not at all."""

    items: int = fault("the data set has this many items", 10_000)
    groups: int = fault("the items are in this many groups", 20)
    latency_ms: int = fault("every answer is delayed by this much")
    jitter_ms: int = fault("a further delay between 0 and this, by the number of the request, so that answers overtake")
    every_429: int = fault("every Nth request is answered 429")
    every_503: int = fault("every Nth request is answered 503")
    retry_after: int = fault("seconds in the Retry-After header of 429 and 503; -1 leaves it out", 1)
    retry_after_date: int = fault("1: Retry-After is a date instead of seconds")
    rate_limit: int = fault("more than N requests within a second are answered 429")
    most_at_once: int = fault("requests beyond N in flight are answered 429 at once")
    workers: int = fault("N requests are worked on at a time, each for its latency; the others wait for their turn")
    status: int = fault("every request is answered with this status")
    token: str = fault("requests without this bearer token are answered 401", "")
    cut: int = fault("every Nth body ends at half of its Content-Length, and the connection closes")
    cut_chunked: int = fault("every Nth body is chunked and ends at half, without the last chunk")
    cut_gzip: int = fault("every Nth compressed body is cut before it is announced, so that its length is right")
    lost_redirect: int = fault("every Nth request is answered 301 without a Location, and with an empty object")
    no_body: int = fault("every Nth request is answered 200 without a body")
    html: int = fault("every Nth request is answered 200 with a page for people")
    reset: int = fault("every Nth request is answered by a reset of the connection")
    close: int = fault("every Nth connection is closed after its answer, without a word of it in the headers")
    bad_json: int = fault("every Nth body is complete but no JSON from the middle on")
    hang: int = fault("the Nth request is never answered")
    slow: int = fault("bodies arrive at N bytes per second, in ten pieces a second")
    huge: int = fault("every body is padded by N megabytes")
    dup: int = fault("every Nth item carries the id of its predecessor")
    shift: int = fault("a new item appears in front of the list after every N requests (page, offset, /list)")
    shrink: int = fault("the list is N items shorter after every request, down to half (page, offset, /list)")
    empty_middle: int = fault("page N has no items although more follow; its items are never served")
    short_pages: int = fault("a page has at most N items, whatever is asked")
    wrong_total: int = fault("the total says N, whatever there is")
    no_total: int = fault("1: no totals and no page counts")
    repeat_cursor: int = fault("from page N on, the next cursor is the one of page N again")
    redirect: int = fault("every Nth request is answered 302 to its own URL")
    redirect_to: str = fault("requests to any other host name are answered 302 to this one, on the same port", "")
    unicode: int = fault("1: ids are UUIDs, names have emoji and line breaks, the JSON is spread over lines")
    bigint: int = fault("1: ids start at 2^53 + 1")
    null_fields: int = fault("every Nth item has null as name and nested, and no tags")
    no_gzip: int = fault("1: bodies are not compressed, whatever the client accepts")

    def set(self, name, text):
        """Sets one fault from a text; ValueError says what is wrong."""
        known = {f.name: f for f in fields(self)}
        if name not in known:
            raise ValueError(f"there is no fault '{name}'")
        if known[name].type is str:
            setattr(self, name, text)
            return
        try:
            setattr(self, name, int(text))
        except ValueError:
            raise ValueError(f"{name}: expected a number, got '{text}'") from None


def described():
    """One line per fault, for --help."""
    return "\n".join(f"  {f.name:<17} {f.metadata['help']}" for f in fields(Faults))


def falls_on(number, every):
    """Whether a fault that happens every so often happens at this number, counted from 1."""
    return every > 0 and number % every == 0
