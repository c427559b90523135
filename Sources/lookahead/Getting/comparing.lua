-- Whether a page is another one than the first, which may look different each time.
local places = require "get.places"

local comparing = {}

-- How often each item is there, or each id.
local function counts(list, name)
  local found, distinct = {}, 0
  for position = 1, #list do
    local text = lookahead.json.encode(name and list[position][name] or list[position])
    if not found[text] then distinct = distinct + 1 end
    found[text] = (found[text] or 0) + 1
  end
  return found, distinct
end

-- How many items of a list are in another one; what is there once counts once.
local function common(list, others, name)
  local left, count = counts(others, name), 0
  for text, times in pairs((counts(list, name))) do count = count + math.min(times, left[text] or 0) end
  return count
end

--- Whether each item has an id.
function comparing.hasIDs(list)
  for position = 1, #list do
    local id = places.isObject(list[position]) and list[position].id
    if type(id) ~= "string" and math.type(id) ~= "integer" then return false end
  end
  return true
end

--- Whether the items are so alike that a page of them can't be told from the next.
function comparing.areAlike(list)
  local _, distinct = counts(list)
  return #list > 1 and distinct * 2 <= #list
end

--- How many items of a list are those of the first page, and whether the rest are others: `again` brings the first page
--- once more, for items may change with each answer, and new ones come meanwhile. Where the first page says itself how it goes on,
--- all others are believed.
function comparing.news(list, first, again, isTold)
  local shared = common(list, first)
  if shared == #list then return shared, false end
  local name = comparing.hasIDs(list) and comparing.hasIDs(first) and "id" or nil
  if shared == 0 and (name or isTold) and not (name and common(list, first, name) > 0) then return shared, true end
  local second = again()
  -- Where the first page is a new one each time, no page can be told from it.
  if shared == 0 and not name then return shared, common(second, first) > 0 end
  if common(second, first) == #first then return shared, true end
  name = name and comparing.hasIDs(second) and name or nil
  return shared, common(list, second, name) < #list and common(list, first, name) * 2 < #list
end

--- Whether different items have the same id, so that it is none.
function comparing.repeatsIDs(...)
  local texts = {}
  for _, list in ipairs { ... } do
    for position = 1, #list do
      local item = list[position]
      local id = places.isObject(item) and item.id
      local text = id and lookahead.json.encode(item)
      if id and texts[id] and texts[id] ~= text then return true end
      if id then texts[id] = text end
    end
  end
  return false
end

return comparing
