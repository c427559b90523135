-- The conventions of the world: what leads to the next page, and under which parameter it is sent. A new one is a line here.
local options = require "get.options"

local ways = {}

--- Parameters for a cursor, by the name that it has in the answer; the likeliest first.
ways.parameters = {
  nextcursor = { "cursor", "next_cursor", "nextCursor", "after", "start_cursor", "page[cursor]", "pagination[cursor]" },
  nextcursormark = { "cursorMark" },
  nextpagetoken = { "pageToken", "page_token", "next_page_token", "nextPageToken", "token" },
  nexttoken = { "next_token", "pagination_token", "nextToken", "NextToken", "token", "pageToken" },
  nextmarker = { "marker", "Marker", "nextMarker" },
  nextcontinuationtoken = { "continuation-token", "ContinuationToken", "continuationToken" },
  nextkeymarker = { "key-marker" },
  nextpage = { "page", "pageToken", "page_token", "page_cursor", "nextPage", "next_page", "cursor" },
  nextpageid = { "page_id", "pageId", "page" },
  nextpagekey = { "nextPageKey", "pageKey", "next-page-key" },
  nextpagecursor = { "page_cursor", "pageCursor", "cursor" },
  nextpagestart = { "start" },
  nextoffset = { "offset", "skip", "start" },
  nextstart = { "start", "offset" },
  nextstartid = { "start_id", "from_id", "start" },
  next = { "cursor", "next", "page", "after", "offset", "start", "token", "page_token", "from", "continuation" },
  nextid = { "next_id", "after_id", "start_id", "from_id", "after", "cursor" },
  nextafter = { "after" },
  after = { "after", "page[after]", "starting_after", "cursor", "page[cursor]" },
  afterid = { "after_id", "after", "starting_after" },
  aftercursor = { "page[after]", "after", "cursor", "after_cursor" },
  endcursor = { "after", "cursor", "endCursor", "end_cursor" },
  startingafter = { "starting_after" },
  cursor = { "cursor", "after", "page[cursor]", "pagination[cursor]", "next_cursor" },
  bookmark = { "bookmark" },
  continuation = { "continuation", "continuationToken", "continuation_token" },
  continuationtoken = { "continuationToken", "continuation", "continuation_token", "ContinuationToken", "$continuationtoken" },
  continue = { "continue" },
  marker = { "marker", "Marker", "start" },
  lastevaluatedkey = { "ExclusiveStartKey", "exclusiveStartKey", "exclusive_start_key", "lastEvaluatedKey", "start_key" },
  scrollid = { "scroll_id", "scrollId", "_scroll_id", "scroll" },
  pagetoken = { "pageToken", "page_token", "token" },
  pagingtoken = { "paging_token", "pagingToken", "cursor" },
  paginationtoken = { "pagination_token", "paginationToken", "PaginationToken" },
  resumptiontoken = { "resumptionToken" },
  offset = { "offset" },
  lastkey = { "last_key", "lastKey", "start_key", "startKey", "after" },
  lastid = { "last_id", "after_id", "after" },
  xmscontinuation = { "continuation", "continuationToken" },
  xmscontinuationtoken = { "continuationToken" },
}

--- Page numbers, offsets and sizes as parameters, the likeliest first.
ways.pages = { "page", "p", "page_number", "pageNumber", "page[number]", "pagination[page]", "pageNo", "pg", "_page",
  "currentPage", "current_page", "pageIndex", "page_no", "paged", "pageNum", "searchCriteria[currentPage]" }
ways.offsets = { "offset", "skip", "start", "startAt", "from", "$skip", "startIndex", "start_index", "$offset", "_start",
  "page[offset]", "pagination[start]", "start-index", "startRecord", "resultOffset", "first" }
ways.sizes = { "limit", "per_page", "page_size", "pageSize", "perPage", "size", "count", "maxResults", "max_results", "rows",
  "page[size]", "page[limit]", "pagelen", "_limit", "$top", "$limit", "take", "n", "results_per_page", "hitsPerPage",
  "max-results", "top", "pagination[pageSize]", "resultRecordCount", "PageSize" }

--- What a size or an answer suggests as the parameter for pages or offsets.
ways.hints = {
  ["$top"] = { offset = "$skip" }, ["$limit"] = { offset = "$offset" }, _limit = { page = "_page", offset = "_start" },
  rows = { offset = "start" }, size = { offset = "from" }, maxResults = { offset = "startAt" },
  resultRecordCount = { offset = "resultOffset" }, ["page[limit]"] = { offset = "page[offset]" },
  ["page[size]"] = { page = "page[number]" }, ["pagination[pageSize]"] = { page = "pagination[page]" }, take = { offset = "skip" },
  PageSize = { page = "Page" }, ["max-results"] = { offset = "start-index" }, pageNumber = { page = "pageNumber" },
  skip = { offset = "$skip" }, currentPage = { page = "currentPage" }, current_page = { page = "page" },
  ["hits.hits"] = { offset = "from" }, ["response.docs"] = { offset = "start" }, ["@odata.context"] = { offset = "$skip" },
  exceededTransferLimit = { offset = "resultOffset" }, ["meta.pagination.page"] = { page = "pagination[page]" },
}
ways.idsAfter = { "starting_after", "after", "after_id", "since_id", "last_id", "from_id", "start_after", "cursor", "since" }
ways.idsBefore = { "before", "max_id", "before_id", "ending_before", "until_id" }
ways.idNames = { "id", "_id", "uuid", "guid", "key", "name", "slug", "code" }

--- Parameters apart: those without brackets, and those with: a server that knows page has no page[number], and neither where it is
--- sent both.
function ways.apart(values)
  local plain, inBrackets = {}, {}
  for name, value in pairs(values) do (name:find("[", 1, true) and inBrackets or plain)[name] = value end
  return plain, inBrackets
end

--- Whether a name is that of a parameter for pages: their numbers, offsets, sizes, cursors, ids.
function ways.isParameter(name)
  local known = name == options.pageParameter
  for _, names in ipairs { ways.pages, ways.offsets, ways.sizes, ways.idsAfter, ways.idsBefore } do
    for _, one in ipairs(names) do known = known or one == name end
  end
  for _, names in pairs(ways.parameters) do known = known or names[1] == name end
  return known
end

--- Whether a text is the address of a page.
function ways.isAddress(value)
  return type(value) == "string" and (value:find("^https?://") or value:find("^/") or value:find("^%?")
    or value:find("^[%w%._~/-]*%?[^=]+=") or value:find("^[%w%._~/-]+%.json$")) ~= nil
end

--- Numbers of items that look like full pages.
ways.rounds = {}
for _, number in ipairs { 5, 10, 12, 15, 16, 20, 24, 25, 30, 32, 40, 48, 50, 60, 64, 75, 80, 90, 96, 100, 120, 128, 150, 200,
  250, 256, 300, 400, 500, 512, 1000, 1024, 1500, 2000, 2500, 5000, 10000 } do ways.rounds[number] = true end

return ways
