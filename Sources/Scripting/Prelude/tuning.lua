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

local function copied(value, seen)
  if type(value) ~= "table" then return value end
  if not seen[value] then
    local copy = {}
    seen[value] = copy
    for key, inner in next, value do copy[key] = copied(inner, seen) end
  end
  return seen[value]
end

--- What the host reads of a policy for the lab.
function host.policyFields(policy, fallback)
  local isBuiltIn = policy.kind == "named" or policy.kind == "builtIn"
  return {
    name = nameOf(policy, fallback), isBuiltIn = isBuiltIn, parameters = numbers(policy, {}), policy = policy,
  }
end

--- The policy with parameters of its own, a fresh table each: those given, and its own for the rest.
function host.tuned(policy, values)
  local tuned = {
    kind = policy.kind, name = policy.name, value = policy.value, shouldBatchFetch = policy.shouldBatchFetch,
  }
  if policy.parameters then
    tuned.parameters = copied(policy.parameters, {})
    for name, value in pairs(values) do
      if type(tuned.parameters[name]) == "number" then tuned.parameters[name] = value end
    end
  end
  if policy.parts then
    tuned.parts = {}
    for position, part in ipairs(policy.parts) do tuned.parts[position] = host.tuned(part, values) end
  end
  return tuned
end
