-- Policies in the lab: their names, and their tunable parameters.
local host = ...

--- What reports call a policy; `fallback` for one that has no name.
local function nameOf(policy, fallback)
  if policy.kind == "script" then return policy.name or fallback or host.place(policy.shouldBatchFetch) end
  if policy.kind == "named" then return policy.name end
  local arguments = {}
  for position, part in ipairs(policy.parts or {}) do arguments[position] = nameOf(part) end
  if policy.value then arguments[#arguments + 1] = host.numberText(policy.value) end
  if #arguments == 0 then return policy.name end
  return ("%s(%s)"):format(policy.name, table.concat(arguments, ", "))
end

-- The numbers among the parameters of a policy and its parts; the first of a name counts.
local function numbers(policy, found)
  for name, value in pairs(policy.parameters or {}) do
    if type(name) == "string" and type(value) == "number" and found[name] == nil then found[name] = value end
  end
  for _, part in ipairs(policy.parts or {}) do numbers(part, found) end
  return found
end

--- What the host reads of a policy for the lab.
function host.policyFields(policy, fallback)
  local isBuiltIn = policy.kind == "named" or policy.kind == "builtIn"
  return {
    name = nameOf(policy, fallback), isBuiltIn = isBuiltIn, parameters = numbers(policy, {}), policy = policy,
  }
end

-- The policy with other values for some of its parameters.
local function tuned(policy, values)
  local result = {
    kind = policy.kind, name = policy.name, value = policy.value, shouldBatchFetch = policy.shouldBatchFetch,
    start = policy.start,
  }
  if policy.parameters then
    result.parameters = {}
    for name, value in pairs(policy.parameters) do
      result.parameters[name] = type(value) == "number" and values[name] or value
    end
  end
  if policy.parts then
    result.parts = {}
    for position, part in ipairs(policy.parts) do result.parts[position] = tuned(part, values) end
  end
  return result
end

--- A policy for one feed and one session: with a copy of all that it reaches, random numbers from a seed of its own, and the
--- parameters that are given, its own for the rest. Where the isolate is not strict, what can't be copied at all is shared,
--- and the reason comes second.
function host.ownPolicy(policy, values, isolate, randomSeed)
  if policy.kind == "named" or policy.kind == "builtIn" then return policy end
  local own = tuned(policy, values)
  local isMade, made = pcall(host.isolated, own, isolate, randomSeed)
  if isMade then return made end
  if not isolate.isStrict then return own, tostring(made) end
  local place = policy.shouldBatchFetch and host.place(policy.shouldBatchFetch) .. ": " or ""
  error(place .. "the policy can't be made: " .. tostring(made), 0)
end
