-- The machine under glass: the pure parts, open to experiments.
local host, lookahead = ...
local checks = host.checks

local machine = {}
lookahead.machine = machine

local function directions(value)
  local expected = 'a list of "up", "down", "left", "right"'
  if type(value) ~= "table" then return expected end
  for _, name in ipairs(value) do
    if name ~= "up" and name ~= "down" and name ~= "left" and name ~= "right" then return expected end
  end
end

local function fields(...)
  local names = { ... }
  return function(value)
    local expected = "a table { " .. table.concat(names, ", ") .. " }"
    if type(value) ~= "table" then return expected end
    for _, name in ipairs(names) do if type(value[name]) ~= "number" then return expected end end
  end
end

local keys = {
  isFetching = checks.boolean, scrollDirection = directions, scrollableDirections = directions,
  bounds = fields("width", "height"), contentSize = fields("width", "height"), targetOffset = fields("x", "y"),
  leadingScreens = checks.number, isVisible = checks.boolean, isRightToLeft = checks.boolean,
  velocity = fields("x", "y"), flips = checks.boolean, delegate = checks.callable,
}

--- Texture's decision; returns the answer and the rule that gave it.
function machine.shouldFetchBatch(state)
  host.check("machine.shouldFetchBatch", keys, state, { "scrollableDirections", "bounds", "contentSize" })
  return host.shouldFetchBatch(state)
end

local Context = { __name = "lookahead.batchContext", __metatable = false }
local contexts = setmetatable({}, { __mode = "k" })
local contextMethods = {}

function Context.__index(context, key)
  if contextMethods[key] then return contextMethods[key] end
  if key == "isFetching" or key == "wasCancelled" then
    local isFetching, wasCancelled = host.batchContextState(contexts[context])
    if key == "isFetching" then return isFetching end
    return wasCancelled
  end
end

local function held(context, call)
  host.checkSelf(contexts[context], "batchContext:" .. call, "a batch context")
  return contexts[context]
end

function Context.__newindex() host.misuse("a batch context is changed by begin, complete and cancel only") end

--- Starts a fetch; returns its token.
function contextMethods:begin() return host.batchContextBegin(held(self, "begin")) end

--- Ends the fetch of the token (the newest one without); false says that no more is to come. True when it counted.
function contextMethods:complete(flag, token)
  if flag == nil then flag = true end
  return host.batchContextComplete(held(self, "complete"), flag == true, token)
end

--- Cancels the fetch of the token (the newest one without). True when it counted.
function contextMethods:cancel(token) return host.batchContextCancel(held(self, "cancel"), token) end

--- The state machine of a batch fetch, alone.
function machine.batchContext()
  local context = setmetatable({}, Context)
  contexts[context] = host.batchContextNew()
  return context
end

local Map = { __name = "lookahead.indexMap", __metatable = false }
Map.__index = Map

local function positions(what, list)
  host.checkArgument(what, 1, list, checks.table)
  local zeroBased = {}
  for number, position in ipairs(list) do
    host.checkArgument(what, number, position, checks.atLeast(1))
    zeroBased[number] = math.tointeger(position) - 1
  end
  return zeroBased
end

--- Old positions to new ones and back; nil where there is none.
function machine.indexMap(oldCount, deleted, inserted)
  host.checkArgument("machine.indexMap", 1, oldCount, checks.atLeast(0))
  local id = host.indexMapNew(oldCount, positions("machine.indexMap: deleted", deleted or {}),
    positions("machine.indexMap: inserted", inserted or {}))
  return setmetatable({ id = id }, Map)
end

--- The new position of an old one.
function Map:new(old) return host.indexMapLookup(self.id, old, true) end

--- The old position of a new one.
function Map:old(new) return host.indexMapLookup(self.id, new, false) end
