-- Where the items of an answer are: a list under any name, rows with columns, an object of objects.
local helpers = require "get.helpers"
local places = require "get.places"
local shapes = require "get.shapes"
local ways = require "get.ways"

local lists = {}

local kind, usual, isMap, described = shapes.kind, shapes.usual, shapes.isMap, shapes.described

-- Every list that is no part of another one.
local function all(answer)
  local found = {}
  local level = { { path = {}, value = answer } }
  for depth = 1, 5 do
    local following = {}
    for _, above in ipairs(level) do
      for _, name in ipairs(places.names(above.value)) do
        local value, plain = above.value[name], places.plain(name)
        local path = table.move(above.path, 1, #above.path, 1, {})
        path[depth] = name
        if places.isAside(plain) then
          goto continue
        elseif places.isList(value) then
          found[#found + 1] = { path = path, kind = kind(value), depth = depth, rank = usual[plain], list = value }
        elseif type(value) == "table" then
          following[#following + 1] = { path = path, value = value }
        end
        ::continue::
      end
    end
    level = following
  end
  return found
end

-- The nearest of the lists that fit; and all that are as near.
local function nearest(found, fits)
  local best, ties = nil, {}
  for _, one in ipairs(found) do
    if fits(one) then
      if not best or one.depth < best.depth then
        best, ties = one, { one }
      elseif one.depth == best.depth then
        ties[#ties + 1] = one
        if (one.rank or 99) < (best.rank or 99) then best = one end
      end
    end
  end
  return best, ties
end

-- The only list that stands beside a count, a size or a link of pages, where others do not.
local function paged(answer, found, most)
  local chosen
  for _, one in ipairs(found) do
    local isBeside = false
    for name, value in pairs(places.at(answer, table.move(one.path, 1, #one.path - 1, 1, {}))) do
      local plain = places.plain(name)
      isBeside = isBeside or type(value) ~= "table" and (plain:find("^next") or plain:find("^more") or plain:find("^total")
        or plain == "perpage" or plain == "hasmore" or plain == "count" or plain == "cursor" or plain == "page") ~= nil
    end
    if isBeside and one.depth <= most and (one.kind == "objects" or one.kind == "empty") then
      if chosen then return nil end
      chosen = one
    end
  end
  return chosen
end

local function refuse(format, ...) error(format:format(...), 0) end

-- Several lists that may be meant.
local function refuseMany(ties)
  local texts = {}
  for position, one in ipairs(ties) do texts[position] = places.shown(one.path) end
  refuse("there are %d lists in the answer: %s\n  Say which has the items: --items %s", #ties, table.concat(texts, ", "), texts[1])
end

-- Where an answer without a list says that there are no items.
local function zeroCount(answer)
  if type(answer) ~= "table" then return nil end
  for _, place in ipairs(places.around(answer, { "" })) do
    if place.value == 0 and (place.plain:find("^total") or place.plain:find("count$")) then return place.path end
  end
end

--- Whether an answer without its list may be an empty page: it has no other list, and says nothing of a failure.
function lists.isBare(answer)
  return places.isObject(answer) and #all(answer) == 0 and not helpers.failed(answer, "nothing")
end

-- Whether a first answer is an empty page that leaves its list out: it has nothing else, or what only pages have.
local function leavesOut(answer)
  if not lists.isBare(answer) or shapes.map(answer) then return false end
  if next(answer) == nil or zeroCount(answer) then return true end
  for _, place in ipairs(places.around(answer, { "" })) do
    local isList = place.plain == "kind" and tostring(place.value):find("List$")
    local isLead = isList or ways.parameters[place.plain] or place.plain:find("^next")
    if isLead and (type(place.value) == "string" and place.value ~= "" or type(place.value) == "number" and place.value > 0) then
      return true
    end
  end
  return false
end

-- The items at a path that a person gave; raises where there is no list.
local function listAt(answer, text)
  local path, isThere = places.path(answer, text)
  local value = places.at(answer, path)
  local place = #path == 0 and "the answer" or text
  if not isThere and leavesOut(answer) then
    lookahead.log.warn(("the answer has no list at %s (it has: %s): taken for an empty one"):format(text, places.members(answer)))
    return { path = path, kind = "list" }
  end
  if not isThere or type(value) ~= "table" then
    refuse("the answer has no list at %s (it has: %s): say where the items are with --items", text, places.members(answer))
  end
  if places.isList(value) then return described(answer, { path = path, kind = kind(value), list = value }) end
  local within = nearest(all(value), function() return true end)
  if not within and isMap(value, 1) then return { path = path, kind = "map" } end
  local advice = within and places.shown(table.move(within.path, 1, #within.path, #path + 1, table.move(path, 1, #path, 1, {})))
  refuse("%s is an object (it has: %s): say where the items are with --items %s", place, places.members(value), advice or "PATH")
end

--- The items at a path that a person gave: where an answer has no list there, it is empty.
function lists.given(answer, text)
  local items = listAt(answer, text)
  items.isGiven = true
  return items
end

-- Whether the lists beside nodes are their edges.
local function isConnection(found, named)
  if named.path[#named.path] ~= "nodes" then return false end
  for _, one in ipairs(found) do
    if one.path[#one.path] == "edges" and one.kind == "objects" and (one.list[1].node or one.list[1].cursor) then return true end
  end
  return false
end

--- The items of an answer: { path, kind, columns }; raises where none or several lists may be meant.
function lists.find(answer)
  if type(answer) ~= "table" then
    refuse("the answer is %s, and no list: say where the items are with --items", lookahead.json.encode(answer))
  end
  if places.isList(answer) then
    local what = kind(answer)
    local hasLists = false
    for position = 1, #answer do hasLists = hasLists or places.isList(answer[position]) end
    -- The second of two may be null where the list is empty.
    if #answer == 2 and answer[2] == lookahead.null and places.isObject(answer[1]) and answer[1].total ~= nil then
      return { path = { 2 }, kind = "list" }
    end
    if what ~= "mixed" or not hasLists then
      return described(answer, { path = {}, kind = what, list = answer })
    end
  end
  local found = type(answer) == "table" and all(answer) or {}
  local function isFull(one) return one.kind == "objects" or one.kind == "rows" end
  local named = nearest(found, function(one) return one.rank and isFull(one) end)
  local near, ties = nearest(found, function(one) return one.kind == "objects" end)
  for _, one in ipairs(near and found or {}) do
    if one.kind == "objects" and one.depth == near.depth + 1 then ties[#ties + 1] = one end
  end
  -- A name that many lists have stands for the items only where no other list is beside it.
  if named and named.rank > shapes.sure and not isConnection(found, named) then
    for _, one in ipairs(ties) do
      if named and one ~= named and one.depth == named.depth then named = nil end
    end
  end
  if named and (not near or named.depth <= near.depth + 1) then return described(answer, named) end
  local beside = near and paged(answer, found, near.depth + 1)
  if beside then return described(answer, beside) end
  if near and #ties > 1 then refuseMany(ties) end
  local empty = nearest(found, function(one) return one.rank and one.kind == "empty" end)
  if empty and (not near or empty.depth <= near.depth) then return described(answer, empty) end
  if near then return described(answer, near) end
  local objects = shapes.map(answer)
  if objects then return objects end
  local scalars = nearest(found, function(one) return one.rank and one.kind ~= "objects" end)
  if scalars then return described(answer, scalars) end
  local others, empties = nearest(found, function(one) return one.kind == "empty" or one.kind == "rows" end)
  if others and #empties == 1 and #found == 1 then return described(answer, others) end
  local zero = zeroCount(answer)
  if zero then return { path = {}, kind = "missing", zero = zero } end
  refuse("the answer has no list at items, data, results or the like (it has: %s): say where the items are with --items",
    places.members(answer))
end

--- The items of an answer at the place that was found; nil and why where there are none.
function lists.items(answer, items)
  if items.kind == "missing" then return {} end
  local value = places.at(answer, items.path)
  if value == nil and #items.path > 0 and type(answer) == "table" then
    local above = places.at(answer, table.move(items.path, 1, #items.path - 1, 1, {}))
    if type(above) == "table" and above[items.path[#items.path]] == lookahead.null then return {} end
    if items.isGiven and items.kind ~= "map" and lists.isBare(answer) then return {} end
  end
  if items.kind == "map" then
    if type(value) ~= "table" then return nil, "no items" end
    return helpers.values(value, "")
  end
  if not places.isList(value) then return nil, "no items" end
  if items.kind == "edges" then return helpers.nodes(value) end
  if items.kind ~= "rows" then return value end
  if items.columns == "first" then return helpers.named(table.move(value, 2, #value, 1, {}), value[1]) end
  return helpers.named(value, items.columns and places.at(answer, items.columns))
end

return lists
