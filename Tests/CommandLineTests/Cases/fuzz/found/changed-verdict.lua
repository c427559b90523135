-- A verdict that changes while it is read raised past the host
local function verdict()
  local t = {}
  for i = 1, 40 do
    t["k" .. i] = setmetatable({}, { __tostring = function()
      for key in next, t do t[key] = nil end
      for j = 1, 200 do t["n" .. i .. "-" .. j] = j end
      return "x"
    end })
  end
  return t
end
local source = lookahead.source { name = "s", fetch = function() return { items = { { id = 1 } } } end, policy = verdict }
for _ in source:items() do end
print(pcall(lookahead.log.info, "changed", verdict()))
