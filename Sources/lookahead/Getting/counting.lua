-- The parameters that pages or items may be counted by, in the order in which they are tried.
local options = require "get.options"
local counted = require "get.counted"
local places = require "get.places"
local standing = require "get.standing"
local trying = require "get.trying"
local ways = require "get.ways"

-- The first page number, where the answer says one that pages begin with.
local function saidPage(page) return page.found.page and page.found.page.value <= 1 and page.found.page.value or nil end

local function byPage(name)
  return { name = name, value = 2, try = function(page) return counted.page(name, saidPage(page), page.sizeName) end }
end

local function byOffset(name, page)
  local said = page.found.offset
  local value = said and said.name == name and said.value <= 1 and said.value or nil
  return { name = name, value = page.count, try = function() return counted.offset(name, value, page.sizeName) end }
end

-- What the request and the answer suggest: a size has its own name for offsets.
local function hints(page)
  local found = {}
  local function add(key) found[#found + 1] = key and ways.hints[key] end
  for _, name in ipairs(trying.givenNames()) do add(name) end
  add(places.shown(page.items.path))
  for _, place in ipairs(page.around) do add(ways.hints[place.name] and place.name) end
  add(page.found.page and (ways.hints[places.shown(page.found.page.path)] and places.shown(page.found.page.path)))
  return found
end

--- Ways { name, value, try }: those that something speaks for, and the rest.
return function(page)
  local likely, others, known = {}, {}, {}
  local function add(list, one)
    if not known[one.name] then list[#list + 1] = one end
    known[one.name] = true
  end
  if options.pageParameter then
    add(likely, byPage(options.pageParameter))
    likely[2] = byOffset(options.pageParameter, page)
    return likely, others
  end
  for _, name in ipairs(ways.pages) do if standing.given(page, name) then add(likely, byPage(name)) end end
  for _, name in ipairs(ways.offsets) do
    if standing.given(page, name) and name ~= "first" then add(likely, byOffset(name, page)) end
  end
  if #likely > 0 then return likely, others end
  local suggested = hints(page)
  if page.found.offset and not page.found.page then add(likely, byOffset(page.found.offset.name, page)) end
  for _, hint in ipairs(suggested) do
    if hint.page then add(likely, byPage(hint.page)) end
    if hint.offset then add(likely, byOffset(hint.offset, page)) end
  end
  add(likely, byPage("page"))
  if page.found.offset then add(likely, byOffset(page.found.offset.name, page)) end
  add(likely, byOffset("offset", page))
  for position = 1, math.max(#ways.pages, #ways.offsets) do
    if ways.offsets[position] then add(others, byOffset(ways.offsets[position], page)) end
    if ways.pages[position] then add(others, byPage(ways.pages[position])) end
  end
  return likely, others
end
