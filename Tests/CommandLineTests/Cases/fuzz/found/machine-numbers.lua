-- Numbers at the ends of their range trapped in the machine's pure parts
local machine = lookahead.machine
for _, number in ipairs { math.mininteger, math.maxinteger, -2.0 ^ 63, 2.0 ^ 63, 0.5, 0 / 0, math.huge, 1e-320 } do
  local map = machine.indexMap(5, { 2 }, { 1, 3 })
  print(pcall(map.new, map, number), pcall(map.old, map, number), pcall(machine.indexMap, number))
  print(pcall(machine.bound, { deadlines = { number }, latency = 0.1 }))
  print(pcall(machine.bound, { deadlines = { 1 }, latency = number }))
  print(pcall(machine.ranges, { itemLength = number, itemCount = 5, viewport = { width = 1, height = number } }))
end
