-- Policies: when to fetch. Those built in, those of a script, and ways to combine them.
local host, lookahead = ...
local checks = host.checks

local Policy = { __name = "lookahead.policy", __metatable = false }

-- What a policy is made of, away from the script, by what the script holds: its kind, name, value, parts, functions.
local definitions = setmetatable({}, { __mode = "k" })

-- Policies inside policies; more is a mistake, or an attack.
local deepest = 32

function Policy.__index(policy, key)
  if key == "name" then return definitions[policy].name end
end

function Policy.__newindex() host.misuse("a declared policy cannot be changed: declare another one") end

function Policy.__tostring(policy)
  return "policy: " .. (definitions[policy].name or "of a script")
end

local keys = {
  name = checks.string, parameters = checks.table, shouldBatchFetch = checks.callable, start = checks.callable,
  help = checks.string,
}

-- A definition, and what the script holds of it.
local function define(definition)
  definition.depth = 1
  for _, part in ipairs(definition.parts or {}) do definition.depth = math.max(definition.depth, part.depth + 1) end
  if definition.depth > deepest then
    host.misuse("%s: policies are nested deeper than %d", definition.name, deepest)
  end
  definition.shown = setmetatable({}, Policy)
  definitions[definition.shown] = definition
  return definition
end

local function make(definition) return define(definition).shown end

function host.isPolicy(value) return value ~= nil and definitions[value] ~= nil end

-- The definition of a policy, of the name of a built-in one ("leadingScreens(3)"), or of a function.
local function policy(what, value)
  if host.isPolicy(value) then return definitions[value] end
  if type(value) == "function" then return define { kind = "script", shouldBatchFetch = value } end
  if type(value) == "string" then
    local message = host.checkPolicyName(value)
    if message then host.misuse("%s: %s", what, message) end
    return define { kind = "named", name = value }
  end
  host.misuse("%s: expected a policy, got %s", what, host.shown(value))
end
host.policy = policy

local library = {}

--- A policy of the script's own.
local function declare(_, given)
  given = host.check("lookahead.policy", keys, given, { "shouldBatchFetch" })
  return make {
    kind = "script", name = given.name, shouldBatchFetch = given.shouldBatchFetch, start = given.start,
    parameters = given.parameters or {},
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
    local given = table.pack(...)
    if given.n == 1 and type(given[1]) == "table" and not host.isPolicy(given[1]) then given = host.list(given[1]) end
    if given.n == 0 then host.misuse("%s: expected at least one policy, got none", name) end
    local parts = {}
    for position = 1, given.n do parts[position] = policy(name, given[position]) end
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
