-- Pages an API without a script: looks at the first page, finds the way on, writes the script and runs it.
local asking = require "get.asking"
local comparing = require "get.comparing"
local expressions = require "get.expressions"
local given = require "get.given"
local helpers = require "get.helpers"
local lists = require "get.lists"
local options = require "get.options"
local places = require "get.places"
local search = require "get.search"
local signs = require "get.signs"
local standing = require "get.standing"
local trying = require "get.trying"
local writing = require "get.writing"

local function refuse(format, ...) error(format:format(...), 0) end

-- The JSON of the first answer.
local function decoded(response)
  local text = response.body
  if text:find("^%s*$") then refuse("%s: the answer is empty (status %d)", response.url, response.status) end
  local isRight, answer = pcall(response.json, response)
  if isRight then return answer end
  local line = text:match("[^\r\n]+")
  local isLines = text:find("\n%s*%S") and pcall(lookahead.json.decode, line)
  if not isLines and text:find("^%s*[%[{]") then refuse("%s", answer.message) end
  refuse("%s: the answer is %s; it begins: %s", response.url,
    isLines and "lines of JSON, and no JSON: it has no pages to follow" or "no JSON", #line > 100 and line:sub(1, 100) .. "…" or line)
end

local function totalGiven(page)
  local header = options.total:match("^header:(.+)$")
  if header then
    local value = page.response.headers[header:lower()]
    if value then return { header = header, name = header, value = signs.count(value) } end
    lookahead.log.warn(("--total %s: the answer has no such header"):format(options.total))
    return nil
  end
  local path, isThere = places.path(page.answer, options.total)
  if not isThere then
    lookahead.log.warn(("--total %s: the answer has nothing there (it has: %s)"):format(options.total, places.members(page.answer)))
    return nil
  end
  local value = places.at(page.answer, path)
  local number = signs.count(value)
  if value ~= nil and not number then
    refuse("--total %s: expected a count, got %s", options.total, lookahead.json.encode(value))
  end
  if number and number < page.count then
    lookahead.log.warn(("--total %s says %s, and %s came: it is not believed"):format(options.total, number, page.count))
  end
  return { path = path, name = options.total, value = number }
end

-- What an answer without items says of work that is still going on; nil where it says nothing of that.
local function notReady(answer)
  for _, name in ipairs { "status", "state" } do
    local said = type(answer) == "table" and answer[name]
    local text = type(said) == "string" and said:lower():gsub("[_ %-]", "") or ""
    if (" pending queued running processing inprogress "):find(" " .. text .. " ", 1, true) then return ("%s is %s"):format(name, said) end
  end
end

-- Reads the items of the first page.
local function readItems(page)
  page.answer = decoded(page.response)
  page.items = options.items and lists.given(page.answer, options.items) or lists.find(page.answer)
  local isRight, list = pcall(lists.items, page.answer, page.items)
  if not isRight or not list then refuse("the answer has no list at %s", places.shown(page.items.path)) end
  page.list, page.count = list, #list
end

-- Raises where the first page says that it is a part of what was asked for, also where it is asked for again. A script that is printed
-- says so itself.
local function readWhole(page)
  for attempt = 1, 4 do
    readItems(page)
    local isAbout = page.count > 0 and #page.items.path > 0
    local isRight, isPart = pcall(helpers.isPart, isAbout and page.answer or {}, { attempt = attempt, fail = function() end })
    if isRight and not isPart then return end
    if not isRight and not options.asScript then error(isPart, 0) end
    if not isRight then return lookahead.log.warn((tostring(isPart.message or isPart):match("[^\n]*"))) end
    lookahead.sleep(attempt / 2)
    page.response = asking.send(page.request)
  end
end

-- The first page, and all that its answer says.
local function firstPage(way)
  local page = { url = asking.first, way = way }
  local request = { url = page.url }
  if way then
    trying.begin { url = page.url, count = 0 }
    request = trying.request { [way.parameter] = way.first }
  end
  page.request = request
  page.response = asking.send(request)
  readWhole(page)
  if page.count == 0 then
    local said = page.response.status == 202 and "status 202" or notReady(page.answer)
    if said then refuse("%s: what was asked for is not ready (%s): ask again later", page.response.url, said) end
  end
  page.around = places.around(page.answer, page.items.path)
  page.found = signs.read(page.answer, page.response, page.around, page.count)
  page.found.hidden = page.found.hidden or standing.lastLink(page)
  if options.total == "none" then page.found.total = nil
  elseif options.total then page.found.total = totalGiven(page) end
  trying.begin(page)
  return page
end

-- More, and no way to it.
local function refuseMore(texts)
  local text = "there is more, and no way to it was found: %s%s\n  Say how it goes on: --next PATH, --next header:NAME, "
    .. "--next cursor:PATH=PARAMETER, --next last-id=PARAMETER, --next page or --next offset with --page-parameter NAME; "
    .. "or --next none to take this page only"
  trying.raise(text:format(table.concat(texts, "; "), trying.words()))
end

local function nextInWords(way)
  if not way then return "none" end
  local name = way.header and "header " .. way.header or way.path and places.shown(way.path)
  if way.kind == "linked" then return "header Link" end
  if way.kind == "token" then return ("%s as %s"):format(name, way.parameter) end
  if way.kind == "last" then return ("the last %s as %s"):format(way.id, way.parameter) end
  if way.kind == "page" or way.kind == "offset" then return ("counted as %s"):format(way.parameter) end
  return name
end

local function say(plan)
  local said = plan.total or plan.isCut and plan.saidTotal
  local total = said and said.value and signs.shown(said.value)
  local items = plan.items.path and places.shown(plan.items.path)
  lookahead.log.info(("items: %s · next: %s · total: %s"):format(
    items == "." and "the answer itself" or items, plan.isCut and "not looked for, since one page is enough" or nextInWords(plan.way),
    total or "not said"))
end

-- Whether a value has a secret in it, which no script shows.
local function isSecret(value)
  for _, name in ipairs(options.secrets) do
    local secret = asking.parameters[name]
    if secret and tostring(value):find(tostring(secret), 1, true) then return true end
  end
  return false
end

-- What the first answer says of how it went, as members of a table; none where it has no items.
local function usual(page)
  if #page.items.path == 0 then return nil end
  local found, members = helpers.states(page.answer), {}
  for _, path in ipairs(places.names(found)) do
    local value = found[path]
    local text = type(value) == "string" and expressions.quoted(value) or tostring(value)
    local name = expressions.isName(path) and path or ("[%s]"):format(expressions.quoted(path))
    if not isSecret(value) then members[#members + 1] = ("%s = %s"):format(name, text) end
  end
  return page.count > 0 and members or {}
end

local function planFound(parsed)
  local isCounted = parsed and (parsed.kind == "page" or parsed.kind == "offset")
  local page = firstPage(isCounted and given.first(parsed.kind, asking.first) or nil)
  if isCounted and given.isFromZero(page) then
    page.way.first = 0
    page = firstPage(page.way)
  end
  local start = standing.start(page)
  local plan = { items = page.items, count = page.count, more = page.found.more, pages = page.found.pages }
  plan.usual, plan.isAccepted = usual(page), page.response.status == 202
  local begins
  plan.isDelta, begins = standing.changes(page)
  if begins then
    lookahead.log.warn("the URL asks for what has changed since its token: --write mirror would remove all that has not")
  end
  local _, size = standing.size(page)
  -- A page that is nearly as full as was asked for has gaps; one that is far from it is as full as they come.
  plan.most = size and 2 * page.count > size and size or 0
  page.isShort = page.count < plan.most
  local isEnough = options.limit and options.limit <= page.count or options.maxPages == 1
  if isEnough and not options.asScript then
    plan.isByHand, plan.isCut, plan.saidTotal = true, true, page.found.total
    return plan
  end
  local texts = signs.more(page.found, page.count, start)
  page.saysAll = signs.saysAll(page.found, page.count, start)
  if page.items.kind == "edges" and not page.found.more and not page.saysAll then
    texts[#texts + 1] = "the items are edges of a connection, and nobody asked for pageInfo { hasNextPage endCursor }"
  end
  if parsed then
    plan.way = given.way(parsed, page, texts, start)
    plan.isByHand = parsed.kind == "none"
  else
    local signsOfMore
    plan.way, signsOfMore = search.find(page, start)
    if not plan.way and #signsOfMore > 0 then texts = signsOfMore end
    if not plan.way and #texts > 0 then refuseMore(texts) end
    plan.doubt = not plan.way and not page.saysAll and trying.unanswered or nil
  end
  plan.more = page.found.more
  if plan.way and (plan.way.kind == "page" or plan.way.kind == "offset") and plan.way.mode ~= "counted" then
    page.found.total = options.total and page.found.total or nil
  end
  if options.pageSize and plan.way and page.count ~= options.pageSize and trying.hasOther then
    lookahead.log.warn(("--page-size %d was sent as %s, and %d items came: --size-parameter names another"):format(
      options.pageSize, asking.sizeName, page.count))
  end
  plan.hasNoIDs = not comparing.hasIDs(page.list)
  plan.hasNoID = not options.id and comparing.repeatsIDs(page.list, trying.second)
  local total = page.found.total
  local isNeeded = not plan.isByHand or options.total
  if total and start and isNeeded and (total.value or 0) >= page.count and not (plan.way and not plan.way.isEnd and not options.total
    and total.value <= page.count + start and trying.hasOther) then
    plan.total, plan.skipped = total, start
  end
  return plan
end

local parsed = options.next and given.parsed()
local plan = planFound(parsed)
say(plan)
local text = writing.text(plan)
if options.asScript then
  print((text:gsub("\n$", "")))
else
  local script, message = load(text, "=items.lua", "t", setmetatable({ lookahead = asking.world() }, { __index = _G }))
  if not script then error(message, 0) end
  return script()
end
