-- Pages through the time zones of the world, 25 at a time, and fetches ahead of the reader.
-- Run: scripts/lookahead run scripts/quickstart.lua

local zones = lookahead.source { name = "zones", id = "name", pageSize = 25 }

function zones.shouldBatchFetch(view)
  return view.remainingItems < 50
end

local database

function zones.fetch(context)
  database = database or lookahead.sqlite.open("data/zones.db")
  local rows = database:query([[
    select zones.name, countries.name as country, latitude, longitude
    from zones join countries on countries.code = zones.country
    where zones.name > ? order by zones.name limit ?]],
    { context.key or "", context.size })
  return { items = rows, nextKey = #rows == context.size and rows[#rows].name or nil }
end

return zones
