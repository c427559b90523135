-- The collection: change sets by hand, or computed. Pending is the newest data; its reader takes changes when the script
-- waits or is over, and visible is what it shows.
local host, lookahead = ...
local checks = host.checks

local Collection = { __name = "lookahead.collection", __metatable = false }
local Updates = { __name = "lookahead.updates", __metatable = false }
local methods, operations = {}, {}

-- What is behind each collection: the host's handle, the data in a box, the functions that read them.
local held = setmetatable({}, { __mode = "k" })
-- The collection of each `updates`; false when its function is over.
local updated = setmetatable({}, { __mode = "k" })

local keys = {
  -- The script's own table: what is in it is read whenever it has changed.
  data = checks.list, numberOfSections = checks.callable, numberOfItems = checks.callable, item = checks.callable,
  id = checks.either(checks.string, checks.callable), moves = checks.oneOf("real", "split"),
}
local applyKeys = { id = keys.id }

local function inner(list, call)
  local state = type(list) == "table" and held[list]
  host.checkSelf(state, "collection:" .. call, "a collection")
  return state
end

local function hasNames(section)
  for key in next, section do
    if key ~= "id" and math.type(key) ~= "integer" then return true end
  end
end

--- The functions that read the sections in `box.data`: their number, the items of each, an item, the id of a section.
function host.sectionReaders(box)
  return {
    function() return host.length(box.data) end,
    function(section)
      local items = rawget(box.data, section)
      local count = type(items) == "table" and host.length(items)
      local got = not count and host.shown(items)
        or count == 0 and (hasNames(items) and "named keys" or host.objectName(items) or host.standsForList(items) and "a table without elements of its own")
      if not got then return count end
      return { fault = ("section %d of the data: expected a list of items, got %s"):format(section, got) }
    end,
    function(section, position)
      local items = rawget(box.data, section)
      return type(items) == "table" and rawget(items, position) or nil
    end,
    function(section)
      local items = rawget(box.data, section)
      return type(items) == "table" and rawget(items, "id") or nil
    end,
  }
end

local function same(a, b, depth)
  if rawequal(a, b) then return true end
  if type(a) ~= "table" or type(b) ~= "table" then return type(a) == "number" and a ~= a and b ~= b end
  if depth == 0 then return false end
  local count = 0
  for key, value in pairs(a) do
    if not same(value, rawget(b, key), depth - 1) then return false end
    count = count + 1
  end
  for _ in pairs(b) do count = count - 1 end
  return count == 0
end

--- Whether two items look the same.
function host.haveSameContents(a, b) return same(a, b, 50) end

local function one() return 1 end
local function nothing() end

--- A collection of sections of items. It reads the script's data, or asks its functions, when they change.
function lookahead.collection(settings)
  settings = host.check("lookahead.collection", keys, settings)
  local asks = settings.numberOfSections or settings.numberOfItems or settings.item
  if settings.data and asks then
    host.misuse("lookahead.collection: data and functions say the same thing twice: set one of them")
  end
  if not settings.data and not (settings.numberOfItems and settings.item) then
    host.misuse("lookahead.collection: data is missing (or the functions numberOfItems and item)")
  end
  local state = { box = { data = settings.data }, id = settings.id }
  state.readers = settings.data and host.sectionReaders(state.box)
    or { settings.numberOfSections or one, settings.numberOfItems, settings.item, nothing }
  state.handle = host.collectionNew(settings.moves or "real", table.unpack(state.readers))
  local list = setmetatable({}, Collection)
  held[list] = state
  return list
end

for _, name in ipairs {
  "insertItems", "deleteItems", "reloadItems", "moveItem", "insertSections", "deleteSections", "reloadSections",
  "moveSection", "reloadData",
} do
  operations[name] = function(updates, a, b)
    local state = type(updates) == "table" and updated[updates]
    if state == false then host.collectionClosed(name) end
    host.checkSelf(state, "updates:" .. name, "the updates of a collection")
    host.collectionSubmit(state.handle, name, a, b, table.unpack(state.readers))
  end
  methods[name] = function(list, a, b)
    local state = inner(list, name)
    host.collectionSubmit(state.handle, name, a, b, table.unpack(state.readers))
  end
