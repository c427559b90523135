-- The search for the way from the first page to the next: what leads on by itself, then counting, then a look past the end.
local comparing = require "get.comparing"
local counting = require "get.counting"
local leading = require "get.leads"
local options = require "get.options"
local counted = require "get.counted"
local places = require "get.places"
local signs = require "get.signs"
local standing = require "get.standing"
local trying = require "get.trying"
local ways = require "get.ways"

local search = {}

-- The names of a list that the first request has already come first; those are meant.
local function ordered(names, isBlank)
  local list, known = {}, {}
  local function add(name)
    if not known[name] then list[#list + 1] = name end
    known[name] = true
  end
  for _, name in ipairs(names) do
    local value = trying.given(name)
    if value and (not isBlank or value == "") then add(name) end
  end
  if #list > 0 and not isBlank then return list, true end
  for _, name in ipairs(names) do add(name) end
  return list, false
end

local function describe(lead)
  if lead.kind == "linked" then return "the Link header" end
  return lead.header and "header " .. lead.header or places.shown(lead.path)
end

-- Whether a lead that leads nowhere is a sign of more by itself.
local function isSure(lead)
  return lead.kind ~= "token" or lead.header ~= nil or ways.parameters[places.plain(lead.path[#lead.path])] ~= nil
    or standing.isCursor(places.plain(lead.path[#lead.path])) ~= nil
end

-- Whether items are in the order of a member, which is not the same in all.
local function isOrdered(list, name)
  local isUp, isDown = true, true
  for position = 2, #list do
    local before, after = list[position - 1][name], list[position][name]
    if type(before) ~= type(after) or type(after) ~= "number" and type(after) ~= "string" then return false end
    isUp, isDown = isUp and before <= after, isDown and before >= after
  end
  return isUp ~= isDown
end

-- Tells of a cursor that is a time or the like of the last item, where others have the same one: the next page, which does not begin
-- with that item again, may have left out more of them.
local function warnOfTies(page, value, way, second)
  local last, before = page.list[page.count], page.list[page.count - 1]
  for _, name in ipairs(places.isObject(last) and places.isObject(before) and places.names(last) or {}) do
    if last[name] == value and before[name] == value and isOrdered(page.list, name) then
      for position = 1, #second do
        if lookahead.json.encode(second[position]) == lookahead.json.encode(last) then return end
      end
      lookahead.log.warn(("the next page is asked for by the %s of the last item, which others have too: those of them that are not on "
        .. "its page are left out, if %s means behind it"):format(name, way.parameter))
      return
    end
  end
end

--- A lead that says itself where the next page is; an empty page is believed of one that is surely about pages.
function search.follow(lead, page)
  local value = trying.value(lead, page.answer, page.response)
  if value == nil then return nil end
  local attempts = {}
  if lead.kind == "members" then
    attempts[1] = { values = value }
  elseif lead.kind == "token" then
    local isNumber = math.type(value) == "integer"
    local names, isGiven = ordered(lead.parameters, false)
    for _, name in ipairs(isGiven and names or ordered(lead.parameters, true)) do
      if trying.given(name) ~= tostring(value) then attempts[#attempts + 1] = { values = { [name] = value }, name = name } end
    end
    local likeliest = not isNumber and attempts[1]
    if likeliest then attempts[#attempts + 1] = { values = likeliest.values, name = likeliest.name, isAlone = true } end
  else
    local request = { url = value, isLink = true }
    local verdict = trying.judged(lead, trying.ask(request, true))
    if verdict == "other" or verdict == "empty" then return lead, verdict end
    trying.note(describe(lead), verdict)
    return nil
  end
  local fallback
  for _, attempt in ipairs(attempts) do
    local results = table.pack(trying.values(attempt.values, attempt.isAlone, true))
    local verdict = trying.judged(lead, table.unpack(results, 1, results.n))
    local way = { kind = lead.kind, path = lead.path, header = lead.header, parameter = attempt.name, isAlone = attempt.isAlone,
      isNumber = tonumber(value) ~= nil }
    if verdict == "other" then
      if lead.kind == "token" then warnOfTies(page, value, way, results[2]) end
      return way, verdict
    end
    if verdict == "empty" and isSure(lead) then fallback = fallback or way end
  end
  return fallback, fallback and "empty"
end

--- The name of the id that the last item has; nil where it has none.
function search.idName(page)
  local last = page.list[page.count]
  if type(last) ~= "table" then return nil end
  for _, name in ipairs(options.id and { options.id } or ways.idNames) do
    if type(last[name]) == "string" or math.type(last[name]) == "integer" then return name end
  end
end

-- What is less likely to be the way may have no answer because the server fails at it: that leaves in doubt whether there is more.
local function doubtfully(try, ...)
  local before = trying.unanswered
  local way = try(...)
  if before and not before.isDoubtful then
    trying.unanswered = before
  elseif trying.unanswered ~= before then
    trying.unanswered.isDoubtful = true
  end
  return way
end

-- Behind the last item, as one of these parameters.
local function byLast(page, names, isGivenOnly)
  local id = search.idName(page)
  if not id then return nil end
  if options.pageParameter then names = { options.pageParameter } end
  local pairs = {}
  for position, name in ipairs(names) do pairs[position] = { name, page.list[page.count][id] } end
  if not isGivenOnly and trying.areIdle(pairs) then return nil end
  for position, name in ipairs(names) do
    local isMeant = isGivenOnly and trying.given(name) == "" or not isGivenOnly and (trying.refusals < 2 or position < 3)
    local way = isMeant and counted.last(name, id)
    if way then return way end
  end
end

-- The less usual ways one after the other.
local function countElsewhere(page, others, isWeak)
  if options.pageParameter then return byLast(page, {}) end
  local way = (not isWeak or page.isFull) and byLast(page, ways.idsAfter)
  if way then return way end
  local pairs = {}
  for position, one in ipairs(others) do pairs[position] = { one.name, one.value } end
  local isIdle, isOfUse = trying.areIdle(pairs)
  if not isIdle then
    local name = isOfUse and trying.located(pairs)
    for _, one in ipairs(others) do
      way = one.name == name and one.try(page)
      if way then return way end
    end
    for position, one in ipairs(others) do
      way = position <= (isWeak and 2 or 12) and one.try(page)
      if way then return way end
    end
  end
  return (not isWeak or page.isFull) and byLast(page, ways.idsBefore) or nil
end

-- The usual ways one after the other; with `isWeak` nothing says that there is more, and less is tried.
local function count(page, isWeak)
  local likely, others = counting(page)
  for _, one in ipairs(likely) do
    local way = one.try(page)
    if way then return way end
  end
  return doubtfully(countElsewhere, page, others, isWeak)
end

-- Whether a total of as many items as came may be that of the page: nothing says that a page could have more.
local function mayBePage(page)
  local _, asked = standing.size(page)
  local size = asked or page.found.size and page.found.size.value
  return page.count > 4 and not options.total and page.found.total ~= nil and (not size or size <= page.count)
end

-- Nothing says that there is more, and nothing that this is all: one look at what the usual parameters do.
-- A total that is no more than came may count the page.
local function look(page, texts, isSaid)
  if page.count == 0 then return nil end
  local name
  page.isFull, name = standing.fullness(page)
  local few, all = { page = 2, offset = page.count, skip = page.count, start = page.count }, {}
  local isGiven = options.pageParameter ~= nil
  for _, parameter in ipairs(ways.pages) do all[parameter] = 2 end
  for _, parameter in ipairs(ways.offsets) do all[parameter] = page.count end
  for parameter in pairs(all) do isGiven = isGiven or trying.given(parameter) ~= nil end
  if isSaid and not page.isFull and not mayBePage(page) then return nil end
  local plain, inBrackets = ways.apart(all)
  local before = trying.unanswered
  local verdict = isGiven and "other" or trying.ask(trying.request(plain))
  if isSaid and verdict ~= "other" then return nil end
  if verdict == "same" and page.isFull then verdict = trying.ask(trying.request(inBrackets)) end
  local isRefused = verdict ~= "same" and verdict ~= "other" and verdict ~= "empty"
  if isRefused then
    local request = trying.request(few)
    verdict = trying.ask(request)
    -- The server answers these parameters: it was another one that it failed at.
    if not request.isUnanswered then trying.unanswered = before end
  end
  local way
  if verdict ~= "same" or isRefused and page.isFull then
    page.sizeName = not isSaid and name and tonumber(trying.given(name)) == page.count and name or nil
    way = count(page, true)
  elseif page.isFull then
    way = doubtfully(byLast, page, ways.idsAfter) or doubtfully(byLast, page, ways.idsBefore)
  end
  if not way and trying.hasOther then texts[#texts + 1] = "some parameters bring other items" end
  if isSaid then return way or nil end
  if not way and options.pageParameter then texts[#texts + 1] = ("--page-parameter %s leads nowhere"):format(options.pageParameter) end
  if not way and page.isFull and comparing.areAlike(page.list) then
    texts[#texts + 1] = "its items are so alike that one page can't be told from another"
  end
  if not way and (page.isFull and not name or trying.failures > 0) and #texts == 0 then
    page.isUnsure = true
  end
  if not way and name then texts[#texts + 1] = ("%s is %s, and %d came: that may be a full page"):format(name, trying.given(name), page.count) end
  return way or nil
end

local function find(page, start)
  local texts = signs.more(page.found, page.count, start)
  local leads = leading(page.answer, page.response, page.around)
  local blank = page.count > 0 and byLast(page, ways.idsAfter, true)
  local ended
  for _, lead in ipairs(leads) do
    if lead.isEnd then
      ended = ended or lead
    else
      local way, verdict = search.follow(lead, page)
      if way and not (verdict == "empty" and #texts > 0) then
        -- What says no more, though there is more, is about something else.
        if verdict == "other" and page.found.more and not page.found.more.value then page.found.more = nil end
        return counted.measured(way, page, start), texts
      end
      if isSure(lead) then texts[#texts + 1] = describe(lead) .. " is there" end
    end
  end
  if blank then return blank, texts end
  if #texts > 0 then
    local way = page.count > 0 and count(page)
    return way and counted.measured(way, page, start) or nil, texts
  end
  if ended then
    if ended.kind == "token" then ended.parameter = ordered(ended.parameters, true)[1] end
    return ended, texts
  end
  local isSaid = signs.saysAll(page.found, page.count, start)
  if isSaid and (page.found.more or page.found.pages) then
    local isWeak = page.found.more and page.found.more.isWeak and not page.found.pages
    local way = isWeak and look(page, texts, true)
    if not way then return nil, texts end
    page.found.more = nil
    return counted.measured(way, page, start), texts
  end
  local way = look(page, texts, isSaid)
  return way and counted.measured(way, page, start), texts
end

-- Refuses a first page that may not be all, where what may be the next one had no answer: one that is full, and a list from which all
-- rows that do not come are removed.
local function refuseDoubt(page, start)
  local lacking = trying.unanswered
  local isSaid = signs.saysAll(page.found, page.count, start)
  local isLikely = page.isFull and lacking.isPassing and not lacking.isDoubtful and not isSaid
  if isLikely or options.isMirror and (lacking.isPassing or not isSaid) then trying.refuse(lacking) end
  if isSaid then return end
  lookahead.log.warn(("%d items came, and nothing says whether that is all: %s brought no page, but %s: if there are more, say how they "
    .. "go on with --next"):format(page.count, lacking.request, lacking.why))
end

--- The way on, and the signs of more if there are any; without a way and with signs, nothing was found.
function search.find(page, start)
  local way, texts = find(page, start)
  if not way and (page.isUnsure or #texts > 0) and trying.target() == "body" then
    trying.isInQuery = true
    way, texts = find(page, start)
  end
  if trying.unanswered and not way and #texts == 0 then
    refuseDoubt(page, start)
  elseif page.isUnsure and not way and #texts == 0 then
    lookahead.log.warn(("%d items came, and nothing says whether that is all: if there are more, say how they go on with --next")
      :format(page.count))
  end
  return way, texts
end

return search
