-- The places of an answer: what stands where, apart from the items.
local places = {}

local null = lookahead.null

--- A name as all its spellings are: nextPage_Token and next-page-token are nextpagetoken.
function places.plain(name) return (tostring(name):lower():gsub("[^%w]", "")) end

--- Whether a value is a list; an empty object is none.
function places.isList(value)
  if type(value) ~= "table" then return false end
  return #value > 0 or next(value) == nil and lookahead.json.encode(value) == "[]"
end

function places.isObject(value) return type(value) == "table" and not places.isList(value) end

--- The names of an object in an order that is always the same; numbers by their value.
function places.names(value)
  local names = {}
  for name in pairs(value) do names[#names + 1] = name end
  table.sort(names, function(a, b)
    local first, second = tonumber(a), tonumber(b)
    if first and second and first ~= second then return first < second end
    if (first == nil) ~= (second == nil) then return first ~= nil end
    return tostring(a) < tostring(b)
  end)
  return names
end

--- The value at a path; nil for null too.
function places.at(value, path)
  for _, name in ipairs(path) do
    if type(value) ~= "table" then return nil end
    value = value[name]
  end
  if value ~= null then return value end
end

--- A path as people write it.
function places.shown(path)
  if #path == 0 then return "." end
  local names = {}
  for position, name in ipairs(path) do names[position] = tostring(name) end
  return table.concat(names, ".")
end

-- The longest names first: dots may be part of them.
local function follow(value, words, from, path)
  if from > #words then return path end
  if type(value) ~= "table" then return nil end
  for to = #words, from, -1 do
    local name = table.concat(words, ".", from, to)
    local number = math.tointeger(tonumber(name))
    local key = value[name] ~= nil and name or places.isList(value) and number or nil
    if key ~= nil and value[key] ~= nil then
      local longer = table.move(path, 1, #path, 1, {})
      longer[#longer + 1] = key
      local found = follow(value[key], words, to + 1, longer)
      if found then return found end
    end
  end
end

--- The path that a text names in an answer, and whether there is something.
function places.path(answer, text)
  local words = {}
  if text == "." then return words, true end
  for word in text:gmatch("[^.]+") do words[#words + 1] = word end
  local found = follow(answer, words, 1, {})
  return found or words, found ~= nil
end

local function isUnder(path, other)
  for position, name in ipairs(other) do if path[position] ~= name then return false end end
  return true
end

--- All that stands around the items: { path, name, plain, value, parents }, what is nearer to the top first.
function places.around(answer, itemsPath)
  local found = {}
  local level = { { path = {}, value = answer, parents = "" } }
  for depth = 1, 5 do
    local following = {}
    for _, above in ipairs(level) do
      for _, name in ipairs(places.names(above.value)) do
        local path = table.move(above.path, 1, #above.path, 1, {})
        path[depth] = name
        local value = above.value[name]
        local isItems = #path >= #itemsPath and isUnder(path, itemsPath)
        if not isItems then
          local place = {
            path = path, name = tostring(name), plain = places.plain(name), value = value, parents = above.parents,
            isBeside = #above.path <= #itemsPath and isUnder(itemsPath, above.path),
          }
          if type(name) == "string" then found[#found + 1] = place end
          local isWay = #path < #itemsPath and isUnder(itemsPath, path)
          if places.isObject(value) or isWay then
            following[#following + 1] = { path = path, value = value, parents = above.parents .. "." .. place.plain }
          end
        end
      end
    end
    level = following
  end
  return found
end

-- What no one means as a list of items, or as something that says how it goes on.
local asides = {
  links = true, link = true, errors = true, warnings = true, included = true, includes = true, facets = true,
  facetcounts = true, aggregations = true, columns = true, fields = true, headers = true, sort = true, filters = true,
  queries = true, schema = true, ratelimit = true, quota = true, breadcrumbs = true, highlighting = true,
}

function places.isAside(plain) return asides[plain] == true end

--- The members that an object has, for people.
function places.members(value)
  if type(value) ~= "table" then return lookahead.json.encode(value) end
  if places.isList(value) then return ("a list of %d"):format(#value) end
  local names = places.names(value)
  for position, name in ipairs(names) do names[position] = tostring(name) end
  return #names > 0 and table.concat(names, ", ") or "no names"
end

return places