end

--- Calls f, which changes the data and tells its updates of it; all of it is one change set, also when nested. The
--- completion is called when the set is visible, with true, or with false when there is none. f may not wait; without f
--- the set is empty.
function methods:performBatchUpdates(f, completion)
  local state = inner(self, "performBatchUpdates")
  if f ~= nil then host.checkArgument("collection:performBatchUpdates", 1, f, checks.callable) end
  if completion ~= nil then host.checkArgument("collection:performBatchUpdates", 2, completion, checks.callable) end
  local updates = setmetatable({}, Updates)
  updated[updates] = state
  local results
  local isDone = host.collectionPerform(state.handle, function()
    results = table.pack(pcall(f or nothing, updates))
    updated[updates] = false
    return results[1]
  end, completion, table.unpack(state.readers))
  if isDone then return end
  if results[2] == "attempt to yield from outside a coroutine" then
    host.misuse("collection:performBatchUpdates: its function may not yield: change the data in one go")
  end
  error(results[2], 0)
end

--- Begins a change set by hand, or one inside it: operations count after as many endUpdates.
function methods:beginUpdates() host.collectionBegin(inner(self, "beginUpdates").handle) end

--- Ends what beginUpdates began.
function methods:endUpdates(completion)
  local state = inner(self, "endUpdates")
  if completion ~= nil then host.checkArgument("collection:endUpdates", 1, completion, checks.callable) end
  host.collectionEnd(state.handle, completion, table.unpack(state.readers))
end

--- Makes these the data, with the change set that leads to them: what has the same id is the same item, and is reloaded
--- where it looks different. Sections are the same by their field `id` where all have one, else by their places.
function methods:apply(newData, options, completion)
  local state = inner(self, "apply")
  host.checkArgument("collection:apply", 1, newData, checks.list)
  options = host.check("collection:apply", applyKeys, options or {})
  if completion ~= nil then host.checkArgument("collection:apply", 3, completion, checks.callable) end
  if not state.box.data then
    host.misuse("collection:apply: the data come from functions: change what they give, and say what was changed")
  end
  local readers = host.sectionReaders { data = newData }
  host.collectionApply(state.handle, options.id or state.id, completion, table.unpack(readers))
  state.box.data = newData
end

--- The last change set that was taken, with its parts in the order in which they are applied; nothing before the first.
function methods:lastChangeSet()
  local changes = host.collectionLast(inner(self, "lastChangeSet").handle)
  if not changes then return nil end
  changes.sectionMap = host.indexMap(changes.sectionMap)
  for section, map in ipairs(changes.itemMaps) do changes.itemMaps[section] = host.indexMap(map) end
  return changes
end

--- Waits until everything pending is visible, with what completions have changed meanwhile; in an open update it does not.
function methods:wait()
  local handle = inner(self, "wait").handle
  repeat until not host.collectionWait(handle)
end

local derived = {
  pending = function(state) return host.collectionItems(state.handle, false) end,
  visible = function(state) return host.collectionItems(state.handle, true) end,
  data = function(state) return state.box.data end,
}

local known = {}
for name in pairs(methods) do known[name] = true end
for name in pairs(derived) do known[name] = true end

function Collection.__index(list, key)
  if methods[key] then return methods[key] end
  if derived[key] then return derived[key](held[list]) end
  host.misuse("a collection has no '%s'%s", tostring(key), host.hint(tostring(key), known))
end

function Collection.__newindex() host.misuse("a collection is changed by its operations only") end

function Updates.__index(_, key)
  if operations[key] then return operations[key] end
  host.misuse("the updates of a collection have no '%s'%s", tostring(key), host.hint(tostring(key), operations))
end

function Updates.__newindex() host.misuse("the updates of a collection hold nothing but its operations") end
