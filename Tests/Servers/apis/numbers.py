"""APIs that count pages, and say in the body where they are."""

from . import convention
from .call import Refusal, Reply, text


@convention(
    "spring", "https://docs.spring.io/spring-data/commons/reference/repositories/core-extensions.html",
    "page from 0, size 20; content, number, last, totalPages; without totals it is a Slice")
def spring(call):
    size, page = call.size("size", 20, 2000), call.number("page", 0)
    start = page * size
    books = [{"id": n, "title": f"Book {text(n)}", "authors": []} for n in call.page(start, size)]
    sort = {"empty": True, "sorted": False, "unsorted": True}
    return {
        "content": books,
        "pageable": {"pageNumber": page, "pageSize": size, "sort": sort, "offset": start, "paged": True, "unpaged": False},
        **call.counted(totalPages=call.pages(size), totalElements=call.items), "last": not call.more(start, size),
        "size": size, "number": page, "sort": sort, "numberOfElements": len(books), "first": page == 0,
        "empty": not books}


def laravel_page(call):
    """What both shapes of a Laravel page are made of."""
    size, page = call.capped(15), call.number("page", 1, 1)
    start, last = (page - 1) * size, max(call.pages(size), 1)
    orders = [{"id": n, "reference": text(n), "lines": [{"sku": "A1"}]} for n in call.page(start, size, {"message": ""})]
    address = lambda number: call.url(page=number)
    labels = [{"url": address(n), "label": str(n), "active": n == page} for n in range(1, last + 1)]
    follows = address(page + 1) if call.more(start, size) else None
    precedes = address(page - 1) if page > 1 else None
    return size, page, start, last, orders, address, labels, follows, precedes


@convention(
    "laravel", "https://laravel.com/docs/12.x/pagination#converting-results-to-json",
    "current_page, last_page, next_page_url (null at the end), per_page 15, and a list of links; simplePaginate has no totals")
def laravel(call):
    size, page, start, last, orders, address, labels, follows, precedes = laravel_page(call)
    return {
        "current_page": page, "data": orders, "first_page_url": address(1), "from": start + 1 if orders else None,
        **call.counted(last_page=last, last_page_url=address(last), links=labels), "next_page_url": follows,
        "path": call.address(call.path), "per_page": size, "prev_page_url": precedes,
        "to": start + len(orders) if orders else None, **call.counted(total=call.items)}


@convention(
    "laravel-resource", "https://laravel.com/docs/12.x/eloquent-resources#pagination",
    "data, links (first, last, prev, next) and meta (current_page, last_page, total, and a list of links)")
def laravel_resource(call):
    size, page, start, last, orders, address, labels, follows, precedes = laravel_page(call)
    return {
        "data": orders,
        "links": {"first": address(1), **call.counted(last=address(last)), "prev": precedes, "next": follows},
        "meta": {"current_page": page, "from": start + 1, **call.counted(last_page=last, links=labels),
                 "path": call.address(call.path), "per_page": size, "to": start + len(orders),
                 **call.counted(total=call.items)}}


@convention(
    "rest-framework-page", "https://www.django-rest-framework.org/api-guide/pagination/#pagenumberpagination",
    "count, next, previous, results; a page past the end is 404 Invalid page.")
def rest_framework_page(call):
    size, page = call.size("page_size", 20), call.number("page", 1)
    start = (page - 1) * size
    if page == 0 or start and start >= call.items and call.settings.end != "empty":
        raise Refusal(404, {"detail": "Invalid page."})
    return {
        **call.counted(count=call.items), "next": call.url(page=page + 1) if call.more(start, size) else None,
        "previous": call.url(page=page - 1) if page > 1 else None,
        "results": [{"url": call.address(f"users/{n}/"), "username": text(n), "groups": []}
                    for n in call.page(start, size)]}


@convention(
    "world-bank", "https://datahelpdesk.worldbank.org/knowledgebase/articles/898581-api-basic-call-structures",
    "an array of two: [{page, pages, per_page (text), total}, rows]; per_page 50; rows have no id of their own")
def world_bank(call):
    size, page = call.size("per_page", 50, 32_500), call.number("page", 1, 1)
    rows = [
        {"indicator": {"id": "SP.POP.TOTL", "value": "Population, total"}, "country": {"id": "BR", "value": "Brazil"},
         "countryiso3code": "BRA", "date": str(2100 - n), "value": 200_000_000 + n, "obs_status": text(n)}
        for n in call.page((page - 1) * size, size, [{"message": [{"id": "120", "key": "Invalid value"}]}])]
    if not call.items:
        return [{"page": 0, "pages": 0, "per_page": 0, "total": 0, "sourceid": None, "lastupdated": None}, None]
    return [{"page": page, **call.counted(pages=call.pages(size)), "per_page": str(size),
             **call.counted(total=call.items), "sourceid": "2", "lastupdated": "2026-10-07"}, rows]


