-- Errors as scripts see them: misuse is a text at the caller's line, a failure of the world a table with a code.
local host, lookahead = ...

local Failure = { __name = "lookahead.error" }

function Failure.__tostring(failure)
  return (failure.where or "") .. tostring(failure.message)
end

Failure.__metatable = false
host.failureMetatable = Failure

--- A failure of the world: raised by the host for network, permission, parse and the like.
function host.failure(fields)
  return setmetatable(fields, Failure)
end

function host.isFailure(value)
  return type(value) == "table" and host.debug.getmetatable(value) == Failure
end

--- The first level outside of the host's own Lua code, for error(message, level).
function host.callerLevel()
  local level = 2
  while true do
    local info = host.debug.getinfo(level, "S")
    if not info then return 0 end
    if info.what ~= "C" and info.source:sub(1, 11) ~= "@lookahead:" then return level - 1 end
    level = level + 1
  end
end

--- Raises misuse at the caller's line.
function host.misuse(format, ...)
  error(select("#", ...) > 0 and format:format(...) or format, host.callerLevel() + 1)
end

--- What a person calls the type of a value.
function host.typeName(value)
  if value == nil then return "nothing" end
  if value == lookahead.null then return "null" end
  if math.type(value) == "integer" then return "integer" end
  return type(value)
end

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
