-- Declaring: tables are checked against a description of their keys; a wrong key names the nearest right one.
local host, lookahead = ...

local function distance(a, b)
  local row = {}
  for j = 0, #b do row[j] = j end
  for i = 1, #a do
    local previous = row[0]
    row[0] = i
    for j = 1, #b do
      local cost = a:byte(i) == b:byte(j) and 0 or 1
      previous, row[j] = row[j], math.min(row[j] + 1, row[j - 1] + 1, previous + cost)
    end
  end
  return row[#b]
end

--- The name in `known` (a table with names as keys) that is nearest to `name`; nil when none is near.
function host.nearest(name, known)
  local most = math.max(2, #name // 3)
  local best, bestDistance
  for candidate in pairs(known) do
    -- At least as many letters as one has more than the other are inserted.
    local d = math.abs(#name - #candidate) <= most and distance(name:lower(), candidate:lower())
    if d and d <= most and (not bestDistance or d < bestDistance or (d == bestDistance and candidate < best)) then
      best, bestDistance = candidate, d
    end
  end
  return best
end

--- ` (did you mean 'x'?)`, or the list of all names when none is near.
function host.hint(name, known)
  local nearest = host.nearest(name, known)
  if nearest then return (" (did you mean '%s'?)"):format(nearest) end
  local names = {}
  for candidate in pairs(known) do names[#names + 1] = candidate end
  table.sort(names)
  return (" (known: %s)"):format(table.concat(names, ", "))
end

--- The names of several tables together, for a hint.
function host.names(...)
  local names = {}
  for _, known in ipairs { ... } do
    for name in pairs(known) do names[name] = true end
  end
  return names
end

--- A table of the script's as it is, without what its metatable says, and out of the script's reach.
function host.raw(given)
  local copy = {}
  for key, value in pairs(given) do copy[key] = value end
  return copy
end

--- The elements of a list of the script's as they are, with their number as `n`.
function host.list(given)
  local copy = { n = host.length(given) }
  for position = 1, copy.n do copy[position] = rawget(given, position) end
  return copy
end

-- Checks of one value: each returns what was expected when the value does not fit; else nil, and for a table the copy
-- that is used from then on.
local checks = {}
host.checks = checks

local function kind(name, test)
  return function(value) if not test(value) then return name end end
end

checks.string = kind("a string", function(v) return type(v) == "string" end)
checks.boolean = kind("true or false", function(v) return type(v) == "boolean" end)
checks.table = function(v)
  if type(v) ~= "table" then return "a table" end
  return nil, host.raw(v)
end

local function givesElements(list) return #list ~= 0 or list[1] ~= nil end

--- Whether a table that has no elements gives some by its metatable, which are not looked at. One that refuses unknown
--- members gives none.
function host.standsForList(list)
  local isRight, gives = pcall(givesElements, list)
  return isRight and gives
end

--- A list, whose elements are counted from 1; a table of names has none, and what is meant is then one of its members.
function checks.list(v)
  if type(v) ~= "table" then return "a list" end
  if host.length(v) > 0 then return end
  if host.objectName(v) then return "a list" end
  if host.standsForList(v) then return "a list, but this table has no elements, only its metatable gives some" end
  for name in pairs(v) do
    return ("a list, but this table has no elements, only members such as '%s'"):format(tostring(name):sub(1, 40))
  end
end

checks.callable = kind("a function", function(v) return type(v) == "function" end)
checks.number = kind("a number", function(v) return type(v) == "number" end)
checks.seconds = kind("seconds, a number of at least 0", function(v) return type(v) == "number" and v >= 0 end)
checks.key = kind("a string or an integer", function(v)
  return type(v) == "string" or type(v) == "number" and math.tointeger(v) ~= nil and math.abs(v) < 9e18
end)
checks.anything = function() end
checks.plain = kind("a string, a number or true or false", function(v)
  return type(v) == "string" or type(v) == "number" or type(v) == "boolean"
end)

--- An integer of at least `low`.
function checks.atLeast(low)
  return function(v)
    if type(v) ~= "number" or not math.tointeger(v) or v < low then return ("an integer of at least %d"):format(low) end
    if v > 1e9 then return ("an integer from %d to a thousand million"):format(low) end
  end
end

--- A number above zero.
checks.positive = kind("a number above 0", function(v) return type(v) == "number" and v > 0 end)

--- One of these texts.
function checks.oneOf(...)
  local allowed = {}
  for _, text in ipairs { ... } do allowed[#allowed + 1] = ('"%s"'):format(text) end
  local wanted = table.concat(allowed, " or ")
  local known = { ... }
  return function(v)
    for _, text in ipairs(known) do if v == text then return end end
    return wanted
  end
end

--- Either of two checks.
function checks.either(a, b)
  return function(v)
    local first, copy = a(v)
    if not first then return nil, copy end
    local second, other = b(v)
    if second then return first .. " or " .. second end
    return nil, other
  end
end

--- A value as text; a float has all the digits that tell it from its neighbours.
function host.plainText(value)
  return math.type(value) == "float" and value - value == 0 and host.jsonEncode(value) or tostring(value)
end

--- Whether a number stands for its neighbours too.
function host.isRounded(value) return math.type(value) == "float" and not (value < 2 ^ 53 and value > -2 ^ 53) end

--- How a value looks in a message: texts in quotes, the rest by its type.
function host.shown(value)
  if type(value) == "string" then return ('"%s"'):format(#value > 40 and value:sub(1, 40) .. "…" or value) end
  if value ~= value then return "nan" end
  if type(value) == "number" or type(value) == "boolean" then return host.plainText(value) end
  return host.typeName(value)
end

--- The value of one key, or the copy of it that is to be used; raises at the caller's line unless it fits.
function host.checkKey(what, keys, key, value)
  if type(key) ~= "string" then
    host.misuse("%s: expected named keys, got %s", what, host.shown(key))
  end
  local check = keys[key]
  if not check then host.misuse("%s: unknown key '%s'%s", what, key, host.hint(key, keys)) end
  if value == nil then return nil end
  local expected, copy = check(value)
  if expected then host.misuse("%s: %s: expected %s, got %s", what, key, expected, host.shown(value)) end
  if copy ~= nil then return copy end
  return value
end

local function isBefore(a, b)
  if type(a) == type(b) and (type(a) == "string" or type(a) == "number") then return a < b end
  return type(a) < type(b)
end

--- The keys of a table in one order, so that of several mistakes it is always the same one that is reported.
function host.sortedKeys(values)
  local list = {}
  for key in pairs(values) do list[#list + 1] = key end
  if #list > 1 then table.sort(list, isBefore) end
  return list
end

--- A copy of `given`, checked: the table is read once, and what was checked is what is used. Raises at the caller's line
--- unless it is a table whose keys and values fit.
function host.check(what, keys, given, required)
  if type(given) ~= "table" then
    host.misuse("%s: expected a table, got %s", what, host.typeName(given))
  end
  local copy = host.raw(given)
  for _, key in ipairs(host.sortedKeys(copy)) do copy[key] = host.checkKey(what, keys, key, copy[key]) end
  for _, key in ipairs(required or {}) do
    if copy[key] == nil then host.misuse("%s: %s is missing", what, key) end
  end
  return copy
end

--- Checks positional arguments: pairs of a value and its check.
function host.checkArgument(what, position, value, check)
  local expected = check(value)
  if expected then
    host.misuse("%s: argument %d: expected %s, got %s", what, position, expected, host.shown(value))
  end
end
