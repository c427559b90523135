"""APIs whose lists are asked for by POST: the cursor goes into the body."""

import re

from . import convention
from .call import Refusal, position, text, token


@convention(
    "notion", "https://developers.notion.com/reference/intro#pagination",
    "POST; start_cursor and page_size 100 in the body; results, has_more, next_cursor, null at the end; strict")
def notion(call):
    def invalid(what):
        return Refusal(400, {"object": "error", "status": 400, "code": "validation_error", "message": what})

    if call.method != "POST":
        raise Refusal(400, {"object": "error", "status": 400, "code": "invalid_request_url"})
    asked = call.json
    for name in asked:
        if name not in ("start_cursor", "page_size", "filter", "sorts"):
            raise invalid(f"body failed validation: body.{name} should be not present")
    start = 0
    if "start_cursor" in asked:
        if not isinstance(asked["start_cursor"], str):
            raise invalid("body.start_cursor should be a string or undefined")
        start = position(asked["start_cursor"], invalid("The start_cursor provided is invalid"))
    size = call.size("page_size", 100, query=asked)
    goes_on = call.more(start, size)
    return {"object": "list", "next_cursor": token(start + size) if goes_on else None, "has_more": goes_on,
            "type": "page_or_database", "page_or_database": {},
            "results": [{"object": "page", "id": f"{n:08x}-2222-4222-8222-222222222222",
                         "properties": {"Name": {"title": [{"plain_text": text(n)}]}}}
                        for n in call.page(start, size, {"object": "error", "status": 404})]}


@convention(
    "graphql", "https://docs.github.com/en/graphql/guides/using-pagination-in-the-graphql-api",
    "POST; a connection: pageInfo {hasNextPage, endCursor}, nodes, totalCount; after and first, by variables or in the text")
def graphql(call):
    if call.method != "POST":
        raise Refusal(404, {"message": "Not Found"})
    asked = call.json
    query, variables = asked.get("query", ""), asked.get("variables") or {}

    def argument(name):
        found = re.search(rf'\b{name}:\s*(?:\$(\w+)|"([^"]*)"|(\d+)|null)', query)
        if not found:
            return None
        return variables.get(found[1]) if found[1] else found[2] or found[3]

    after, start = argument("after"), 0
    wrong = Refusal(200, {"data": None, "errors": [{"type": "INVALID_CURSOR_ARGUMENTS", "path": ["repository"]}]})
    if after:
        start = position(after, wrong)
    size = call.capped(min(int(argument("first") or 0), 100))
    if not size:
        raise Refusal(200, {"data": None, "errors": [{"type": "MISSING_PAGINATION_BOUNDARIES"}]})
    numbers = call.page(start, size, {"message": "Not Found"})
    end = start + len(numbers)
    return {"data": {"repository": {"issues": {
        **call.counted(totalCount=call.items),
        "pageInfo": {"hasNextPage": call.more(start, size), "endCursor": token(end) if numbers else None},
        "nodes": [{"number": n, "title": text(n), "labels": {"nodes": []}} for n in numbers]}}}}


@convention(
    "dropbox", "https://www.dropbox.com/developers/documentation/http/documentation#files-list_folder",
    "POST; entries, cursor (always there), has_more; the next page is at another address, list_folder/continue")
def dropbox(call):
    asked = call.json if call.method == "POST" else {}
    start, size = 0, 20
    if call.path.endswith("/continue"):
        if set(asked) != {"cursor"}:
            raise Refusal(400, 'Error in call to API function "files/list_folder/continue": unknown field')
        at = position(asked["cursor"], Refusal(409, {"error_summary": "reset/"}))
        start, size = at // 1000, at % 1000
    else:
        if "path" not in asked or set(asked) - {"path", "limit", "recursive"}:
            raise Refusal(400, 'Error in call to API function "files/list_folder": unknown field')
        size = call.size("limit", 20, 2000, query=asked)
    size = call.capped(size)
    numbers = call.page(start, size, {"error_summary": "path/not_found/"})
    return {"entries": [{".tag": "file", "name": text(n), "id": f"id:{n}"} for n in numbers],
            "cursor": token((start + len(numbers)) * 1000 + size), "has_more": call.more(start, size)}
