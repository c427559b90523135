-- Partitions whose handlers compute and wait for nothing, to measure what a second thread brings.
-- Run: lookahead run computing.lua --jobs 2 -o rows.ndjson

local parameters = lookahead.parameters {
  count = { default = 400, partition = false, help = "partitions" },
  steps = { default = 1000000, partition = false, help = "steps of each" },
}
local rows = lookahead.source { name = "items" }

function rows.fetch(context)
  local part, sum = context.parameters.part, 0
  for step = 1, parameters.steps do sum = (sum * 31 + step ~ part) & 0xffffff end
  return { items = { { id = part, sum = sum } } }
end

local parts = {}
for part = 1, parameters.count do parts[part] = part end
return rows:partitions(parts, function(part) return { part = part } end)
