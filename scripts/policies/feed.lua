-- A feed with a latency and a reader with a pace, to try the policies of this folder on.
-- Run: lookahead run scripts/policies/feed.lua --param policy=patient --param pace=200 --trace patient.trace

local parameters = lookahead.parameters {
  policy = { default = "remaining_time", help = "a script of this folder, without .lua" },
  count = { default = 200, help = "items in the feed" },
  latency = { default = 0.05, help = "seconds that a page takes" },
  pace = { default = 0.0, help = "items that the reader reads per second; 0: as fast as they come" },
}

local feed = lookahead.source {
  name = "feed", keys = "offset", pageSize = 20, policy = require(parameters.policy),
}

function feed.fetch(context)
  lookahead.sleep(parameters.latency)
  local items = {}
  for id = context.key + 1, math.min(context.key + context.size, parameters.count) do
    items[#items + 1] = { id = id, name = "item " .. id }
  end
  return { items = items, total = parameters.count }
end

for item in feed:items() do
  if parameters.pace > 0 then lookahead.sleep(1 / parameters.pace) end
  lookahead.emit(item)
end
