"""APIs that tell the way on in headers; the body is the list, or little more."""

from . import convention
from .call import Refusal, Reply, links, position, text, token


def numbered(call, page, size, **extra):
    """The four links of a list with page numbers."""
    start, last = (page - 1) * size, call.pages(size)
    known = call.settings.total != "hidden"
    return links(
        prev=call.url(page=page - 1, **extra) if page > 1 else None,
        next=call.url(page=page + 1, **extra) if call.more(start, size) else None,
        last=call.url(page=last, **extra) if known and last > page else None,
        first=call.url(page=1, **extra) if page > 1 else None)


@convention(
    "github", "https://docs.github.com/en/rest/using-the-rest-api/using-pagination-in-the-rest-api",
    "Link header; page from 1, per_page 30, at most 100; past the end an empty array")
def github(call):
    size, page = call.size("per_page", 30), call.number("page", 1, 1)
    numbers = call.page((page - 1) * size, size, {"message": "Not Found", "status": "404"})
    issues = [
        {"id": 90_000 + n, "number": n, "title": f"Issue {text(n)}", "labels": [{"id": 1, "name": "bug"}],
         "user": {"id": 7, "login": "octo"}, "state": "open"} for n in numbers]
    return Reply(issues, numbered(call, page, size))


@convention(
    "github-search", "https://docs.github.com/en/rest/search/search#about-search",
    "the same with total_count and items in the body, of which only the first 1,000 can be had (here two pages)")
def github_search(call):
    size, page = call.size("per_page", 30), call.number("page", 1, 1)
    start, window = (page - 1) * size, 2 * size
    if start >= window:
        raise Refusal(422, {"message": "Only the first 1000 search results are available", "status": "422"})
    items = [{"id": 90_000 + n, "title": f"Issue {text(n)}", "labels": [], "score": 1.0} for n in call.page(start, size)]
    last = min(call.pages(size), 2)
    return Reply({"total_count": call.items, "incomplete_results": False, "items": items}, links(
        prev=call.url(page=page - 1) if page > 1 else None,
        next=call.url(page=page + 1) if page < last else None, last=call.url(page=last) if page < last else None))


@convention(
    "gitlab", "https://docs.gitlab.com/api/rest/#pagination",
    "X-Next-Page (empty at the end), X-Total and X-Total-Pages unless there are many, and Link; per_page 20, at most 100")
def gitlab(call):
    size, page = call.size("per_page", 20), call.number("page", 1, 1)
    start = (page - 1) * size
    numbers = call.page(start, size, {"error": "404 Not Found"})
    headers = {
        "X-Page": str(page), "X-Per-Page": str(size), "X-Prev-Page": str(page - 1) if page > 1 else "",
        "X-Next-Page": str(page + 1) if call.more(start, size) else ""}
    headers |= call.counted(**{"X-Total": str(call.items), "X-Total-Pages": str(call.pages(size))})
    issues = [{"id": 76 + n, "iid": n, "title": f"Issue {text(n)}", "labels": [], "assignees": []} for n in numbers]
    return Reply(issues, headers | numbered(call, page, size, per_page=size))


@convention(
    "gitlab-headers", "https://docs.gitlab.com/api/rest/#other-pagination-headers",
    "the same behind a proxy that drops Link: X-Next-Page alone leads on")
def gitlab_headers(call):
    reply = gitlab(call)
    reply.headers.pop("Link", None)
    return reply


@convention(
    "wordpress", "https://developer.wordpress.org/rest-api/using-the-rest-api/pagination/",
    "X-WP-Total, X-WP-TotalPages and Link; per_page 10, more than 100 is a 400, and so is a page past the end")
def wordpress(call):
    if call.number("per_page", 10) > 100:
        raise Refusal(400, {
            "code": "rest_invalid_param", "message": "Invalid parameter(s): per_page",
            "data": {"status": 400, "params": {"per_page": "per_page must be between 1 and 100"}}})
    size, page = call.size("per_page", 10), call.number("page", 1, 1)
    start = (page - 1) * size + call.number("offset", 0) * ("page" not in call.query)
    numbers = call.page(start, size, {"code": "rest_no_route", "message": "No route", "data": {"status": 404}})
    if start and not numbers and call.settings.end != "empty":
        raise Refusal(400, {
            "code": "rest_post_invalid_page_number", "data": {"status": 400},
            "message": "The page number requested is larger than the number of pages available."})
    posts = [
        {"id": n + 10, "title": {"rendered": f"Post {text(n)}"}, "categories": [1], "tags": [],
         "_links": {"self": [{"href": call.address(f"wp-json/wp/v2/posts/{n + 10}")}]}} for n in numbers]
    headers = call.counted(**{"X-WP-Total": str(call.items), "X-WP-TotalPages": str(call.pages(size))})
    return Reply(posts, headers | links(
        prev=call.url(page=page - 1) if page > 1 else None,
        next=call.url(page=page + 1) if call.more(start, size) else None))


