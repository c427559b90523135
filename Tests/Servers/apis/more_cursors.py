"""APIs whose cursor has a habit of its own: always there, to be asked for, to be sent alone."""

from . import convention
from .call import Refusal, position, text, token


@convention(
    "crossref", "https://www.crossref.org/documentation/retrieve-metadata/rest-api/",
    "cursor=* asks for message.next-cursor, which is always there; the end is a page without items; rows 20; total-results")
def crossref(call):
    call.only("cursor", "rows", "offset", "query", "filter", "mailto", refusal=lambda name: Refusal(400, {
        "status": "failed", "message-type": "validation-failure", "message": [
            {"type": "parameter-not-found", "value": name, "message": f"Parameter {name} specified but there is none"}]}))
    cursor, size = call.query.get("cursor"), call.size("rows", 20, 1000)
    start = call.number("offset", 0)
    if cursor:
        start = 0 if cursor == "*" else position(cursor, Refusal(400, {"status": "failed"}))
    items = [{"DOI": f"10.5555/{n}", "title": [text(n)], "author": []}
             for n in call.page(start, size, {"status": "error"})]
    follows = {"next-cursor": token(start + len(items))} if cursor else {}
    return {"status": "ok", "message-type": "work-list", "message-version": "1.0.0", "message": {
        "facets": {}, **follows, **call.counted(**{"total-results": call.items}), "items": items,
        "items-per-page": size, "query": {"start-index": 0, "search-terms": None}}}


@convention(
    "openalex", "https://docs.openalex.org/how-to-use-the-api/get-lists-of-entities/paging#cursor-paging",
    "cursor=* asks for meta.next_cursor, null at the end; per-page 25, at most 200; meta.count")
def openalex(call):
    size, start = call.size("per-page", 25, 200), 0
    cursor = call.query.get("cursor", "*")
    if cursor != "*":
        start = position(cursor, Refusal(400, {"error": "Invalid query parameters error."}))
    works = [{"id": f"W{4_000_000 + n}", "title": text(n), "authorships": []} for n in call.page(start, size)]
    return {"meta": {**call.counted(count=call.items), "db_response_time_ms": 9, "page": None, "per_page": size,
                     "next_cursor": token(start + size) if call.more(start, size) else None, "groups_count": None},
            "results": works, "group_by": []}


@convention(
    "facebook", "https://developers.facebook.com/docs/graph-api/results",
    "paging.next, an address, absent at the end, while paging.cursors.after stays; data; limit 25")
def facebook(call):
    start, size = 0, call.size("limit", 25)
    if "after" in call.query:
        start = position(call.query["after"], Refusal(400, {"error": {"type": "OAuthException", "code": 100}}))
    posts = [{"id": f"55_{n}", "message": text(n)} for n in call.page(start, size, {"error": {"code": 803}})]
    if not posts:
        return {"data": []}
    end = start + len(posts)
    paging = {"cursors": {"before": token(start), "after": token(end)}}
    if call.more(start, size):
        paging["next"] = call.url(limit=size, after=token(end))
    return {"data": posts, "paging": paging}


@convention(
    "asana", "https://developers.asana.com/docs/pagination",
    "next_page {offset, path, uri}, null at the end; data; limit, at most 100")
def asana(call):
    start, size = 0, call.size("limit", 20)
    if "offset" in call.query:
        start = position(call.query["offset"], Refusal(400, {"errors": [{"message": "offset: Not a valid token"}]}))
    follows = None
    if call.more(start, size):
        after = token(start + size)
        uri = call.url(limit=size, offset=after)
        follows = {"offset": after, "path": uri[len(call.root):], "uri": uri}
    return {"data": [{"gid": str(n + 12_000), "name": text(n), "resource_type": "task"}
                     for n in call.page(start, size, {"errors": []})], "next_page": follows}


@convention(
    "kubernetes", "https://kubernetes.io/docs/reference/using-api/api-concepts/#retrieving-large-results-sets-in-chunks",
    "metadata.continue, absent at the end, sent as continue; limit; items; metadata.remainingItemCount")
def kubernetes(call):
    size = call.size("limit", call.items or 1, 10**6)
    start = position(call.query["continue"], Refusal(410, {"kind": "Status", "reason": "Expired"})) if call.query.get(
        "continue") else 0
    metadata = {"resourceVersion": "10245"}
    if call.more(start, size):
        metadata |= {"continue": token(start + size),
                     **call.counted(remainingItemCount=max(call.items - start - size, 0))}
    return {"kind": "PodList", "apiVersion": "v1", "metadata": metadata,
            "items": [{"metadata": {"name": text(n), "uid": f"u{n}"}, "spec": {"containers": [{"name": "c"}]}}
                      for n in call.page(start, size, {"kind": "Status", "reason": "NotFound"})]}


@convention(
    "dynatrace", "https://docs.dynatrace.com/docs/dynatrace-api/basics/access-limit#pagination",
    "nextPageKey, absent at the end, sent as nextPageKey without any other parameter; totalCount, pageSize 50")
def dynatrace(call):
    start, refusal = 0, Refusal(400, {"error": {"code": 400, "message": "Constraints violated."}})
    size = call.size("pageSize", 50, 500)
    if "nextPageKey" in call.query:
        call.only("nextPageKey", refusal=lambda name: refusal)
        at = position(call.query["nextPageKey"], refusal)
        start, size = at // 1000, at % 1000
    follows = {"nextPageKey": token((start + size) * 1000 + size)} if call.more(start, size) else {}
    return {**call.counted(totalCount=call.items), "pageSize": size, **follows,
            "entities": [{"entityId": f"HOST-{n:016X}", "displayName": text(n), "tags": []}
                         for n in call.page(start, size, {"error": {"code": 404}})]}


@convention(
    "atproto", "https://atproto.com/specs/xrpc#cursors-and-pagination",
    "cursor, absent at the end, sent as cursor; records; limit 50, at most 100; a page may have none and go on")
def atproto(call):
    start, size = 0, call.size("limit", 50)
    if "cursor" in call.query:
        start = position(call.query["cursor"], Refusal(400, {"error": "InvalidRequest"}))
    records = [{"uri": f"at://did:plc:abc/app.post/{n}", "cid": f"b{n}", "value": {"text": text(n)}}
               for n in call.page(start, size, {"error": "NotFound"})]
    return {"records": records, **({"cursor": token(start + size)} if call.more(start, size) else {})}
