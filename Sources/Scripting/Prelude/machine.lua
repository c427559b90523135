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
  return nil, host.list(value)
end

local function fields(...)
  local names = { ... }
  return function(value)
    local expected = "a table { " .. table.concat(names, ", ") .. " }"
    if type(value) ~= "table" then return expected end
    local copy = host.raw(value)
    for _, name in ipairs(names) do if type(copy[name]) ~= "number" then return expected end end
    return nil, copy
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
  state = host.check("machine.shouldFetchBatch", keys, state, { "scrollableDirections", "bounds", "contentSize" })
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
local maps = setmetatable({}, { __mode = "k" })

local function positions(what, list)
  host.checkArgument(what, 1, list, checks.table)
  local zeroBased = {}
  for number, position in ipairs(list) do
    host.checkArgument(what, number, position, checks.atLeast(1))
    zeroBased[number] = math.tointeger(position) - 1
  end
  return zeroBased
end

-- What can be deleted is there before.
local function oldPositions(oldCount, list)
  local zeroBased = positions("machine.indexMap: deleted", list)
  for number, position in ipairs(zeroBased) do
    if position >= oldCount then
      host.misuse("machine.indexMap: deleted: argument %d: expected a position of the old ones, 1 to %d, got %d",
        number, oldCount, position + 1)
    end
  end
  return zeroBased
end

--- Old positions to new ones and back; nil where there is none.
function machine.indexMap(oldCount, deleted, inserted)
  host.checkArgument("machine.indexMap", 1, oldCount, checks.atLeast(0))
  local id = host.indexMapNew(oldCount, oldPositions(oldCount, deleted or {}),
    positions("machine.indexMap: inserted", inserted or {}))
  return host.indexMap(id)
end

--- An index map of the host's, as scripts see it.
function host.indexMap(id)
  local map = setmetatable({}, Map)
  maps[map] = id
  return map
end

local function behind(map, call)
  host.checkSelf(maps[map], "indexMap:" .. call, "an index map")
  return maps[map]
end

--- The new position of an old one.
function Map:new(old) return host.indexMapLookup(behind(self, "new"), old, true) end

--- The old position of a new one.
function Map:old(new) return host.indexMapLookup(behind(self, "old"), new, false) end

local differenceKeys = { id = checks.either(checks.string, checks.callable), sections = checks.boolean }

local function areSections(list)
  for position = 1, host.length(list) do
    local value = rawget(list, position)
    if type(value) ~= "table" or next(value) ~= nil and rawget(value, 1) == nil then return false end
  end
  return true
end

--- The operations that turn one list into another, with as few moves as can be. Lists of lists are sections of items;
--- any other list counts as one section. `sections` says which where it could be either.
function machine.difference(old, new, options)
  host.checkArgument("machine.difference", 1, old, checks.table)
  host.checkArgument("machine.difference", 2, new, checks.table)
  options = host.check("machine.difference", differenceKeys, options or {})
  local sections = options.sections
  if sections == nil then sections = host.length(old) + host.length(new) > 0 and areSections(old) and areSections(new) end
  local arguments = { options.id or false }
  for _, list in ipairs { old, new } do
    local readers = host.sectionReaders { data = sections and list or { list } }
    table.move(readers, 1, 4, #arguments + 1, arguments)
  end
  return host.difference(table.unpack(arguments))
end

local function isLength(value) return type(value) == "number" and value >= 0 and value <= 1e12 end
local function isPlace(value) return type(value) == "number" and math.abs(value) <= 1e12 end

local function length(value)
  if not isLength(value) then return "a length, from 0 to a million million" end
end

local function lengths(list)
  if type(list) ~= "table" then return "a list of lengths" end
  list = host.list(list)
  for position = 1, list.n do
    if not isLength(list[position]) then
      return ("a list of lengths, from 0 to a million million (not %s at %d)"):format(
        host.shown(list[position]), position)
    end
  end
  return nil, list
end

local viewportChecks = { { "x", isPlace }, { "y", isPlace }, { "width", isLength }, { "height", isLength } }

local function viewport(value)
  local expected = "a table { x, y, width, height } of numbers up to a million million, lengths from 0 on"
  if type(value) ~= "table" then return expected end
  value = host.raw(value)
  for _, check in ipairs(viewportChecks) do
    local name, fits = check[1], check[2]
    local number = value[name]
    if number == nil and fits == isPlace then number = 0 end
    if number == nil then return ("%s (%s is missing)"):format(expected, name) end
    if not fits(number) then return ("%s (not %s as %s)"):format(expected, host.shown(number), name) end
  end
  return nil, value
end

local rangeKeys = {
  itemLength = length, itemLengths = lengths, itemCount = checks.atLeast(0), viewport = viewport,
  axis = checks.oneOf("vertical", "horizontal"), mode = checks.oneOf("minimum", "full", "visibleOnly", "lowMemory"),
  direction = checks.either(checks.oneOf("up", "down", "left", "right"), directions), isVisible = checks.boolean,
}

--- Which items are visible, displayed, preloaded and measured, each as { first, last }, and { 1, 0 } for none. The mode
--- is "full" and the direction down or right unless said otherwise.
function machine.ranges(settings)
  local copy = host.check("machine.ranges", rangeKeys, settings, { "viewport" })
  settings = copy
  if (settings.itemLength == nil) == (settings.itemLengths == nil) then
    host.misuse("machine.ranges: expected either itemLength, one for all items, or itemLengths, a list of them")
  end
  if settings.itemLength and not settings.itemCount then host.misuse("machine.ranges: itemCount is missing") end
  if settings.itemLengths and settings.itemCount and settings.itemCount ~= settings.itemLengths.n then
    host.misuse("machine.ranges: itemCount: expected %d, as many as itemLengths, got %d",
      settings.itemLengths.n, settings.itemCount)
  end
  if type(copy.direction) == "string" then copy.direction = { copy.direction } end
  local bounds = table.pack(host.ranges(copy))
  return {
    visible = { bounds[1], bounds[2] }, display = { bounds[3], bounds[4] },
    preload = { bounds[5], bounds[6] }, measure = { bounds[7], bounds[8] },
  }
end

local function isTime(value) return type(value) == "number" and math.abs(value) <= 1e9 end

local function times(value)
  if type(value) ~= "table" then return "a list of seconds" end
  value = host.list(value)
  for position = 1, value.n do
    if not isTime(value[position]) then
      return ("a list of seconds, up to a thousand million (not %s at %d)"):format(
        host.shown(value[position]), position)
    end
  end
  return nil, value
end

local function oneOrTimes(value)
  if type(value) == "table" then return times(value) end
  if not isTime(value) then return "seconds, or a list of them" end
end

local boundKeys = {
  deadlines = times, latency = oneOrTimes, slots = checks.atLeast(1), cursor = checks.boolean,
  memory = checks.atLeast(1),
}

--- The schedule that knows when pages will be needed and how long each takes: when they come, what a reader waits, and
--- the wait that no schedule can avoid. Everything is in seconds; `slots` is 1 unless said otherwise.
function machine.bound(problem)
  return host.bound(host.check("machine.bound", boundKeys, problem, { "deadlines", "latency" }))
end
