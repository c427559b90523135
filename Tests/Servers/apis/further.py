"""APIs with a trap each: numbers as text, a next page that is a number, ids that repeat, a last page that comes again."""

from . import convention
from .call import Refusal, Reply, position, text, token


@convention(
    "flickr", "https://www.flickr.com/services/api/flickr.photos.search.html",
    "page from 1, per_page 100; photos.photo, photos.pages, photos.total (text); a page past the end is the last page again")
def flickr(call):
    size, page = call.size("per_page", 100, 500), call.number("page", 1, 1)
    if call.settings.end != "404":
        page = min(page, max(call.pages(size), 1))
    photos = [{"id": str(5_400_000_000 + n), "title": text(n), "ispublic": 1}
              for n in call.page((page - 1) * size, size, {"stat": "fail", "code": 1})]
    return {"photos": {"page": page, **call.counted(pages=call.pages(size)), "perpage": size,
                       **call.counted(total=str(call.items)), "photo": photos}, "stat": "ok"}


@convention(
    "last-fm", "https://www.last.fm/api/show/user.getRecentTracks",
    "page from 1, limit 50; recenttracks.track, and @attr with page, perPage, totalPages, total, all as text")
def last_fm(call):
    size, page = call.size("limit", 50, 200), call.number("page", 1, 1)
    tracks = [{"artist": {"#text": "A"}, "name": text(n), "image": [{"size": "small", "#text": ""}]}
              for n in call.page((page - 1) * size, size, {"error": 6, "message": "no such page"})]
    return {"recenttracks": {"track": tracks, "@attr": {
        "user": "ann", "page": str(page), "perPage": str(size),
        **call.counted(totalPages=str(call.pages(size)), total=str(call.items))}}}


@convention(
    "ghost", "https://docs.ghost.org/content-api/pagination",
    "meta.pagination {page, limit, pages, total, next, prev}, of which next is a page's number, null at the end; limit 15")
def ghost(call):
    size, page = call.size("limit", 15), call.number("page", 1, 1)
    start = (page - 1) * size
    return {"posts": [{"id": f"5b{n:022}", "title": text(n), "tags": []}
                      for n in call.page(start, size, {"errors": [{"type": "NotFoundError"}]})],
            "meta": {"pagination": {
                "page": page, "limit": size, **call.counted(pages=call.pages(size), total=call.items),
                "next": page + 1 if call.more(start, size) else None, "prev": page - 1 if page > 1 else None}}}


@convention(
    "strapi", "https://docs.strapi.io/cms/api/rest/sort-pagination",
    "pagination[page] from 1, pagination[pageSize] 25; data, meta.pagination {page, pageSize, pageCount, total}")
def strapi(call):
    size, page = call.size("pagination[pageSize]", 25), call.number("pagination[page]", 1, 1)
    pagination = {"page": page, "pageSize": size, **call.counted(pageCount=call.pages(size), total=call.items)}
    return {"data": [{"id": n, "documentId": f"d{n}", "Name": text(n)}
                     for n in call.page((page - 1) * size, size, {"data": None, "error": {"status": 404}})],
            "meta": {"pagination": pagination}}


@convention(
    "twilio", "https://www.twilio.com/docs/usage/twilios-response#pagination",
    "next_page_uri, a path with Page from 0 and PageToken, null at the end; calls; page, page_size; PageSize 50")
def twilio(call):
    size, page = call.size("PageSize", 50, 1000), call.number("Page", 0)
    start = page * size
    if page and "PageToken" not in call.query:
        raise Refusal(400, {"code": 20001, "message": "Page number out of range", "status": 400})
    at = lambda number, **more: call.relative(call.url(PageSize=size, Page=number, **more))
    return {"first_page_uri": at(0), "end": min(start + size, call.items) - 1,
            "next_page_uri": at(page + 1, PageToken=f"PACA{page + 1}") if call.more(start, size) else None,
            "previous_page_uri": None, "page": page, "page_size": size, "start": start, "uri": at(page),
            "calls": [{"sid": f"CA{n:030}", "from_formatted": text(n), "subresource_uris": {"recordings": "/r.json"}}
                      for n in call.page(start, size, {"code": 20404, "status": 404})]}


