-- Reading a source: the iterator is the reader, so its position drives the policy.
local host = ...
local methods = host.sourceMethods

local function closing(feed)
  return setmetatable({}, { __close = function() host.closeFeed(feed) end })
end

--- Iterates over items; waits where the next page is not there yet.
function methods:items()
  host.checkSource(self, "source:items")
  local feed, step = host.openFeed(host.sealed(self), host.prefetcherOf(self))
  local rows, position, count = nil, 0, 0
  local function advance()
    if position >= count then
      if count > 0 then host.moved(feed, count) end
      rows, count = host.nextItems(feed)
      position, count = 0, count or 0
      if not rows then return nil end
    end
    position = position + 1
    if position % step == 0 then host.moved(feed, position) end
    return rows[position]
  end
  return advance, nil, nil, closing(feed)
end

local Partitions = { __name = "lookahead.partitions", __metatable = false }
local parted = setmetatable({}, { __mode = "k" })

function Partitions.__tostring(partitions) return "partitions of " .. tostring(parted[partitions].source) end

--- A reading for each parent: what a script returns to have all of them read.
function methods:partitions(parents, parametersOf, options)
  host.checkSource(self, "source:partitions")
  if not host.isSource(parents) then host.checkArgument("source:partitions", 1, parents, host.checks.list) end
  host.checkArgument("source:partitions", 2, parametersOf, host.checks.callable)
  options = host.check("source:partitions", { limit = host.checks.atLeast(1) }, options or {})
  local partitions = setmetatable({}, Partitions)
  parted[partitions] = { source = self, parents = parents, parametersOf = parametersOf, limit = options.limit or 8 }
  return partitions
end

--- The source that is read in partitions; nil for anything else.
function host.partitioned(value)
  local mine = value ~= nil and parted[value]
  return mine and mine.source or nil
end

--- The name of the source that is returned, alone or in partitions; nil for anything else.
function host.returnedName(value)
  local source = host.isSource(value) and value or host.partitioned(value)
  return source and source.name
end

--- What one partition is read from, by the text of its parameters; a source that has no others is one.
function host.partition(returned, parameters)
  local mine = parted[returned]
  return host.sealed(mine and mine.source:with(host.jsonDecode(parameters)) or returned)
end

local function isSame(value, other)
  if type(value) ~= "table" then return value == other and math.type(value) == math.type(other) end
  if type(other) ~= "table" then return false end
  for key, member in pairs(value) do
    if not isSame(member, other[key]) then return false end
  end
  for key in pairs(other) do
    if value[key] == nil then return false end
  end
  return true
end

-- The parameters as a text from which another state reads the same; nil if there is none.
local function carried(parameters)
  local isText, text = pcall(host.jsonEncode, parameters)
  return isText and isSame(parameters, (host.jsonDecode(text))) and text or nil
end

-- Whether a partition was listed before, as where several parents lead to it: it is read once. So many are looked at.
local function isAgain(seen, definition)
  local isText, text = pcall(host.jsonEncode, definition.parameters)
  if not isText then return false end
  if not seen[text] then
    if seen.count < 100000 then seen[text], seen.count = true, seen.count + 1 end
    return false
  end
  seen.again = seen.again + 1
  if seen.again == 1 then
    host.log("warn", ("a partition is listed more than once, and read once: %s"):format(text:sub(1, 200)), nil)
  end
  return true
end

--- Has the sink read every partition, so many at a time; run as a task of its own.
function host.readPartitions(partitions, stream)
  local mine, seen = parted[partitions], { count = 0, again = 0 }
  local carries = host.carriesPartitions()
  local isSource = host.isSource(mine.parents)
  local isKnown = host.beginList(not isSource and host.length(mine.parents) or nil)
  local function read(parent, place)
    local parameters = mine.parametersOf(parent)
    if type(parameters) ~= "table" then
      error(("%s: source:partitions: parent %d: the function returned %s (expected a table of parameters)"):format(
        host.place(mine.parametersOf), place, host.shown(parameters)), 0)
    end
    local definition = host.sealed(mine.source:with(parameters))
    if isAgain(seen, definition) then return isKnown and host.listedAgain() end
    host.readIntoSink(definition, mine.limit, stream, carries and carried(definition.parameters) or nil,
      not isKnown)
  end
  local place = 0
  if isSource then
    for parent in mine.parents:items() do
      place = place + 1
      read(parent, place)
    end
  else
    for position = 1, host.length(mine.parents) do read(mine.parents[position], position) end
  end
  if not isKnown then host.endList() end
  local isEmpty = isSource and place == 0 or not isSource and host.length(mine.parents) == 0
  if isEmpty then host.log("info", "the list of partitions is empty: there is nothing to read", nil) end
end

--- Iterates over pages, each a list of items.
function methods:pages()
  host.checkSource(self, "source:pages")
  local feed = host.openFeed(host.sealed(self), host.prefetcherOf(self))
  local count = 0
  local function advance()
    local rows
    if count > 0 then host.moved(feed, count) end
    rows, count = host.nextItems(feed)
    count = count or 0
    return rows
  end
  return advance, nil, nil, closing(feed)
end

--- An ordered set of unique items that fetches when told to.
function methods:itemSet() return host.itemSetOf(self) end
