"""APIs whose body holds a cursor for a parameter of the query."""

from . import convention
from .call import Refusal, position, text, token


@convention(
    "stripe", "https://docs.stripe.com/api/pagination",
    "starting_after=ID of the last item; data, has_more; url is the list's own; limit 10, at most 100; strict about names")
def stripe(call):
    call.only("limit", "starting_after", "ending_before", refusal=lambda name: Refusal(400, {"error": {
        "code": "parameter_unknown", "message": f"Received unknown parameter: {name}", "param": name,
        "type": "invalid_request_error"}}))
    known = {f"cus_{n:014x}": n for n in range(1, call.items + 1)}
    start, after = 0, call.query.get("starting_after")
    if after is not None:
        if after not in known:
            raise Refusal(400, {"error": {"code": "resource_missing", "message": f"No such customer: '{after}'",
                                          "param": "starting_after", "type": "invalid_request_error"}})
        start = known[after]
    size = call.size("limit", 10)
    sources = {"object": "list", "data": [], "has_more": False, "url": "/v1/customers/c/sources"}
    return {"object": "list", "url": "/v1/customers", "has_more": call.more(start, size),
            "data": [{"id": f"cus_{n:014x}", "object": "customer", "name": text(n), "sources": sources}
                     for n in call.page(start, size, {"error": {"type": "invalid_request_error"}})]}


@convention(
    "slack", "https://docs.slack.dev/apis/web-api/pagination",
    "response_metadata.next_cursor, empty at the end, sent as cursor; limit; errors are 200 with ok: false")
def slack(call):
    start = 0
    if call.query.get("cursor"):
        start = position(call.query["cursor"], Refusal(200, {"ok": False, "error": "invalid_cursor"}))
    size = call.size("limit", 100, 1000)
    members = [{"id": f"U{n:08}", "team_id": "T1", "name": text(n), "profile": {"fields": []}}
               for n in call.page(start, size, {"ok": False, "error": "not_found"})]
    return {"ok": True, "members": members, "cache_ts": 1_790_000_000,
            "response_metadata": {"next_cursor": token(start + size) if call.more(start, size) else ""}}


@convention(
    "x", "https://docs.x.com/x-api/fundamentals/pagination",
    "meta.next_token, absent at the end, sent as pagination_token; data (absent when empty) beside includes; strict")
def x(call):
    names = ("max_results", "pagination_token", "expansions", "tweet.fields", "user.fields")
    call.only(*names, refusal=lambda name: Refusal(400, {
        "errors": [{"parameters": {name: []}, "message": f"The query parameter [{name}] is not one of [max_results]"}],
        "title": "Invalid Request", "type": "https://api.x.com/2/problems/invalid-request"}))
    if not 5 <= call.number("max_results", 10) <= 100:
        raise Refusal(400, {"title": "Invalid Request", "errors": [{"message": "max_results is not between 5 and 100"}]})
    start, size = 0, call.size("max_results", 10)
    if "pagination_token" in call.query:
        start = position(call.query["pagination_token"], Refusal(400, {"title": "Invalid Request"}))
    posts = [{"id": str(1_460_000_000_000_000_000 - n), "text": text(n), "edit_history_tweet_ids": ["1"]}
             for n in call.page(start, size, {"title": "Not Found Error"})]
    meta = {"result_count": len(posts)}
    if posts:
        meta |= {"newest_id": posts[0]["id"], "oldest_id": posts[-1]["id"]}
    if call.more(start, size):
        meta["next_token"] = token(start + size)
    return ({"includes": {"users": call.decoys(lambda n: {"id": str(n), "username": "ann"})}, "data": posts} if posts else {}) | {"meta": meta}


@convention(
    "google-drive", "https://developers.google.com/workspace/drive/api/reference/rest/v3/files/list",
    "nextPageToken, absent at the end, sent as pageToken; files; pageSize 100, at most 1,000")
def google_drive(call):
    start, size = 0, call.size("pageSize", 100, 1000)
    if "pageToken" in call.query:
        start = position(call.query["pageToken"], Refusal(400, {"error": {"code": 400, "message": "Invalid Value"}}))
    follows = {"nextPageToken": token(start + size)} if call.more(start, size) else {}
    return {"kind": "drive#fileList", **follows, "incompleteSearch": False,
            "files": [{"kind": "drive#file", "id": f"1aB{n}", "name": text(n), "parents": ["0A"]}
                      for n in call.page(start, size, {"error": {"code": 404}})]}


@convention(
    "youtube", "https://developers.google.com/youtube/v3/docs/search/list",
    "nextPageToken, absent at the end, sent as pageToken; items; pageInfo.totalResults is approximate; strict about names")
