-- Partitions of three pages, each of one item that takes a millisecond, to measure what many open ones cost.
-- Run: lookahead run partitions.lua -e open=10000 -o rows.ndjson

local parameters = lookahead.parameters {
  count = { default = 16000, partition = false, help = "partitions" },
  open = { default = 100, partition = false, help = "so many at once" },
}
local rows = lookahead.source { name = "items", keys = "page", pageSize = 1, maxInFlight = 1 }

function rows.fetch(context)
  lookahead.sleep(0.001)
  return { items = { { id = context.parameters.part * 3 + context.key } }, isLast = context.key == 3 }
end

local parts = {}
for part = 0, parameters.count - 1 do parts[part + 1] = part end
return rows:partitions(parts, function(part) return { part = part } end, { limit = parameters.open })
