-- Where the first page stands: what lies before it, and how full it is.
local asking = require "get.asking"
local options = require "get.options"
local places = require "get.places"
local trying = require "get.trying"
local ways = require "get.ways"

local standing = {}

--- Whether a name is that of a cursor.
function standing.isCursor(plain)
  return plain:find("cursor") or plain:find("token") or plain:find("after") or plain:find("before") or plain:find("marker")
    or plain:find("continuation") or plain:find("bookmark")
end

-- The parameters under which cursors and ids are sent.
local cursors = {}
for _, names in pairs(ways.parameters) do
  for _, name in ipairs(names) do cursors[places.plain(name)] = standing.isCursor(places.plain(name)) end
end
for _, names in ipairs { ways.idsAfter, ways.idsBefore } do
  for _, name in ipairs(names) do cursors[places.plain(name)] = true end
end

--- The place that the request has under a name already; nil where it has none, or something else, as a moment or more than there is.
function standing.given(page, name)
  local value = math.tointeger(tonumber(trying.given(name)))
  if value and value < 1000000000 and not (page.found.total and value > page.found.total.value) then return value end
end

--- The number of items before those of the first page; nil where nobody knows.
function standing.start(page)
  for _, name in ipairs(trying.givenNames()) do
    local value = trying.given(name)
    if value ~= "" and value ~= "*" and value ~= "-1" and cursors[places.plain(name)] then return nil end
  end
  for _, name in ipairs(ways.offsets) do
    local value = standing.given(page, name)
    -- What some call the first item is for others how many come first.
    if name == "first" and value == page.count then value = nil end
    if value then return page.found.offset and page.found.offset.value == 1 and value - 1 or value end
  end
  local names = table.move(ways.pages, 1, #ways.pages, 2, { options.pageParameter or "page" })
  for _, name in ipairs(names) do
    local value = math.tointeger(tonumber(trying.given(name)))
    if value and value > 1 then
      local size = options.pageSize or page.found.size and page.found.size.value
      for _, sizeName in ipairs(ways.sizes) do size = size or math.tointeger(tonumber(trying.given(sizeName))) end
      return size and (value - 1) * size
    end
  end
  return 0
end

--- Whether an answer has changes of OData, some of which say that an item is gone; and whether the request begins at a token.
function standing.changes(page)
  local base, parts = asking.split(page.url)
  local isDelta, isOData, begins = false, false, false
  for _, item in ipairs(page.list) do isDelta = isDelta or type(item) == "table" and item["@removed"] ~= nil end
  for _, place in ipairs(page.around) do
    isDelta = isDelta or place.plain == "odatadeltalink" or place.plain == "deltalink"
    isOData = isOData or place.plain:find("^odata") ~= nil
  end
  for _, part in ipairs(parts) do begins = begins or places.plain(part.name) == "deltatoken" end
  return isDelta or begins or isOData and (base:find("delta$") or base:find("delta%([^()]*%)$")) ~= nil, begins
end

--- The URL without the tokens of such changes.
function standing.withoutTokens(url)
  local base, parts = asking.split(url)
  local names = {}
  for _, part in ipairs(parts) do
    local plain = places.plain(part.name)
    if plain == "deltatoken" or plain == "skiptoken" or plain == "token" and base:find("delta$") then names[part.name] = true end
  end
  return asking.without(url, names)
end

--- What a link to the last page says of more, where none leads to the next; nil where the last page is this one.
function standing.lastLink(page)
  local links = page.response.links
  local last, first = links.last, links.first
  for _, place in ipairs(page.around) do
    local isLink = ways.isAddress(place.value) and (place.parents:find("links$") or place.parents:find("link$"))
    if isLink and place.plain == "last" then last = place.value end
    if isLink and place.plain == "first" then first = place.value end
  end
  if not last or links.next or last == first then return nil end
  local _, parts = asking.split(last)
  for _, part in ipairs(parts) do
    local number = math.tointeger(tonumber(part.value))
    local isSize = false
    for _, word in ipairs { "limit", "size", "count", "top", "per", "rows", "take" } do
      isSize = isSize or places.plain(part.name):find(word, 1, true) ~= nil
    end
    if number and number > 1 and not isSize and asking.parameter(page.url, part.name) ~= part.value then
      return ("the link to the last page has %s=%d"):format(part.name, number)
    end
  end
end

--- The parameter of the request that asks for so many items or more, and how many.
function standing.size(page)
  for _, name in ipairs(trying.givenNames()) do
    local value, plain = math.tointeger(tonumber(trying.given(name))), places.plain(name)
    for _, word in ipairs { "limit", "size", "count", "top", "perpage", "maxresults", "rows", "take", "pagelen" } do
      if value and value >= page.count and plain:find(word, 1, true) then return name, value end
    end
  end
end

--- Whether the page is as full as a parameter of the request asks, or as pages often are; and that parameter.
function standing.fullness(page)
  for _, name in ipairs(trying.givenNames()) do
    local value, plain = tonumber(trying.given(name)), places.plain(name)
    for _, word in ipairs { "limit", "size", "count", "top", "perpage", "max", "rows", "first", "take", "pagelen" } do
      local isFull = value == page.count or value and value > page.count and ways.rounds[page.count] and page.count > 5
      if isFull and page.count > 0 and plain:find(word, 1, true) then return true, name end
    end
  end
  return ways.rounds[page.count]
end

return standing
