"""APIs that say little or nothing: a list, and the way on is in their documentation alone."""

from . import convention
from .call import Refusal, text


@convention(
    "socrata", "https://dev.socrata.com/docs/paging.html",
    "$limit 1,000, $offset; a plain array without any sign; a name without $ is a column, and a 400 when there is none")
def socrata(call):
    for name in call.query:
        if not name.startswith("$"):
            raise Refusal(400, {
                "message": f"Query coordinator error: query.soql.no-such-column; No such column: {name}",
                "errorCode": "query.soql.no-such-column", "data": {"column": name}})
    start, size = call.number("$offset", 0), call.size("$limit", 1000, 50_000)
    return [{"name": text(n), "kind": "tree", "height": "12.5"} for n in call.page(start, size, {"code": "not_found"})]


@convention(
    "trello", "https://developer.atlassian.com/cloud/trello/guides/rest-api/api-introduction/#paging",
    "before=ID of the oldest so far, newest first, or page from 0; limit 50, at most 1,000; a plain array")
def trello(call):
    size, ident = call.size("limit", 50, 1000), lambda n: f"5f{10**9 - n:022x}"
    start = call.number("page", 0) * size
    if "before" in call.query:
        known = {ident(n): n for n in range(1, call.items + 1)}
        if call.query["before"] not in known:
            raise Refusal(400, "invalid value for before")
        start = known[call.query["before"]]
    return [{"id": ident(n), "type": "commentCard", "data": {"text": text(n)}} for n in call.page(start, size)]


@convention(
    "firebase", "https://firebase.google.com/docs/database/rest/retrieve-data",
    "an object {key: item} instead of a list; orderBy and limitToFirst, and startAt, which repeats its own item")
def firebase(call):
    if "limitToFirst" in call.query and "orderBy" not in call.query:
        raise Refusal(400, {"error": "orderBy must be defined when other query parameters are defined"})
    key = lambda n: f"-N{n:08}"
    size = call.size("limitToFirst", max(call.items, 1), 10**6) if "limitToFirst" in call.query else call.items
    asked = call.query.get("startAt", "").strip('"')
    start = int(asked[2:]) - 1 if asked[2:].isdigit() else 0
    page = {key(n): {"name": text(n), "born": 1900 + n % 90} for n in call.page(start, size)}
    return page or None


@convention(
    "jsonplaceholder", "https://jsonplaceholder.typicode.com/guide/",
    "the whole list at once, whatever else is asked")
def jsonplaceholder(call):
    return [{"id": n, "title": text(n), "completed": False} for n in call.page(0, call.items)]


@convention(
    "mediawiki", "https://www.mediawiki.org/wiki/API:Continue",
    "continue: {apcontinue, continue}, both of which are sent with the next request; aplimit 10, at most 500")
def mediawiki(call):
    if call.query.get("format") != "json":
        return "<!DOCTYPE html>this is the HTML representation of the JSON format"
    titles = [f"Page {text(n)}" for n in range(1, call.items + 2)]
    start = 0
    if "apcontinue" in call.query:
        if "continue" not in call.query:
            return {"error": {"code": "badcontinue", "info": "Invalid continue param."}}
        start = titles.index(call.query["apcontinue"].replace("_", " "))
    size = call.size("aplimit", 10, 500)
    pages = [{"pageid": 700 + n, "ns": 0, "title": titles[n - 1]} for n in call.page(start, size)]
    answer = {"batchcomplete": True} if "formatversion" in call.query else {"batchcomplete": ""}
    if call.more(start, size):
        at = titles[min(start + size, call.items)]
        answer["continue"] = {"apcontinue": at.replace(" ", "_"), "continue": "-||"}
    return answer | {"query": {"allpages": pages}}


@convention(
    "datasette-arrays", "https://docs.datasette.io/en/0.65/json_api.html#different-shapes",
    "rows as arrays beside columns; next and next_url, null at the end; _size 100; other names are columns")
def datasette_arrays(call):
    for name in call.query:
        if name in ("offset", "limit"):
            raise Refusal(400, {"ok": False, "error": f"no such column: {name}", "status": 400, "title": "Invalid SQL"})
    is_filtered = any(not name.startswith("_") for name in call.query)
    count = 0 if is_filtered else call.items
    start, size = call.items if is_filtered else call.number("_next", 0), call.size("_size", 100, 1000)
    follows = not is_filtered and call.more(start, size)
    return {"database": "events", "table": "readings", "is_view": False, "human_description_en": "",
            "rows": [[n, text(n), 12.5] for n in call.page(start, size, {"ok": False, "status": 404})], "truncated": False,
            **call.counted(filtered_table_rows_count=count), "columns": ["id", "name", "value"],
            "primary_keys": ["id"], "units": {}, "query": {"sql": "select id, name, value from readings", "params": {}},
            "facet_results": {}, "suggested_facets": [], "next": str(start + size) if follows else None,
            "next_url": call.url(_next=start + size) if follows else None, "private": False, "query_ms": 1.2}
