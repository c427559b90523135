"""APIs whose body holds the next page's address."""

from . import convention
from .call import Refusal, position, text, token


@convention(
    "rest-framework-limit", "https://www.django-rest-framework.org/api-guide/pagination/#limitoffsetpagination",
    "limit, offset; count, next, previous, results; null at the ends; past the end an empty list")
def rest_framework_limit(call):
    start, size = call.number("offset", 0), call.size("limit", 20, 1000)
    return {
        **call.counted(count=call.items),
        "next": call.url(limit=size, offset=start + size) if call.more(start, size) else None,
        "previous": call.url(limit=size, offset=max(start - size, 0)) if start else None,
        "results": [{"name": text(n), "url": call.address(f"api/v2/things/{n}/")}
                    for n in call.page(start, size, {"detail": "Not found."})]}


@convention(
    "pokeapi", "https://pokeapi.co/docs/v2#resource-listspagination-section",
    "limit 20, offset; count, next, previous, results of name and url alone")
def pokeapi(call):
    return rest_framework_limit(call)


@convention(
    "rest-framework-cursor", "https://www.django-rest-framework.org/api-guide/pagination/#cursorpagination",
    "next and previous with an opaque cursor, null at the ends; results; no count")
def rest_framework_cursor(call):
    start = 0
    if "cursor" in call.query:
        start = position(call.query["cursor"], Refusal(404, {"detail": "Invalid cursor"}))
    size = call.capped(20)
    return {"next": call.url(cursor=token(start + size)) if call.more(start, size) else None,
            "previous": call.url(cursor=token(max(start - size, 0))) if start else None,
            "results": [{"id": n, "created": text(n)} for n in call.page(start, size)]}


@convention(
    "microsoft-graph", "https://learn.microsoft.com/en-us/graph/paging",
    "@odata.nextLink, a whole address with $skiptoken, absent at the end; value; @odata.count when asked; $top 10")
def microsoft_graph(call):
    start = 0
    if "$skiptoken" in call.query:
        start = position(call.query["$skiptoken"], Refusal(400, {"error": {"code": "BadRequest"}}))
    size = call.size("$top", 10, 1000)
    follows = {"@odata.nextLink": call.url(**{"$skiptoken": token(start + size)})} if call.more(start, size) else {}
    count = call.counted(**{"@odata.count": call.items}) if call.query.get("$count") == "true" else {}
    return {"@odata.context": call.address("v1.0/$metadata#users"), **count, **follows,
            "value": [{"businessPhones": [], "displayName": text(n), "id": f"6e{n:010}"}
                      for n in call.page(start, size, {"error": {"code": "Request_ResourceNotFound"}})]}


@convention(
    "confluence", "https://developer.atlassian.com/server/confluence/pagination-in-the-rest-api/",
    "_links.next, relative to _links.base and not to the host; start, limit 25; size is the page's, not the list's")
def confluence(call):
    start, size = call.number("start", 0), call.size("limit", 25, 200)
    pages = [{"id": str(n + 500), "type": "page", "title": text(n)} for n in call.page(start, size, {"statusCode": 404})]
    query = {"limit": size, "start": start + size}
    follows = call.address("rest/api/content", query)[len(call.root):] if call.more(start, size) else None
    links = {"base": call.address("wiki"), "context": "/wiki", "self": call.url()}
    return {"results": pages, "start": start, "limit": size, "size": len(pages),
            "_links": links | ({"next": follows} if follows else {})}


@convention(
    "salesforce", "https://developer.salesforce.com/docs/atlas.en-us.api_rest.meta/api_rest/resources_query_more_results.htm",
    "nextRecordsUrl, a path with a locator, absent at the end; done; totalSize; records")
def salesforce(call):
    locator = call.path.rpartition("/")[2]
    start = int(locator.partition("-")[2]) if locator.startswith("01g") else 0
    size = call.capped(20)
    records = [{"attributes": {"type": "Contact", "url": f"/services/data/v63.0/sobjects/Contact/003{n:012}"},
                "Id": f"003{n:012}", "Name": text(n)}
               for n in call.page(start, size, [{"errorCode": "INVALID_QUERY_LOCATOR"}])]
    goes_on = call.more(start, size)
    follows = {}
    if goes_on:
        path = f"services/data/v63.0/query/01gRO0000016PIAYA2-{start + size}"
        follows["nextRecordsUrl"] = call.relative(call.address(path))
    return {**call.counted(totalSize=call.items), "done": not goes_on, **follows, "records": records}


@convention(
    "zendesk", "https://developer.zendesk.com/api-reference/introduction/pagination/#using-offset-pagination",
    "next_page and previous_page, null at the ends; count; page, per_page 100")
def zendesk(call):
    size, page = call.size("per_page", 100), call.number("page", 1, 1)
    start = (page - 1) * size
    return {"tickets": [{"id": n, "subject": text(n), "tags": [], "custom_fields": []}
                        for n in call.page(start, size, {"error": "RecordNotFound"})],
            "next_page": call.url(page=page + 1) if call.more(start, size) else None,
            "previous_page": call.url(page=page - 1) if page > 1 else None, **call.counted(count=call.items)}


