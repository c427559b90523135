"""APIs that count items: an offset, and how many."""

from . import convention
from .call import Refusal, text


@convention(
    "odata", "https://docs.oasis-open.org/odata/odata/v4.01/odata-v4.01-part1-protocol.html",
    "$skip and $top; value, and @odata.count where $count=true asks for it; nothing leads on")
def odata(call):
    for name in call.query:
        if name.startswith("$") and name not in ("$skip", "$top", "$count", "$orderby"):
            raise Refusal(400, {"error": {"code": "", "message": f"The query option '{name}' is not supported."}})
    start, size = call.number("$skip", 0), call.size("$top", call.items or 1, 10**6)
    value = [{"ID": n, "Name": text(n)} for n in call.page(start, size, {"error": {"code": "404"}})]
    count = call.counted(**{"@odata.count": call.items}) if call.query.get("$count") == "true" else {}
    return {"@odata.context": call.address("$metadata#Products"), **count, "value": value}


@convention(
    "jira", "https://developer.atlassian.com/server/jira/platform/rest/v10000/intro/#pagination",
    "startAt, maxResults 50; issues, total; the answer says the maxResults that was kept to")
def jira(call):
    start, size = call.number("startAt", 0), call.size("maxResults", 50, 1000)
    issues = [{"expand": "names", "id": str(10_000 + n), "key": f"ACME-{n}", "fields": {"summary": text(n), "labels": []}}
              for n in call.page(start, size, {"errorMessages": ["not found"], "errors": {}})]
    return {"expand": "schema,names", "startAt": start, "maxResults": size, **call.counted(total=call.items),
            "issues": issues}


@convention(
    "jira-boards", "https://developer.atlassian.com/cloud/jira/software/rest/intro/#pagination",
    "startAt, maxResults 50; values, isLast; the total may be missing")
def jira_boards(call):
    start, size = call.number("startAt", 0), call.size("maxResults", 50, 50)
    boards = [{"id": n, "name": text(n), "type": "scrum"} for n in call.page(start, size, {"errorMessages": []})]
    return {"maxResults": size, "startAt": start, **call.counted(total=call.items),
            "isLast": not call.more(start, size), "values": boards}


def elastic(call, total):
    call.only("from", "size", "q", "sort", "track_total_hits", refusal=lambda name: Refusal(400, {
        "error": {"type": "illegal_argument_exception",
                  "reason": f"request [/books/_search] contains unrecognized parameter: [{name}]"}, "status": 400}))
    start, size = call.number("from", 0), call.size("size", 10, 10_000)
    if start + size > 10_000:
        raise Refusal(400, {"error": {"type": "illegal_argument_exception", "reason": "Result window is too large"}})
    hits = [{"_index": "books", "_id": f"b{n}", "_score": 1.0, "_source": {"title": text(n), "tags": []}}
            for n in call.page(start, size, {"error": {"type": "index_not_found_exception"}, "status": 404})]
    return {"took": 2, "timed_out": False, "_shards": {"total": 1, "successful": 1, "skipped": 0, "failed": 0},
            "hits": {**call.counted(total=total), "max_score": 1.0, "hits": hits}}


@convention(
    "elasticsearch", "https://www.elastic.co/docs/reference/elasticsearch/rest-apis/paginate-search-results",
    "from, size 10, no further than 10,000; hits.hits, hits.total {value, relation}; an unknown parameter is a 400")
def elasticsearch(call):
    return elastic(call, {"value": call.items, "relation": "eq"})


@convention(
    "elasticsearch-bound", "https://www.elastic.co/docs/solutions/search/the-search-api#track-total-hits",
    "the same where hits.total is a lower bound: {value, relation: gte}")
def elasticsearch_bound(call):
    bound = call.items * 2 // 3
    return elastic(call, {"value": bound, "relation": "gte" if bound < call.items else "eq"})


@convention(
    "contentful", "https://www.contentful.com/developers/docs/references/content-delivery-api/#/introduction/collection-resources-and-pagination",
    "skip, limit 100, more than 1,000 is a 400; total, skip, limit, items, and a list of what items link to")
def contentful(call):
    call.only("skip", "limit", "order", "content_type", "access_token", refusal=lambda name: Refusal(
        400, {"sys": {"type": "Error", "id": "InvalidQuery"}, "message": "The query you sent was invalid."}))
    start, size = call.number("skip", 0), call.size("limit", 100, 1000)
    entries = [{"sys": {"id": f"e{n}", "type": "Entry"}, "fields": {"title": text(n)}, "metadata": {"tags": []}}
               for n in call.page(start, size, {"sys": {"type": "Error", "id": "NotFound"}})]
    return {"sys": {"type": "Array"}, **call.counted(total=call.items), "skip": start, "limit": size,
            "items": entries, "includes": {"Asset": call.decoys(lambda n: {"sys": {"id": f"a{n}"}})}}


