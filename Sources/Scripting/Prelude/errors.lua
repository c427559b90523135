-- Errors as scripts see them: misuse is a text at the caller's line, a failure of the world a table with a code.
local host, lookahead = ...

-- The prelude looks at tables as they are, whatever their metatables say; scripts keep the functions that ask them.
host.scriptPairs, host.scriptIpairs = pairs, ipairs

function pairs(list) return next, list, nil end

local rawget = rawget
local function following(list, position)
  local value = rawget(list, position + 1)
  if value ~= nil then return position + 1, value end
end

function ipairs(list) return following, list, 0 end

-- The metatables of the prelude's own objects: what these hold is the host's, and not a script's state.
host.metatables = setmetatable({}, { __mode = "k" })
host.scriptSetmetatable = setmetatable
local metatables, set = host.metatables, setmetatable

function setmetatable(value, metatable)
  metatables[metatable] = true
  return set(value, metatable)
end

local Failure = { __name = "lookahead.error" }

function Failure.__tostring(failure)
  return (failure.where or "") .. tostring(failure.message)
end

Failure.__metatable = false
host.failureMetatable = Failure

--- The line of the script that called the host, as "feed.lua:12". Behind a tail call there is none: then the place of the
--- task's function; nil where no script runs.
function host.callerPlace()
  return host.scriptPlace() or host.taskPlace()
end

local function callerPrefix()
  local place = host.callerPlace()
  return place and place .. ": " or ""
end

--- A failure of the world, at the caller's line: for network, permission, parse and the like.
function host.failure(fields)
  fields.where = callerPrefix()
  return setmetatable(fields, Failure)
end

function host.isFailure(value)
  return type(value) == "table" and host.metatable(value) == Failure
end

--- Raises misuse at the caller's line.
function host.misuse(format, ...)
  error(callerPrefix() .. (select("#", ...) > 0 and format:format(...) or format), 0)
end

--- Raises misuse unless a method was called on what it is a method of: `call` as "task:wait", `expected` as "a task".
function host.checkSelf(isRight, call, expected)
  if isRight then return end
  host.misuse("%s: expected %s (write %s(…), not %s(…))", call, expected, call, (call:gsub(":", ".")))
end

--- What an object of ours is called, as "item set"; nil for any other value.
function host.objectName(value)
  local shape = type(value) == "table" and host.metatable(value)
  if not metatables[shape] then return nil end
  if rawget(shape, "__sealed") then return "library" end
  local name = (rawget(shape, "__name") or ""):match("^lookahead%.(.+)")
  return name and (name:gsub("%u", function(letter) return " " .. letter:lower() end))
end

--- What a person calls the type of a value.
function host.typeName(value)
  if value == nil then return "nothing" end
  if value == lookahead.null then return "null" end
  if math.type(value) == "integer" then return "integer" end
  return host.objectName(value) or type(value)
end

host.setMetatable(lookahead.null, { __tostring = function() return "null" end, __metatable = false })

--- nil and the error instead of a raised failure of the world; misuse goes on.
function lookahead.try(f, ...)
  if type(f) ~= "function" then
    host.misuse("lookahead.try: expected a function, got %s", host.typeName(f))
  end
  local results = table.pack(pcall(f, ...))
  if results[1] then return table.unpack(results, 2, results.n) end
  if host.isFailure(results[2]) then return nil, results[2] end
  error(results[2], 0)
end
