-- Policies: when to fetch. Those built in, those of a script, and ways to combine them.
local host, lookahead = ...
local checks = host.checks

local Policy = { __name = "lookahead.policy", __metatable = false }
Policy.__index = Policy

function Policy.__tostring(policy)
  return "policy: " .. (rawget(policy, "name") or "of a script")
end

local keys = {
  name = checks.string, parameters = checks.table, shouldBatchFetch = checks.callable, help = checks.string,
}

local function make(description)
  return setmetatable(description, Policy)
end

function host.isPolicy(value)
  return type(value) == "table" and host.debug.getmetatable(value) == Policy
end

-- A policy, the name of a built-in one ("leadingScreens(3)"), or a function.
local function policy(what, value)
  if host.isPolicy(value) then return value end
  if type(value) == "function" then return make { kind = "script", shouldBatchFetch = value } end
  if type(value) == "string" then
    local message = host.checkPolicyName(value)
    if message then host.misuse("%s: %s", what, message) end
    return make { kind = "named", name = value }
  end
  host.misuse("%s: expected a policy, got %s", what, host.shown(value))
end
host.policy = policy

local library = {}

--- A policy of the script's own.
local function declare(_, given)
  host.check("lookahead.policy", keys, given, { "shouldBatchFetch" })
  local parameters = {}
  for name, value in pairs(given.parameters or {}) do parameters[name] = value end
  return make {
    kind = "script", name = given.name, shouldBatchFetch = given.shouldBatchFetch, parameters = parameters,
  }
end

local function numbered(name, check, default)
  library[name] = function(value)
    if value == nil then value = default end
    host.checkArgument(name, 1, value, check)
    return make { kind = "builtIn", name = name, value = value }
  end
end

numbered("leadingScreens", checks.positive, 2.0)
numbered("prefetchDistance", checks.atLeast(0))
numbered("remainingTime", checks.positive)

for _, name in ipairs { "ramp", "majority", "everything", "onDemand" } do
  library[name] = function() return make { kind = "builtIn", name = name } end
end

local function combined(name)
  library[name] = function(...)
    local given = { ... }
    if #given == 1 and type(given[1]) == "table" and not host.isPolicy(given[1]) then given = given[1] end
    if #given == 0 then host.misuse("%s: expected at least one policy, got none", name) end
    local parts = {}
    for position, value in ipairs(given) do parts[position] = policy(name, value) end
    return make { kind = "combined", name = name, parts = parts }
  end
end

combined("anyOf")
combined("allOf")

--- The first, except while the second says yes.
function library.notWhile(first, second)
  return make { kind = "combined", name = "notWhile", parts = { policy("notWhile", first), policy("notWhile", second) } }
end

--- Starts when the policy says yes and goes on until so many screens remain.
function library.hysteresis(inner, screens)
  if type(inner) == "number" then inner, screens = screens, inner end
  host.checkArgument("hysteresis", 2, screens, checks.positive)
  return make { kind = "combined", name = "hysteresis", value = screens, parts = { policy("hysteresis", inner) } }
end

--- The policy, at most so many fetches per second.
function library.atMost(rate, inner)
  if type(inner) == "number" then rate, inner = inner, rate end
  host.checkArgument("atMost", 1, rate, checks.positive)
  return make { kind = "combined", name = "atMost", value = rate, parts = { policy("atMost", inner) } }
end

lookahead.policy = setmetatable(library, {
  __call = declare,
  __metatable = false,
  __index = function(_, name)
    host.misuse("lookahead.policy: unknown policy '%s'%s", tostring(name), host.hint(tostring(name), library))
  end,
})
