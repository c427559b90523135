-- Many partitions open at once: three pages of three items each, from handlers that wait for a millisecond.
-- lookahead run partitions.lua --no-state -o partitions.ndjson -e count=16000 -e open=1000
local given = lookahead.parameters { count = 16000, open = 1000 }

local rows = lookahead.source { name = "rows", keys = "page", pageSize = 3, maxInFlight = 1 }

function rows.fetch(context)
  lookahead.sleep(0.001)
  local first = context.parameters.number * 9 + context.key * 3 - 3
  local items = {}
  for place = 1, 3 do items[place] = { id = first + place } end
  return { items = items, isLast = context.key == 3 }
end

local numbers = {}
for number = 1, given.count do numbers[number] = number end

return rows:partitions(numbers, function(number) return { number = number } end, { limit = given.open })
