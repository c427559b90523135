-- The prefetcher: details of items by id, fetched ahead of their display; one fetch per id, whoever asks.
local host, lookahead = ...
local checks = host.checks

local Prefetcher = { __name = "lookahead.prefetcher", __metatable = false }
local Context = { __name = "lookahead.prefetchContext", __metatable = false }
local methods, contextMethods = {}, {}

-- What is behind each prefetcher: the host's handle, or the source whose handle is made when it is first used.
local held = setmetatable({}, { __mode = "k" })
-- The prefetcher of each source.
local ofSources = setmetatable({}, { __mode = "k" })
-- The fetch behind each context: handle and number.
local fetches = setmetatable({}, { __mode = "k" })

local keys = {
  fetch = checks.callable, capacity = checks.atLeast(1), staleAfter = checks.seconds, maxInFlight = checks.atLeast(1),
}

local counts = {
  "hits", "joins", "misses", "fetches", "failed", "cancelled", "evicted", "wasted", "inFlight", "queued", "count",
}

local function handle(prefetcher)
  local data = held[prefetcher]
  if not data.handle then
    local definition = host.sealed(data.source)
    data.handle = host.prefetcherNew(definition.prefetchItem, nil, nil, nil, definition)
  end
  return data.handle
end

local function inner(prefetcher, call)
  host.checkSelf(type(prefetcher) == "table" and held[prefetcher], "prefetcher:" .. call, "a prefetcher")
  return handle(prefetcher)
end

local function checkedID(call, id)
  host.checkArgument("prefetcher:" .. call, 1, id, checks.key)
  return id
end

local function checkedIDs(call, ids)
  host.checkArgument("prefetcher:" .. call, 1, ids, checks.list)
  ids = host.list(ids)
  local list = {}
  for position = 1, ids.n do
    local expected = checks.key(ids[position])
    if expected then
      host.misuse("prefetcher:%s: element %d: expected %s, got %s", call, position, expected, host.shown(ids[position]))
    end
    list[position] = ids[position]
  end
  return list
end

local function statistics(prefetcher)
  local values, stats = table.pack(host.prefetcherStatistics(handle(prefetcher))), {}
  for position, name in ipairs(counts) do stats[name] = values[position] end
  return stats
end

function Prefetcher.__index(prefetcher, key)
  if methods[key] then return methods[key] end
  if key == "stats" then return statistics(prefetcher) end
  host.misuse("a prefetcher has no '%s'%s", tostring(key),
    host.hint(tostring(key), host.names({ stats = true }, methods)))
end

function Prefetcher.__newindex(_, key)
  host.misuse("a prefetcher is set up when it is made: '%s' cannot be set", tostring(key))
end

--- Fetches details that will be wanted soon, the most important first.
function methods:prefetch(ids)
  local own = inner(self, "prefetch")
  host.prefetch(own, checkedIDs("prefetch", ids))
end

--- These are no longer expected to be wanted; whoever waits for one goes on waiting.
function methods:cancelPrefetch(ids)
  local own = inner(self, "cancelPrefetch")
  host.cancelPrefetch(own, checkedIDs("cancelPrefetch", ids))
end

--- The details of an item; waits where they are not there yet. A failure is raised as the handler raised it.
function methods:get(id)
  local own = inner(self, "get")
  return host.detail(own, checkedID("get", id))
end

--- What is held, fresh or not; nil when nothing is.
function methods:peek(id)
  local own = inner(self, "peek")
  return host.heldDetail(own, checkedID("peek", id))
end

--- Forgets what is held of these ids, or of all; what is being fetched is fetched again.
function methods:invalidate(ids)
  local own = inner(self, "invalidate")
  host.invalidateDetails(own, ids ~= nil and checkedIDs("invalidate", ids) or nil)
end

--- Makes a prefetcher.
function lookahead.prefetcher(given)
  given = host.check("lookahead.prefetcher", keys, given, { "fetch" })
  local prefetcher = setmetatable({}, Prefetcher)
  held[prefetcher] =
    { handle = host.prefetcherNew(given.fetch, given.capacity, given.staleAfter, given.maxInFlight) }
  return prefetcher
end

--- The prefetcher of a source that has prefetchItem.
function host.sourcePrefetcher(source, name)
  if not source.prefetchItem then
    host.misuse("source '%s' has no prefetchItem, so it has no prefetcher: declare function %s.prefetchItem(id, context)",
      name, name:match("^[%a_][%w_]*$") or "source")
  end
  local prefetcher = ofSources[source]
  if not prefetcher then
    prefetcher = setmetatable({}, Prefetcher)
    held[prefetcher] = { source = source }
    ofSources[source] = prefetcher
  end
  return prefetcher
end

--- The host's side of a source's prefetcher; nil where it has none.
function host.prefetcherOf(source)
  return source.prefetchItem and handle(source.prefetcher) or nil
end

local known = { attempt = true, isPrefetch = true, isCancelled = true, parameters = true }

function Context.__index(context, key)
  if contextMethods[key] then return contextMethods[key] end
  if key == "isPrefetch" then
    local fetch = fetches[context]
    return host.isPrefetch(fetch.handle, fetch.number)
  end
  if known[key] then return nil end
  host.misuse("the context of a prefetch has no '%s'%s", tostring(key), host.hint(tostring(key), known))
end

function Context.__newindex(_, key)
  host.misuse("a handler returns the details: it does not set context.%s", tostring(key))
end

--- Whether nobody wants the answer any more.
function contextMethods:isCancelled()
  local fetch = fetches[self]
  host.checkSelf(fetch, "context:isCancelled", "the context of a prefetch")
  return host.isDetailCancelled(fetch.handle, fetch.number)
end

--- Runs a handler; called by the host in a coroutine of its own.
function host.runPrefetch(fetch, own, number, id, attempt, parameters)
  local context = setmetatable({ attempt = attempt, parameters = parameters }, Context)
  fetches[context] = { handle = own, number = number }
  local details = fetch(id, context)
  if details ~= nil then return details end
  error(("%s: the handler returned nothing for %s (expected the details of the item, or false where there are none)")
    :format(host.place(fetch), host.shown(id)), 0)
end
