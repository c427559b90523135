-- The items of one JSON file, to measure parsing and writing.
-- Run: lookahead run json_file.lua -e file=page.json -o items.ndjson

local parameters = lookahead.parameters { file = { required = true, help = "the file, {\"items\": […]}" } }
local items = lookahead.source { name = "items", pageSize = 1000 }

function items.fetch(context)
  return lookahead.json.page(parameters.file, { at = "items", key = context.key, size = context.size })
end

return items