@convention(
    "shopify", "https://shopify.dev/docs/api/admin-rest/usage/pagination",
    "Link with page_info, beside which only limit and fields are allowed; limit 50, at most 250; page is a 400")
def shopify(call):
    refusal = Refusal(400, {"errors": {"page_info": "Invalid value."}})
    if "page" in call.query:
        raise Refusal(400, {"errors": {"page": "page cannot be passed. See the documentation of pagination."}})
    start = 0
    if "page_info" in call.query:
        call.only("page_info", "limit", "fields", refusal=lambda name: refusal)
        start = position(call.query["page_info"], refusal)
    size = call.size("limit", 50, 250)
    products = [
        {"id": 632_910_392 + n, "title": f"Product {text(n)}", "variants": [{"id": n, "price": "9.00"}], "options": []}
        for n in call.page(start, size, {"errors": "Not Found"})]
    end = start + size
    address = lambda at: call.address(call.path, {"limit": size, "page_info": token(at)})
    return Reply({"products": products}, links(
        previous=address(max(start - size, 0)) if start else None,
        next=address(end) if call.more(start, size) else None))


@convention(
    "okta", "https://developer.okta.com/docs/api/#link-header",
    "several Link lines, rel=self before rel=next; after is an opaque cursor; limit 200")
def okta(call):
    start = position(call.query["after"], Refusal(400, {"errorCode": "E0000031"})) if "after" in call.query else 0
    size = call.size("limit", 200, 200)
    users = [
        {"id": f"00u{n:010}", "status": "ACTIVE", "profile": {"login": f"{text(n)}@example.com"}}
        for n in call.page(start, size)]
    lines = [f'<{call.url()}>; rel="self"']
    if call.more(start, size):
        lines.append(f'<{call.url(after=token(start + size), limit=size)}>; rel="next"')
    return Reply(users, {"Link": lines})


@convention(
    "mastodon", "https://docs.joinmastodon.org/api/guidelines/#pagination",
    "Link with max_id, newest first; rel=next whenever a page is full, so that the last may be empty; limit 20, at most 40")
def mastodon(call):
    size, most = call.size("limit", 20, 40), call.number("max_id", 10**9)
    start = max(0, min(call.items, 5000 + call.items - most)) if "max_id" in call.query else 0
    numbers = call.page(start, size, {"error": "Record not found"})
    statuses = [
        {"id": str(5000 + call.items - n), "content": f"<p>{text(n)}</p>", "media_attachments": [], "tags": []}
        for n in numbers]
    goes_on = call.more(start, size) if call.settings.end == "empty" else len(numbers) == size
    address = lambda **at: call.address(call.path, {"limit": size} | at)
    return Reply(statuses, links(
        next=address(max_id=statuses[-1]["id"]) if statuses and goes_on else None,
        prev=address(min_id=statuses[0]["id"]) if statuses else None))


@convention(
    "postgrest", "https://docs.postgrest.org/en/stable/references/api/pagination_count.html",
    "Content-Range 0-19/*; limit and offset; the server may have a largest page; the total, exact or planned, when Prefer asks")