@convention(
    "algolia", "https://www.algolia.com/doc/rest-api/search/",
    "page from 0, hitsPerPage 20; hits, nbHits, nbPages; an unknown parameter is a 400")
def algolia(call):
    call.only("page", "hitsPerPage", "query", refusal=lambda name: Refusal(
        400, {"message": f"Unknown parameter: {name}", "status": 400}))
    size, page = call.size("hitsPerPage", 20, 1000), call.number("page", 0)
    hits = [{"objectID": f"p{n}", "name": text(n), "_highlightResult": {"name": {"matchedWords": []}}}
            for n in call.page(page * size, size, {"message": "Not found", "status": 404})]
    return {"hits": hits, **call.counted(nbHits=call.items), "page": page, **call.counted(nbPages=call.pages(size)),
            "hitsPerPage": size, "exhaustiveNbHits": True, "query": "", "params": "", "processingTimeMS": 1}


@convention(
    "tmdb", "https://developer.themoviedb.org/reference/discover-movie",
    "page from 1 to 500, pages of 20; results, total_pages, total_results")
def tmdb(call):
    page, size = call.number("page", 1, 1), call.capped(20)
    if page > 500:
        raise Refusal(400, {"status_code": 22, "status_message": "Invalid page: Pages start at 1 and max at 500."})
    return {"page": page, "results": [{"id": 9000 - n, "genre_ids": [18], "title": text(n)}
                                      for n in call.page((page - 1) * size, size, {"status_code": 34})],
            **call.counted(total_pages=call.pages(size), total_results=call.items)}


@convention(
    "stack-exchange", "https://api.stackexchange.com/docs/paging",
    "page from 1, pagesize 30, at most 100; items and has_more, no total")
def stack_exchange(call):
    size, page = call.size("pagesize", 30), call.number("page", 1, 1)
    start = (page - 1) * size
    questions = [{"tags": ["lua"], "question_id": 70_000 + n, "title": text(n)}
                 for n in call.page(start, size, {"error_id": 404, "error_name": "no_method"})]
    return {"items": questions, "has_more": call.more(start, size), "quota_max": 300, "quota_remaining": 271}


@convention(
    "discourse", "https://docs.discourse.org/#tag/Topics/operation/listLatestTopics",
    "more_topics_url in topic_list, relative and without .json, which is a page for people unless Accept asks for JSON")
def discourse(call):
    if not call.path.endswith(".json") and "json" not in call.headers.get("Accept", ""):
        return Reply("<!DOCTYPE html><html><body>Latest topics</body></html>", kind="text/html; charset=utf-8")
    size, page = call.capped(30), call.number("page", 0)
    topics = [{"id": 8000 - n, "title": text(n), "slug": text(n)[:2], "posters": [{"user_id": 1}]}
              for n in call.page(page * size, size, {"errors": ["not found"], "error_type": "not_found"})]
    more = {"more_topics_url": f"/latest?no_definitions=true&page={page + 1}"} if call.more(page * size, size) else {}
    if more:
        more["more_topics_url"] = call.relative(call.address("latest", {"no_definitions": "true", "page": page + 1}))
    return {"users": call.decoys(lambda n: {"id": n, "username": "ann"}), "primary_groups": [], "flair_groups": [],
            "topic_list": {"can_create_topic": False, **more, "per_page": size, "top_tags": ["a"], "topics": topics}}


@convention(
    "discogs", "https://www.discogs.com/developers/#page:home,header:home-pagination",
    "pagination with page, pages, per_page, items (the total, a number) and urls.next; per_page 50, at most 100")
def discogs(call):
    size, page = call.size("per_page", 50), call.number("page", 1, 1)
    start = (page - 1) * size
    if start and start >= call.items and call.settings.end != "empty":
        raise Refusal(404, {"message": f"Page {page} is past the end."})
    urls = {"next": call.url(page=page + 1, per_page=size)} if call.more(start, size) else {}
    if page > 1:
        urls["prev"] = call.url(page=page - 1, per_page=size)
    releases = [{"id": 300 + n, "title": text(n), "format": ["LP"]} for n in call.page(start, size)]
    return {"pagination": {"page": page, **call.counted(pages=call.pages(size), items=call.items), "per_page": size,
                           "urls": urls}, "releases": releases}


@convention(
    "openalex-page", "https://docs.openalex.org/how-to-use-the-api/get-lists-of-entities/paging",
    "page from 1, per-page 25, at most 200; meta.count; no cursor unless one is asked for")
def openalex_page(call):
    size, page = call.size("per-page", 25, 200), call.number("page", 1, 1)
    works = [{"id": f"W{4_000_000 + n}", "title": text(n), "authorships": []}
             for n in call.page((page - 1) * size, size)]
    return {"meta": {**call.counted(count=call.items), "db_response_time_ms": 9, "page": page, "per_page": size,
                     "groups_count": None}, "results": works, "group_by": []}