def youtube(call):
    call.only("part", "q", "maxResults", "pageToken", "key", refusal=lambda name: Refusal(400, {"error": {
        "code": 400, "message": f'Invalid JSON payload received. Unknown name "{name}": Cannot bind query parameter.',
        "errors": [{"reason": "invalid"}], "status": "INVALID_ARGUMENT"}}))
    start, size = 0, call.size("maxResults", 5, 50)
    if "pageToken" in call.query:
        start = position(call.query["pageToken"], Refusal(400, {"error": {"code": 400, "errors": []}}))
    follows = {"nextPageToken": token(start + size)} if call.more(start, size) else {}
    return {"kind": "youtube#searchListResponse", "etag": "e", **follows, "regionCode": "DE",
            "pageInfo": {**call.counted(totalResults=call.items + 13), "resultsPerPage": size},
            "items": [{"kind": "youtube#searchResult", "id": {"kind": "youtube#video", "videoId": f"v{n}"},
                       "snippet": {"title": text(n)}} for n in call.page(start, size, {"error": {"code": 404}})]}


@convention(
    "hubspot", "https://developers.hubspot.com/docs/api-reference/crm-objects-v3/guide",
    "paging.next.after and paging.next.link, paging absent at the end; results; limit 10, at most 100")
def hubspot(call):
    start, size = 0, call.size("limit", 10)
    if "after" in call.query:
        if not call.query["after"].isdigit():
            raise Refusal(400, {"status": "error", "category": "VALIDATION_ERROR"})
        start = int(call.query["after"])
    end = start + size
    paging = {"paging": {"next": {"after": str(end), "link": call.url(after=end)}}} if call.more(start, size) else {}
    return {"results": [{"id": str(n + 50), "properties": {"email": f"{text(n)}@example.com"}, "archived": False}
                        for n in call.page(start, size, {"status": "error"})], **paging}


@convention(
    "airtable", "https://airtable.com/developers/web/api/list-records",
    "offset, a text, absent at the end, sent as offset; records; pageSize 100")
def airtable(call):
    start = 0
    if "offset" in call.query:
        at = call.query["offset"].partition("/rec")[2]
        if not at.isdigit():
            raise Refusal(422, {"error": {"type": "LIST_RECORDS_ITERATOR_NOT_AVAILABLE"}})
        start = int(at)
    size = call.size("pageSize", 100)
    follows = {"offset": f"itrQ8x/rec{start + size:06}"} if call.more(start, size) else {}
    return {"records": [{"id": f"rec{n:06}", "createdTime": "2026-01-01T00:00:00.000Z", "fields": {"Name": text(n)}}
                        for n in call.page(start, size, {"error": "NOT_FOUND"})], **follows}


@convention(
    "zendesk-cursor", "https://developer.zendesk.com/api-reference/introduction/pagination/#using-cursor-pagination",
    "page[size], page[after]; meta.has_more says the end, while links.next and meta.after_cursor stay")
def zendesk_cursor(call):
    start, size = 0, call.size("page[size]", 100)
    if "page[after]" in call.query:
        start = position(call.query["page[after]"], Refusal(400, {"error": "InvalidCursor"}))
    numbers = call.page(start, size, {"error": "RecordNotFound"})
    before, after = (token(start), token(numbers[-1])) if numbers else (None, None)
    return {"tickets": [{"id": n, "subject": text(n), "tags": []} for n in numbers],
            "meta": {"has_more": call.more(start, size), "after_cursor": after, "before_cursor": before},
            "links": {"prev": call.url(without=("page[after]",), **{"page[before]": before}) if numbers else None,
                      "next": call.url(**{"page[after]": after}) if numbers else None}}


@convention(
    "intercom", "https://developers.intercom.com/docs/build-an-integration/learn-more/rest-apis/pagination",
    "pages.next {page, starting_after}, absent at the end; starting_after; data; total_count; per_page 20")
def intercom(call):
    start, size = 0, call.size("per_page", 20, 150)
    if "starting_after" in call.query:
        start = position(call.query["starting_after"], Refusal(400, {"type": "error.list", "errors": []}))
    page = start // size + 1
    follows = {"next": {"page": page + 1, "starting_after": token(start + size)}} if call.more(start, size) else {}
    return {"type": "list", "data": [{"type": "contact", "id": f"5ba{n}", "name": text(n)}
                                     for n in call.page(start, size, {"type": "error.list"})],
            **call.counted(total_count=call.items),
            "pages": {"type": "pages", "page": page, **follows, "per_page": size,
                      **call.counted(total_pages=call.pages(size))}}


@convention(
    "reddit", "https://www.reddit.com/dev/api/#listings",
    "data.after, null at the end, sent as after; data.children[].data; limit 25, at most 100; dist is the page's count")
def reddit(call):
    start, size, after = 0, call.size("limit", 25), call.query.get("after", "")
    if after.startswith("t3_") and after[3:].isdigit():
        start = int(after[3:]) - 1000
    children = [{"kind": "t3", "data": {"name": f"t3_{n + 1000}", "title": text(n), "all_awardings": []}}
                for n in call.page(start, size, {"message": "Not Found", "error": 404})]
    last = f"t3_{min(start + size, call.items) + 1000}" if call.more(start, size) else None
    return {"kind": "Listing", "data": {"after": last, "dist": len(children), "modhash": "", "geo_filter": "",
                                        "children": children, "before": None}}
