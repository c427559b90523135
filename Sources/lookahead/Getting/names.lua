-- Names of what an answer says of how much there is, in one spelling, the surest first.
local names = {}

local function set(...)
  local names = {}
  for rank, name in ipairs { ... } do names[name] = rank end
  return names
end

-- The number of all items, the surest name first.
names.totals = set("total", "totalcount", "totalresults", "totalitems", "totalelements", "totalrecords", "totalrows",
  "totalhits", "totalobjects", "totalentries", "totalsize", "numfound", "nbhits", "hitcount", "odatacount",
  "odatainlinecount", "itotalrecords", "recordsfiltered", "recordstotal", "resultcount", "resultscount", "itemcount",
  "numresults", "numberofresults", "available", "matches", "found", "hits", "count", "size")
-- These are often the number of items of one page.
names.unsure = set("count", "size", "itemcount", "resultcount", "resultscount", "available", "matches", "found", "hits",
  "numresults", "numberofresults")
names.pageCounts = set("totalpages", "pages", "pagecount", "nbpages", "lastpage", "numpages", "numberofpages", "pagestotal",
  "lastvisiblepage", "totalpage", "maxpage", "pagetotal", "last")
names.pageNumbers = set("page", "currentpage", "pagenumber", "pagenum", "pageno", "pageindex", "number", "current", "currentpagenumber")
names.offsets = set("offset", "skip", "start", "startat", "startindex", "currentoffset", "from", "currentitemindex")
names.sizes = set("limit", "perpage", "pagesize", "size", "maxresults", "itemsperpage", "pagelen", "rows", "take", "top")
-- True says that there is more.
names.mores = set("hasmore", "more", "hasnext", "hasnextpage", "istruncated", "truncated", "hasmoreitems", "hasmoreresults",
  "hasmorepages", "morepages", "moreresults", "moreavailable", "moreitemsincollection", "incomplete", "next", "nextpage",
  "hasadditionalresults", "morecomments", "isincomplete", "hasmoredata", "moredata", "partial", "exceededtransferlimit", "limitexceeded")
-- False says so.
names.ends = set("islast", "islastpage", "last", "lastpage", "done", "endofrecords", "endofstream", "complete", "iscomplete", "finished",
  "isend", "end", "exhausted", "eof", "nomore", "alldone")
-- These are as often about something else than pages: whether the search came to its end, whether the texts are cut.
names.weak = set("incomplete", "isincomplete", "partial", "truncated", "complete", "iscomplete", "done", "finished", "end")
names.rests = set("remaining", "remainingitemcount", "remainingitems", "remainingcount", "left")
-- These say so as numbers too, 1 and 0; and all of them in these words.
names.claims = set("more", "moreavailable", "moreresults", "moreitems", "moredata", "istruncated", "truncated")
names.answers = { { "true", "false" }, { "True", "False" }, { "TRUE", "FALSE" }, { "yes", "no" }, { "Yes", "No" }, { "YES", "NO" },
  { "Y", "N" }, { "y", "n" } }
-- These mean something else as often; about pages they are beside other such names, at the top, or in something that is called so.
names.manifold = set("pages", "last", "number", "current", "size", "count", "total", "available", "matches", "found", "hits", "start",
  "from", "limit", "top", "take", "rows", "next", "more", "done", "complete", "finished", "end", "partial", "incomplete", "truncated",
  "left", "remaining", "lastpage", "exhausted", "eof")
names.containers = { "meta", "pag", "info", "link", "cursor", "result", "response", "data", "list", "query", "search", "summary", "header",
  "context", "collection", "connection", "feed", "nav", "count", "total", "hits", "status", "envelope", "set", "range" }

--- Whether a text answers yes or no.
function names.isAnswer(value)
  for _, pair in ipairs(names.answers) do if value == pair[1] or value == pair[2] then return true end end
  return false
end

return names
