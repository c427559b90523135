-- The way that a person gave with --next.
local counts = require "get.counted"
local helpers = require "get.helpers"
local options = require "get.options"
local places = require "get.places"
local search = require "get.search"
local standing = require "get.standing"
local trying = require "get.trying"
local ways = require "get.ways"

local given = {}

local function refuse(format, ...) error(format:format(...), 0) end

--- The parts of what was given: what kind, and the names in it.
function given.parsed()
  local text = options.next
  if text == "link" then return { kind = "linked" } end
  if text == "none" or text == "page" or text == "offset" then return { kind = text } end
  local header = text:match("^header:(.+)$")
  if header then return { header = header } end
  local path, parameter = text:match("^cursor:(.+)=([^=]+)$")
  if path then return { kind = "token", text = path, parameters = { parameter } } end
  parameter = text:match("^last%-id=(.+)$")
  if parameter then return { kind = "last", parameter = parameter } end
  return { text = text }
end

-- What the first answer lacks, and whether there is more all the same.
local function lacking(texts, count, lack, isWarned)
  if #texts > 0 then
    refuse("there are more than these %d items, and %s: say how with --next", count, lack)
  end
  if isWarned then lookahead.log.warn(lack .. ": if there are more items, say how they go on with --next") end
end

-- The lead at a path or header, by what stands there.
local function lead(parsed, page, texts)
  local value
  if parsed.header then
    value = page.response.headers[parsed.header:lower()]
    if value == nil then lacking(texts, page.count, ("the answer has no header %s"):format(parsed.header), true) end
  else
    local isThere
    parsed.path, isThere = places.path(page.answer, parsed.text)
    value = places.at(page.answer, parsed.path)
    if not isThere then
      local lack = ("the answer has nothing at %s (it has: %s)"):format(parsed.text, places.members(page.answer))
      lacking(texts, page.count, lack, not page.saysAll)
    end
  end
  if type(value) == "table" and parsed.kind ~= "token" then
    if places.isList(value) and helpers.related(value) then
      parsed.kind = "related"
    elseif places.plain(parsed.path[#parsed.path]) == "continue" then
      parsed.kind = "members"
    else
      local what = places.isList(value) and "a list" or ("an object (it has: %s)"):format(places.members(value))
      refuse("%s is %s, and no page: say with --next how it goes on", parsed.text, what)
    end
  end
  local name = parsed.header or parsed.path[#parsed.path]
  if not parsed.kind then
    local isLink = ways.isAddress(value) or (value == nil or value == "") and not options.pageParameter
      and not places.plain(name):find("cursor") and not places.plain(name):find("token")
    parsed.kind = isLink and "link" or "token"
  end
  if parsed.kind == "token" and not parsed.parameters then
    local known = { table.unpack(ways.parameters[places.plain(name)] or {}) }
    table.move({ tostring(name), "cursor" }, 1, 2, #known + 1, known)
    parsed.parameters = options.pageParameter and { options.pageParameter } or known
  end
  return parsed, value
end

local function wrong(format, ...)
  trying.raise(format:format(...) .. trying.words())
end

--- The first page of a counted way: the number that the URL has, or the usual one.
function given.first(kind, url)
  local asking = require "get.asking"
  local parameter = options.pageParameter or kind
  local number = math.tointeger(tonumber(asking.parameter(url, parameter)))
  return { kind = kind, parameter = parameter, first = number and number >= 0 and number or kind == "page" and 1 or 0 }
end

--- Whether the page with the number 1 is the second, where nobody said a number: then the first one has 0.
function given.isFromZero(page)
  if page.way.kind ~= "page" or trying.given(page.way.parameter) then return false end
  local request = trying.request { [page.way.parameter] = 0 }
  request.isLook = true
  local verdict, _, _, _, shared = trying.ask(request)
  return verdict == "other" and (shared == 0 or page.count == 0)
end

-- Tries the page behind the first one, and for offsets where they begin.
local function tried(way, page)
  if way.kind == "page" then return trying.values { [way.parameter] = way.first + 1 } end
  local found, verdict = counts.offset(way.parameter)
  way.first = found and found.first or way.first
  local what = ("behind %d items are other ones than the first page has there"):format(page.count - 1)
  if verdict == "empty" and not counts.isLast(way, page) then wrong("--next offset: %s does not count items: %s", way.parameter, what) end
  if not found and verdict == "other" then
    lookahead.log.warn(("--next offset: %s: what %s counts may be something else"):format(what, way.parameter))
  end
  return found and "other" or verdict
end

local function counted(way, page, texts, start)
  if page.count > 0 then
    local verdict = tried(way, page)
    if verdict == "same" and #texts > 0 or verdict ~= "other" and verdict ~= "same" and #texts > 0 then
      wrong("--next %s leads nowhere: %s", way.kind, table.concat(texts, "; "))
    elseif verdict == "same" then
      wrong("--next %s: the next page has the items of the first one", way.kind)
    end
  end
  return counts.measured(way, page, start)
end

--- The way that was given, tried on the server; raises where it does not lead on though there is more.
function given.way(parsed, page, texts, start)
  if parsed.kind == "none" then return nil end
  if parsed.kind == "page" or parsed.kind == "offset" then return counted(page.way, page, texts, start) end
  if parsed.kind == "last" then
    local id = search.idName(page)
    if page.count > 0 and not id then refuse("--next %s: the items have no id: name it with --id", options.next) end
    local way = { kind = "last", parameter = parsed.parameter, id = id or "id" }
    if page.count > 0 and (page.found.more == nil or page.found.more.value) then
      local verdict = trying.values { [parsed.parameter] = page.list[page.count][id] }
      if verdict ~= "other" and (verdict ~= "empty" or #texts > 0) then wrong("--next %s leads nowhere", options.next) end
    end
    return way
  end
  local way, value
  if parsed.kind == "linked" then
    way, value = parsed, page.response.links.next
    if not value then lacking(texts, page.count, "the answer has no Link header", standing.fullness(page)) end
  else
    way, value = lead(parsed, page, texts)
  end
  if value == nil or value == "" or value == false then
    if #texts > 0 then lacking(texts, page.count, ("%s leads nowhere"):format(options.next)) end
    if way.kind == "token" then way.parameter = way.parameters[1] end
    return way
  end
  local found, verdict = search.follow(way, page)
  if not found or verdict == "empty" and #texts > 0 then
    wrong("--next %s does not lead on%s", options.next,
      way.kind == "token" and not options.pageParameter and ": name the parameter that takes it with --page-parameter" or "")
  end
  return found
end

return given