def postgrest(call):
    for name, value in call.query.items():
        if name not in ("limit", "offset", "select", "order") and "." not in value:
            raise Refusal(400, {
                "code": "PGRST100", "details": "unexpected end of input", "hint": None,
                "message": f'"failed to parse filter ({value})" (line 1, column 1)'})
    start, size = call.number("offset", 0), call.size("limit", 20, 20)
    numbers = call.page(start, size, {"code": "PGRST125", "message": "Invalid path"})
    preference = call.headers.get("Prefer", "") if call.settings.total != "hidden" else ""
    is_counted = "count=exact" in preference
    total = str(call.items) if is_counted else str(call.items * 2 // 3) if "count=planned" in preference else "*"
    if is_counted and start and not numbers:
        raise Refusal(416, {
            "code": "PGRST103", "hint": None, "message": "Requested range not satisfiable",
            "details": f"An offset of {start} was requested, but there are only {call.items} rows."})
    reached = f"{start}-{start + len(numbers) - 1}" if numbers else "*"
    is_part = is_counted and len(numbers) < call.items
    people = [{"id": n, "name": f"Person {text(n)}"} for n in numbers]
    return Reply(people, {"Content-Range": f"{reached}/{total}", "Range-Unit": "items"}, 206 if is_part else 200)


@convention(
    "json-server", "https://github.com/typicode/json-server/tree/v0.17.4#paginate",
    "_page, _limit 10, X-Total-Count and Link; any other name filters the items")
def json_server(call):
    unknown = [name for name in call.query if not name.startswith("_")]
    count = 0 if unknown else call.items
    size = call.size("_limit", 10, 10**6)
    page = call.number("_page", 1, 1)
    start = (page - 1) * size if "_page" in call.query else call.number("_start", 0)
    if not {"_page", "_start", "_limit"} & set(call.query):
        size = max(count, 1)
    numbers = call.page(start, size, {}) if count else range(0)
    headers = {} if "_page" not in call.query else numbered_links(call, page, size)
    posts = [{"id": n, "title": f"Post {text(n)}", "tags": ["a"]} for n in numbers]
    return Reply(posts, headers | call.counted(**{"X-Total-Count": str(count)}))


def numbered_links(call, page, size):
    """json-server's links, first to last."""
    last = max(call.pages(size), 1)
    return links(
        first=call.url(_page=1), prev=call.url(_page=page - 1) if page > 1 else None,
        next=call.url(_page=page + 1) if call.more((page - 1) * size, size) else None,
        last=call.url(_page=last) if call.settings.total != "hidden" else None)


@convention(
    "kinto", "https://docs.kinto-storage.org/en/stable/api/1.x/pagination.html",
    "Next-Page header with the whole address and _token; _limit; no total; any name without _ filters the records")
def kinto(call):
    refusal = Refusal(400, {"code": 400, "errno": 107, "error": "Invalid parameters"})
    start = position(call.query["_token"], refusal) if "_token" in call.query else 0
    if not call.query.get("_limit", "1").isdigit():
        raise refusal
    if any(not name.startswith("_") for name in call.query):
        return {"data": []}
    size = call.size("_limit", 20, 10**6)
    records = [{"id": f"{n:08x}-0000-4000-8000-00000000abcd", "last_modified": 10**12 - n, "label": text(n)}
               for n in call.page(start, size, {"code": 404, "errno": 111})]
    more = call.more(start, size)
    return Reply({"data": records}, {"Next-Page": call.url(_limit=size, _token=token(start + size))} if more else {})


@convention(
    "heroku", "https://devcenter.heroku.com/articles/platform-api-reference#ranges",
    "206 Partial Content with Next-Range, which is sent back as the header Range; nothing in the address leads on")
def heroku(call):
    asked = call.headers.get("Range", "")
    start = position(asked.split("]")[1].split("..")[0], Refusal(400, {"id": "bad_request"})) if "]" in asked else 0
    size = call.capped(20)
    apps = [{"id": f"{n:08x}-1111-4111-8111-111111111111", "name": text(n), "region": {"name": "us"}}
            for n in call.page(start, size)]
    goes_on = call.more(start, size)
    headers = {"Accept-Ranges": "id, name, updated_at", "Content-Range": f"id {start}..{start + len(apps)}"}
    if goes_on:
        headers["Next-Range"] = f"id ]{token(start + size)}..; max={size}"
    return Reply(apps, headers, 206 if goes_on else 200)


@convention(
    "azure-devops", "https://learn.microsoft.com/en-us/rest/api/azure/devops/build/builds/list",
    "x-ms-continuationtoken header, sent as continuationToken; count is the page's, not the list's; $top")
def azure_devops(call):
    start = 0
    if "continuationToken" in call.query:
        start = position(call.query["continuationToken"], Refusal(400, {"message": "The token is invalid."}))
    size = call.size("$top", 20, 5000)
    builds = [{"id": n, "buildNumber": f"20261122.{text(n)}", "tags": []} for n in call.page(start, size)]
    headers = {"x-ms-continuationtoken": token(start + size)} if call.more(start, size) else {}
    return Reply({"count": len(builds), "value": builds}, headers)