@convention(
    "intercom-pages", "https://developers.intercom.com/docs/references/2.2/rest-api/common-structures/pagination-sorting",
    "pages.next is an address, null at the end; page, per_page 15; total_count, pages.total_pages")
def intercom_pages(call):
    size, page = call.size("per_page", 15, 60), call.number("page", 1, 1)
    start = (page - 1) * size
    return {"type": "list",
            "data": [{"type": "company", "id": f"c{n}", "name": text(n), "tags": {"type": "tag.list", "tags": []}}
                     for n in call.page(start, size, {"type": "error.list", "errors": []})],
            "pages": {"type": "pages", "next": call.url(page=page + 1, per_page=size) if call.more(start, size) else None,
                      "page": page, "per_page": size, **call.counted(total_pages=call.pages(size))},
            **call.counted(total_count=call.items)}


@convention(
    "bitbucket", "https://developer.atlassian.com/cloud/bitbucket/rest/intro/#pagination",
    "next, a whole address, absent at the end; values; size, page and pagelen, of which size is the total and optional")
def bitbucket(call):
    size, page = call.size("pagelen", 10), call.number("page", 1, 1)
    start = (page - 1) * size
    follows = {"next": call.url(page=page + 1)} if call.more(start, size) else {}
    return {"values": [{"type": "repository", "slug": text(n), "links": {"clone": [{"name": "https"}]}}
                       for n in call.page(start, size, {"type": "error"})],
            "pagelen": size, **call.counted(size=call.items), "page": page, **follows}


@convention(
    "hal", "https://docs.spring.io/spring-data/rest/reference/paging-and-sorting.html",
    "_links.next.href, absent at the end; _embedded.NAME; page with number from 0, totalElements, totalPages; size 20")
def hal(call):
    size, page = call.size("size", 20, 1000), call.number("page", 0)
    at = lambda number: {"href": call.url(page=number, size=size)}
    links = {"first": at(0), "self": {"href": call.url()}, "profile": {"href": call.address("profile/people")}}
    if call.more(page * size, size):
        links["next"] = at(page + 1)
    people = [{"name": text(n), "_links": {"self": {"href": call.address(f"people/{n}")}}}
              for n in call.page(page * size, size)]
    return {"_embedded": {"people": people}, "_links": links,
            "page": {"size": size, **call.counted(totalElements=call.items, totalPages=call.pages(size)), "number": page}}


@convention(
    "json-api", "https://jsonapi.org/format/#fetching-pagination",
    "links.next, null at the end; page[number] from 1, page[size] 20; data, and included, a list too; meta.total")
def json_api(call):
    size, page = call.size("page[size]", 20), call.number("page[number]", 1, 1)
    start = (page - 1) * size
    at = lambda number: call.url(**{"page[number]": number, "page[size]": size})
    return {"links": {"self": call.url(), "first": at(1), "prev": at(page - 1) if page > 1 else None,
                      "next": at(page + 1) if call.more(start, size) else None,
                      **call.counted(last=at(max(call.pages(size), 1)))},
            "included": call.decoys(lambda n: {"type": "people", "id": str(n), "attributes": {"name": "Ann"}}),
            "data": [{"type": "articles", "id": str(n), "attributes": {"title": text(n)},
                      "links": {"self": call.address(f"articles/{n}")}}
                     for n in call.page(start, size, {"errors": [{"status": "404"}]})],
            "meta": call.counted(total=call.items)}


@convention(
    "fhir", "https://hl7.org/fhir/R4/http.html#paging",
    "link [{relation, url}], of which one is next; entry[].resource, absent when there is none; total; _count 20")
def fhir(call):
    size = call.size("_count", 20, 1000)
    start = position(call.query["_getpages"], Refusal(410, {})) if "_getpages" in call.query else 0
    entries = [{"fullUrl": call.address(f"Patient/{n}"), "search": {"mode": "match"},
                "resource": {"resourceType": "Patient", "id": str(n), "name": [{"family": text(n), "given": ["A"]}]}}
               for n in call.page(start, size, {"resourceType": "OperationOutcome", "issue": []})]
    links = [{"relation": "self", "url": call.url()}]
    if call.more(start, size):
        links.append({"relation": "next", "url": call.address("fhir", {"_getpages": token(start + size), "_count": size})})
    return {"resourceType": "Bundle", "id": "b1", "type": "searchset", **call.counted(total=call.items), "link": links,
            **({"entry": entries} if entries else {})}


@convention(
    "spotify", "https://developer.spotify.com/documentation/web-api/concepts/api-calls",
    "albums with next, an address, null at the end; offset, limit 20, at most 50; total")
def spotify(call):
    start, size = call.number("offset", 0), call.size("limit", 20, 50)
    at = lambda offset: call.url(offset=offset, limit=size)
    return {"albums": {
        "href": call.url(), "limit": size, "next": at(start + size) if call.more(start, size) else None,
        "offset": start, "previous": at(max(start - size, 0)) if start else None, **call.counted(total=call.items),
        "items": [{"artists": [{"id": "a1"}], "available_markets": ["DE"], "id": f"s{n}", "name": text(n)}
                  for n in call.page(start, size, {"error": {"status": 404}})]}}
