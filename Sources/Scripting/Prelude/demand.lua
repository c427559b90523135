-- The item set on demand: an ordered set of unique items that fetches a page when told to.
local host = ...
local checks = host.checks

local Set = { __name = "lookahead.itemSet", __metatable = false }
local methods = {}

-- What is behind each set: the host's handle, the definition, tables of items made so far, callbacks.
local held = setmetatable({}, { __mode = "k" })

local callbacks = { onPageLoaded = checks.callable, onPageLoadFailed = checks.callable, query = checks.table }
local states = { isFetching = 1, lastFetchedPage = 2, totalPages = 3, lastPageAlreadyFetched = 4, count = 5 }

local function inner(set, call)
  local data = held[set]
  if not data then host.misuse("itemSet:%s: write set:%s(), not set.%s()", call, call, call) end
  return data
end

local function item(data, position)
  local found = data.items[position]
  if found == nil then
    found = host.demandItem(data.handle, position)
    data.items[position] = found
  end
  return found
end

local function count(data)
  return (select(states.count, host.demandState(data.handle)))
end

local derived = {
  items = function(data)
    local list = {}
    for position = 1, count(data) do list[position] = item(data, position) end
    return list
  end,
  firstItem = function(data) return item(data, 1) end,
  lastItem = function(data) return item(data, count(data)) end,
}

local known = { items = true, firstItem = true, lastItem = true }
for name in pairs(states) do known[name] = true end
for name in pairs(callbacks) do known[name] = true end

function Set.__index(set, key)
  local data = held[set]
  if math.type(key) == "integer" then return item(data, key) end
  if methods[key] then return methods[key] end
  if states[key] then return (select(states[key], host.demandState(data.handle))) end
  if derived[key] then return derived[key](data) end
  if key == "query" then return data.definition.query end
  if callbacks[key] then return data[key] end
  host.misuse("an item set has no '%s'%s", tostring(key), host.hint(tostring(key), host.names(known, methods)))
end

function Set.__newindex(set, key, value)
  local data = held[set]
  value = host.checkKey("item set", callbacks, key, value)
  if key == "query" then
    data.definition.query = value
    host.demandQueryChanged(data.handle)
  else
    data[key] = value
  end
end

function Set.__len(set) return count(held[set]) end

-- Waits for a page; returns its new items. A failure goes to the callback where there is one, else it is raised.
local function fetch(set, page)
  local data = held[set]
  local outcome, value, isStarter
  repeat outcome, value, isStarter = host.demandFetch(data.handle, page) until outcome ~= "busy"
  if outcome == "loaded" then
    if data.definition.merge == "replace" then data.items = {} end
    if isStarter and data.onPageLoaded then data.onPageLoaded(value) end
    return value
  elseif outcome == "failed" then
    if not data.onPageLoadFailed then error(value, 0) end
    if isStarter then data.onPageLoadFailed(value) end
    return nil, value
  end
end

--- Fetches the page behind the last one; joins a fetch under way; nothing at the end.
function methods:fetchNextPage()
  inner(self, "fetchNextPage")
  return fetch(self)
end

--- Fetches any page, after one that is under way; a refetch adds only what is new.
function methods:fetchPage(page)
  inner(self, "fetchPage")
  host.checkArgument("itemSet:fetchPage", 1, page, checks.atLeast(1))
  return fetch(self, page)
end

--- Gives up the fetch under way; its answer is thrown away.
function methods:cancelFetch()
  host.demandCancel(inner(self, "cancelFetch").handle)
end

--- Forgets items and pages; the query stays.
function methods:reset()
  local data = inner(self, "reset")
  data.items = {}
  host.demandReset(data.handle)
end

--- Whether an item with that id is held.
function methods:contains(id)
  return host.demandContains(inner(self, "contains").handle, id)
end

-- The item set of a source.
function host.itemSetOf(source)
  local definition = host.sealed(source)
  local set = setmetatable({}, Set)
  held[set] = { handle = host.demandNew(definition), definition = definition, items = {} }
  return set
end