@convention(
    "ckan", "https://docs.ckan.org/en/latest/maintaining/datastore.html#ckanext.datastore.logic.action.datastore_search",
    "limit 100, offset; result.records, result.total, and result._links.next on every page, past the end too")
def ckan(call):
    start, size = call.number("offset", 0), call.size("limit", 100, 32_000)
    records = [{"_id": n, "name": text(n)} for n in call.page(start, size, {"success": False})]
    follows = call.relative(call.url(offset=start + size))
    return {"help": call.address("api/3/action/help_show"), "success": True, "result": {
        "include_total": True, "limit": size, "records_format": "objects", "resource_id": "5b30",
        "total_estimation_threshold": None, "records": records,
        "fields": call.decoys(lambda n: {"id": f"column{n}", "type": "text"}),
        "_links": {"start": call.relative(call.url(without=("offset",))), "next": follows},
        **call.counted(total=call.items, total_was_estimated=False)}}


@convention(
    "arcgis", "https://developers.arcgis.com/rest/services-reference/enterprise/query-feature-service-layer/",
    "resultOffset, resultRecordCount; features, and exceededTransferLimit: true where there is more; fields is a list too")
def arcgis(call):
    start, size = call.number("resultOffset", 0), call.size("resultRecordCount", 20, 2000)
    features = [{"attributes": {"OBJECTID": n, "NAME": text(n)}, "geometry": {"x": 1.5, "y": 2.5}}
                for n in call.page(start, size)]
    more = {"exceededTransferLimit": True} if call.more(start, size) else {}
    return {"objectIdFieldName": "OBJECTID", "geometryType": "esriGeometryPoint",
            "fields": call.decoys(lambda n: {"name": f"F{n}", "type": "esriFieldTypeString"}),
            **more, "features": features}


@convention(
    "solr", "https://solr.apache.org/guide/solr/latest/query-guide/pagination-of-results.html",
    "start, rows 10; response.docs, response.numFound")
def solr(call):
    start, size = call.number("start", 0), call.size("rows", 10, 10**6)
    docs = [{"id": f"d{n}", "title": [text(n)]} for n in call.page(start, size)]
    return {"responseHeader": {"status": 0, "QTime": 1, "params": {"q": "*:*"}},
            "response": {**call.counted(numFound=call.items), "start": start, "numFoundExact": True, "docs": docs}}


@convention(
    "feathers", "https://feathersjs.com/api/databases/common#pagination",
    "$limit 10, $skip; total, limit, skip, data; any other name filters the items")
def feathers(call):
    is_filtered = any(not name.startswith("$") for name in call.query)
    start, size = call.number("$skip", 0), call.size("$limit", 10, 50)
    messages = [] if is_filtered else [{"_id": f"m{n}", "text": text(n)} for n in call.page(start, size)]
    return {**call.counted(total=0 if is_filtered else call.items), "limit": size, "skip": start, "data": messages}


@convention(
    "gbif", "https://techdocs.gbif.org/en/openapi/v1/occurrence",
    "offset, limit 20, at most 300; results, count, endOfRecords; facets is a list too")
def gbif(call):
    start, size = call.number("offset", 0), call.size("limit", 20, 300)
    results = [{"key": 40_000 + n, "catalogNumber": text(n), "media": []} for n in call.page(start, size)]
    return {"offset": start, "limit": size, "endOfRecords": not call.more(start, size),
            **call.counted(count=call.items), "results": results,
            "facets": call.decoys(lambda n: {"field": f"F{n}", "counts": []})}


@convention(
    "open-library", "https://openlibrary.org/dev/docs/api/search",
    "page or offset, limit 100; docs, and the total twice: numFound and num_found")
def open_library(call):
    size = call.size("limit", 100, 1000)
    start = call.number("offset", (call.number("page", 1, 1) - 1) * size)
    docs = [{"key": f"/works/OL{n}W", "title": text(n), "author_name": ["A. Uthor"]} for n in call.page(start, size)]
    return {**call.counted(numFound=call.items), "start": start, "numFoundExact": True,
            **call.counted(num_found=call.items), "documentation_url": "https://openlibrary.org/dev/docs/api/search",
            "q": "x", "offset": start if "offset" in call.query else None, "docs": docs}