@convention(
    "twitch", "https://dev.twitch.tv/docs/api/guide/#pagination",
    "pagination.cursor, sent as after; pagination is an empty object at the end; data; first 20, at most 100")
def twitch(call):
    start, size = 0, call.size("first", 20)
    if "after" in call.query:
        start = position(call.query["after"], Refusal(400, {"error": "Bad Request", "status": 400}))
    return {"data": [{"id": str(40_000 + n), "title": text(n), "tag_ids": []} for n in call.page(start, size)],
            "pagination": {"cursor": token(start + size)} if call.more(start, size) else {}}


@convention(
    "pagerduty", "https://developer.pagerduty.com/docs/pagination",
    "offset, limit 25, at most 100; incidents, more, and total, which is null unless total=true asks for it")
def pagerduty(call):
    start, size = call.number("offset", 0), call.size("limit", 25)
    if start + size > 10_000:
        raise Refusal(400, {"error": {"message": "Invalid Input Provided", "code": 2001}})
    total = call.items if call.query.get("total") == "true" and call.settings.total != "hidden" else None
    return {"incidents": [{"id": f"P{n:06}", "summary": text(n), "assignments": []}
                          for n in call.page(start, size, {"error": {"code": 2100}})],
            "limit": size, "offset": start, "total": total, "more": call.more(start, size)}


@convention(
    "eventbrite", "https://www.eventbrite.com/platform/docs/paginated-responses",
    "pagination {object_count, page_number, page_size, page_count, continuation, has_more_items}; continuation leads on")
def eventbrite(call):
    start, size = 0, call.capped(50)
    if "continuation" in call.query:
        start = position(call.query["continuation"], Refusal(400, {"error": "BAD_CONTINUATION_TOKEN"}))
    goes_on = call.more(start, size)
    pagination = {**call.counted(object_count=call.items), "page_number": start // size + 1, "page_size": size,
                  **call.counted(page_count=call.pages(size)), "has_more_items": goes_on}
    if goes_on:
        pagination["continuation"] = token(start + size)
    return {"locale": "en_US", "pagination": pagination,
            "events": [{"id": str(n), "name": {"text": text(n)}} for n in call.page(start, size)]}


@convention(
    "opendatasoft", "https://help.opendatasoft.com/apis/ods-explore-v2/",
    "offset, limit 10, at most 100; total_count, results, whose columns are the data's: here id, which repeats")
def opendatasoft(call):
    if call.number("limit", 10) > 100:
        raise Refusal(400, {"error_code": "InvalidRESTParameterError", "message": "Invalid value for limit"})
    start, size = call.number("offset", 0), call.size("limit", 10)
    return {**call.counted(total_count=call.items),
            "results": [{"id": f"station-{n % 7}", "measured": text(n)}
                        for n in call.page(start, size, {"error_code": "NotFound"})]}


@convention(
    "coinbase-exchange", "https://docs.cdp.coinbase.com/exchange/rest-api/pagination",
    "CB-AFTER header, sent as after, there on every page with items; arrays, newest first; limit 1,000")
def coinbase_exchange(call):
    top, size = 9000 + call.items, call.size("limit", 1000, 1000)
    after = call.number("after", top + 1)
    start = max(0, top + 1 - after)
    trades = [{"trade_id": top + 1 - n, "price": "101.50", "client_oid": text(n)} for n in call.page(start, size)]
    cursors = {"CB-BEFORE": str(trades[0]["trade_id"]), "CB-AFTER": str(trades[-1]["trade_id"])} if trades else {}
    return Reply(trades, cursors)
