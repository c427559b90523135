-- What an answer says about how much there is: totals, pages, whether there is more.
local names = require "get.names"
local places = require "get.places"

local signs = {}

local totals = names.totals
local unsure = names.unsure
local pageCounts = names.pageCounts
local pageNumbers = names.pageNumbers
local offsets = names.offsets
local sizes = names.sizes
local mores = names.mores
local ends = names.ends
local rests = names.rests

-- Whether a name that means many things stands alone in an object that is not about pages: the pages of a book.
function signs.isElse(answer, place)
  if place.isBeside or not names.manifold[place.plain] then return false end
  local under = place.parents:match("([^.]*)$")
  for _, word in ipairs(names.containers) do if under:find(word, 1, true) then return false end end
  for name in pairs(places.at(answer, table.move(place.path, 1, #place.path - 1, 1, {}))) do
    local plain = places.plain(name)
    local isPaging = totals[plain] or pageCounts[plain] or pageNumbers[plain] or offsets[plain] or sizes[plain] or mores[plain] or ends[plain]
    if isPaging and not names.manifold[plain] then return false end
  end
  return true
end

local function isElsewhere(place)
  local text = place.parents .. "." .. place.plain
  for _, word in ipairs { "rate", "quota", "usage", "facet", "aggregat", "price", "amount", "cost", "throttl", "credit",
    "shard", "timing" } do
    if text:find(word, 1, true) then return true end
  end
end

-- The digits of a number in groups: 1,234.
local function ungrouped(text)
  local first, rest = text:match("^(%d+),([%d,]+)$")
  if not first or #first > 3 then return text end
  for group in (rest .. ","):gmatch("(.-),") do if #group ~= 3 then return text end end
  return first .. rest:gsub(",", "")
end

local function count(value)
  if type(value) == "string" then value = ungrouped(value) end
  if type(value) == "string" and not value:find("^%d+$") then return nil end
  local whole = math.tointeger(tonumber(value))
  return whole and whole >= 0 and whole or nil
end
signs.count = count

--- A count as people write it: 3,000.
function signs.shown(number)
  local text = tostring(number)
  repeat
    local changed
    text, changed = text:gsub("^(%d+)(%d%d%d)", "%1,%2")
  until changed == 0
  return text
end

-- The number of all items where a name is known for it, or begins with total.
local function totalRank(place)
  local rank = totals[place.plain]
  if rank then return rank end
  local isTotal = place.plain:find("^total") or place.plain:find("total$") or place.plain:find("totalcount$")
  for _, word in ipairs { "page", "time", "byte", "price", "score", "duration", "size", "value" } do
    if place.plain:find(word, 1, true) then isTotal = false end
  end
  return isTotal and 20.5 or nil
end

-- hits.total.value, which may be an estimate.
local function isValueOfTotal(place) return place.plain == "value" and place.parents:find("total$") end

-- A number that there are at least: 100+.
local function least(value)
  return type(value) == "string" and count(value:match("^(.*%d)%+$")) or nil
end

local function isEstimate(answer, place)
  local path = table.move(place.path, 1, #place.path, 1, {})
  path[#path] = "relation"
  return places.at(answer, path) == "gte"
end

local function better(found, rank, depth)
  return not found or rank < found.rank or rank == found.rank and depth < found.depth
end

-- What stands for yes and for no where a sign of more is no boolean; then what this one says.
local function claim(place, value)
  for _, pair in ipairs(names.answers) do
    if value == pair[1] or value == pair[2] then return { '"' .. pair[1] .. '"', '"' .. pair[2] .. '"' }, value == pair[1] end
  end
  local isClaim = mores[place.plain] and (place.plain:find("^has") or names.claims[place.plain])
    or ends[place.plain] and place.plain:find("^is")
  if isClaim and (value == 1 or value == 0) then return { "1", "0" }, value == 1 end
end

local function note(found, field, place, rank, value, isText)
  if better(found[field], rank, #place.path) then
    found[field] = { path = place.path, name = place.name, plain = place.plain, value = value, rank = rank, depth = #place.path,
      isEnd = rank > 50, isText = isText, isWeak = names.weak[place.plain] ~= nil }
  end
end

-- Whether a count or a size is that of a page: it stands beside the place of the page, and nothing else says the size.
local function isOfPage(answer, place)
  if place.plain ~= "count" and place.plain ~= "size" then return false end
  local isPlaced = false
  for name, value in pairs(places.at(answer, table.move(place.path, 1, #place.path - 1, 1, {}))) do
    local plain = places.plain(name)
    if type(value) == "number" and plain ~= place.plain and sizes[plain] then return false end
    isPlaced = isPlaced or type(value) == "number" and (offsets[plain] or pageNumbers[plain]) ~= nil
  end
  return isPlaced
end

local function readPlace(found, answer, place, received)
  local value, plain = place.value, place.plain
  if isElsewhere(place) or signs.isElse(answer, place) then return end
  local rankOfMore = mores[plain] or ends[plain] and 50 + ends[plain]
  local written, isYes = claim(place, value)
  if rankOfMore and written then
    note(found, "more", place, rankOfMore, isYes ~= (rankOfMore > 50))
    if found.more.path == place.path then found.more.written = written end
    return
  end
  if type(value) == "boolean" then
    local isOfPages = plain:find("more") and not ends[plain] and not plain:find("like") and not plain:find("info") and not plain:find("detail")
    local rank = mores[plain] or isOfPages and 30 or nil
    if rank then note(found, "more", place, rank, value) end
    if ends[plain] then note(found, "more", place, 50 + ends[plain], not value) end
    return
  end
  local rank = isValueOfTotal(place) and 1 or totalRank(place)
  local atLeast = rank and least(value) or isValueOfTotal(place) and isEstimate(answer, place) and count(value)
  if atLeast then
    found.least = { path = place.path, value = atLeast }
    return
  end
  local number = count(value)
  if not number then return end
  if rank and number >= received and (number > 0 or received == 0)
    and not (unsure[plain] and number == received) and not isOfPage(answer, place) then
    note(found, "total", place, rank + (unsure[plain] and #place.path or 0), number, type(value) == "string")
  end
  if pageCounts[plain] then note(found, "pages", place, pageCounts[plain], number) end
  if type(value) ~= "number" then return end
  if pageNumbers[plain] then note(found, "page", place, pageNumbers[plain], number) end
  if offsets[plain] then note(found, "offset", place, offsets[plain], number) end
  if sizes[plain] then note(found, "size", place, sizes[plain], number) end
  if rests[plain] then note(found, "rest", place, rests[plain], number) end
end

local function readHeaders(found, response, received)
  local headers = {}
  for name in pairs(response.headers) do headers[#headers + 1] = name end
  table.sort(headers)
  for _, name in ipairs(headers) do
    local plain, value = places.plain(name), tostring(response.headers[name])
    local number = count(value)
    if plain == "contentrange" then
      local all = count(value:match("/%s*(%d+)%s*$"))
      if response.status == 206 and not all then found.hidden = ("status 206 says that this is a part (%s)"):format(value) end
      if all and value:find("%d") and all >= received then found.total = found.total or { isRange = true, name = name, value = all } end
    elseif number and not isElsewhere { parents = "", plain = plain } then
      if plain:find("page") and (plain:find("total") or plain:find("count")) then
        found.pages = found.pages or { header = name, name = name, value = number, rank = 1, depth = 0 }
      elseif (plain:find("total") or plain:find("count")) and not plain:find("time") and not plain:find("length")
        and not plain:find("limit") and not plain:find("per") and number >= received and number > 0 then
        found.total = found.total or { header = name, name = name, value = number, rank = 30, depth = 0 }
      end
    elseif value:find("^%s*{") then
      local isRight, object = pcall(lookahead.json.decode, value)
      for _, place in ipairs(isRight and type(object) == "table" and places.around({ [name] = object }, { "" }) or {}) do
        local amount = count(place.value)
        if amount and pageCounts[place.plain] and amount > 1 then found.hidden = ("%s says %d pages"):format(name, amount) end
        if amount and totalRank(place) and amount > received then found.hidden = ("%s says %d items"):format(name, amount) end
      end
    end
  end
end

--- What an answer says: total, pages, page, offset, size, more, rest; each with its place.
function signs.read(answer, response, around, received)
  local found = {}
  for _, place in ipairs(around) do readPlace(found, answer, place, received) end
  readHeaders(found, response, received)
  return found
end

-- Where a page number begins: most count from 1.
local function firstPage(found) return found.page and found.page.value == 0 and 0 or 1 end

--- Texts that say why there is more; none where nothing says so. `start` is what lies before the first item.
function signs.more(found, received, start)
  local texts = {}
  local function add(...) texts[#texts + 1] = string.format(...) end
  if found.total and start and found.total.value > received + start then
    local name = found.total.path and places.shown(found.total.path) or found.total.name
    add("%s says %s and %s came", name, signs.shown(found.total.value), signs.shown(received))
  end
  if found.least and found.least.value > received + (start or 0) then
    add("%s says at least %s and %s came", places.shown(found.least.path), signs.shown(found.least.value), signs.shown(received))
  end
  if found.more and found.more.value then
    add("%s is %s", places.shown(found.more.path), found.more.isEnd and "false" or "true")
  end
  if found.pages and start == 0 and found.pages.value > 1 and (not found.page or found.page.value - firstPage(found) + 1 < found.pages.value) then
    add("%s says %s pages", found.pages.name, signs.shown(found.pages.value))
  end
  if found.rest and found.rest.value > 0 then add("%s is %s", places.shown(found.rest.path), signs.shown(found.rest.value)) end
  if found.hidden then add("%s", found.hidden) end
  return texts
end

--- Whether the answer says that it is all there is.
function signs.saysAll(found, received, start)
  if #signs.more(found, received, start) > 0 then return false end
  return found.more ~= nil or found.pages ~= nil and found.pages.value <= 1
    or found.total ~= nil and start ~= nil and found.total.value == received + start
end

return signs
