-- Change sets by hand and computed: the data change, the collection is told, and a reader follows.
-- Run: lookahead run scripts/workflows/collection.lua

local data = { { "apples", "pears" }, { "leeks" } }
local list = lookahead.collection { data = data }

-- Emits each operation of the last change set, in the order in which a reader applies them.
local function emitChanges(title)
  local changes = list:lastChangeSet()
  for _, kind in ipairs { "deletedItems", "insertedItems", "movedItems" } do
    for _, place in ipairs(changes[kind]) do
      lookahead.emit { set = title, kind = kind, place = place }
    end
  end
end

list:performBatchUpdates(function(updates)
  table.remove(data[1], 1)
  updates:deleteItems { { 1, 1 } }        -- { section, item }, before the update
  table.insert(data[2], 1, "beans")
  updates:insertItems { { 2, 1 } }        -- after the update
end, function(finished)
  lookahead.log.info("visible", { finished = finished, items = #list.visible[1] + #list.visible[2] })
end)
list:wait()
emitChanges("by hand")

-- The same without counting: the collection finds the difference.
list:apply { { "plums", "pears" }, { "leeks", "beans" } }
list:wait()
emitChanges("computed")

-- A set that does not add up changes nothing, and says why.
local changed, failure = lookahead.try(function() list:deleteItems { { 1, 1 } } return true end)
if not changed then
  lookahead.emit { set = "wrong", kind = failure.code, place = { failure.section } }
end
