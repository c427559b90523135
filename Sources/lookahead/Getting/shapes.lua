-- Shapes of items: lists of objects, rows with columns, objects of objects.
local places = require "get.places"

local shapes = {}

--- Usual names of lists, by rank.
shapes.usual = {}
local usual = shapes.usual
--- The last rank of a name that says items, whatever else is there.
shapes.sure = 12
for rank, name in ipairs {
  "items", "data", "results", "records", "rows", "values", "value", "entries", "objects", "content", "hits", "docs",
  "nodes", "edges", "list", "elements", "members", "member", "features", "resources", "entry", "documents", "contents",
  "result", "children", "collection", "payload", "response", "d",
} do usual[name] = rank end

--- What the elements of a list are.
function shapes.kind(list)
  if #list == 0 then return "empty" end
  local counts = { object = 0, list = 0, scalar = 0 }
  for position = 1, #list do
    local value = list[position]
    local what = places.isList(value) and "list" or type(value) == "table" and "object" or "scalar"
    counts[what] = counts[what] + 1
  end
  for what, name in pairs { object = "objects", list = "rows", scalar = "scalars" } do
    if counts[what] == #list then return name end
  end
  return "mixed"
end

--- Whether an object is a list by its names: all of its values are objects that are alike.
function shapes.isMap(value, least)
  if not places.isObject(value) then return false end
  local count, shared, isNumbered = 0, nil, true
  for name, member in pairs(value) do
    if not places.isObject(member) or next(member) == nil then return false end
    count = count + 1
    isNumbered = isNumbered and tonumber(name) ~= nil
    local names = {}
    for inner in pairs(member) do if not shared or shared[inner] then names[inner] = true end end
    shared = names
  end
  return count > 0 and (isNumbered or count >= least and next(shared) ~= nil)
end

--- Where an object is that is a list by its names; nil where there is none.
function shapes.map(answer)
  if shapes.isMap(answer, 2) then return { path = {}, kind = "map" } end
  local level = { { path = {}, value = answer } }
  for depth = 1, 3 do
    local following = {}
    for _, above in ipairs(level) do
      for _, name in ipairs(places.names(above.value)) do
        local value, plain = above.value[name], places.plain(name)
        local path = table.move(above.path, 1, #above.path, 1, {})
        path[depth] = name
        if shapes.isMap(value, usual[plain] and 1 or 2) and not places.isAside(plain) then return { path = path, kind = "map" } end
        if places.isObject(value) and not places.isAside(plain) then following[#following + 1] = { path = path, value = value } end
      end
    end
    level = following
  end
end

-- Names of columns beside rows, or in the first one.
local function columns(answer, found)
  for depth = #found.path - 1, 0, -1 do
    local above = places.at(answer, table.move(found.path, 1, depth, 1, {}))
    for _, names in ipairs { { "columns" }, { "fields" }, { "headers" }, { "header" }, { "cols" }, { "columnNames" },
      { "column_names" }, { "meta" }, { "meta", "view", "columns" }, { "schema", "fields" }, { "metadata", "columns" } } do
      local list = places.isObject(above) and places.at(above, names)
      if places.isList(list) and #list > 0 and #list == #found.list[1] then
        local path = table.move(found.path, 1, depth, 1, {})
        return table.move(names, 1, #names, #path + 1, path)
      end
    end
  end
  local first, known = found.list[1], {}
  for position = 1, #first do
    local name = first[position]
    if type(name) ~= "string" or known[name] or not name:find("%a") then return nil end
    known[name] = true
  end
  return #found.list > 1 and #first > 0 and "first" or nil
end

--- What else there is to know of a list that was chosen.
function shapes.described(answer, found)
  local items = { path = found.path, kind = "list" }
  if found.kind == "rows" then
    items.kind = "rows"
    items.columns = columns(answer, found)
  elseif found.kind == "objects" and found.path[#found.path] == "edges" and places.isObject(found.list[1].node) then
    items.kind = "edges"
  elseif found.kind == "map" then
    items.kind = "map"
  end
  return items
end

return shapes
