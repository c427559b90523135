-- A policy with other fields than it was made with was taken for another, or for an address
local function spoiled(key, value)
  local policy = lookahead.policy.anyOf("ramp", "ramp")
  pcall(rawset, policy, key, value)
  pcall(function() policy.parts[1] = value end)
  return policy
end
for key, value in pairs { name = "x", kind = "x", parts = { 1, 2, 3 }, value = 0 } do
  local source = lookahead.source {
    name = "s", fetch = function() return { items = { { id = 1 } } } end, policy = spoiled(key, value),
  }
  print(pcall(function() for _ in source:items() do end end))
end
