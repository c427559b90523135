-- Fetching one page: the batch context that a handler gets, and what becomes of its answer.
local host, lookahead = ...

local Context = { __name = "lookahead.context", __metatable = false }
local methods = {}

-- The fetch behind each context: feed, fetch, definition, isOver, place of the handler.
local held = setmetatable({}, { __mode = "k" })

local pageKeys = {
  items = host.checks.table, nextKey = host.checks.anything, previousKey = host.checks.anything,
  total = host.checks.anything, isLast = host.checks.anything,
}

-- What a context has, or may be given by the handler.
local settable = { nextKey = true, total = true }
local known = { key = true, size = true, direction = true, attempt = true, generation = true, parameters = true,
  query = true, nextKey = true, total = true }

function Context.__index(_, key)
  if methods[key] or known[key] then return methods[key] end
  host.misuse("a context has no '%s'%s", tostring(key), host.hint(tostring(key), host.names(known, methods)))
end

function Context.__newindex(context, key, value)
  if settable[key] then return rawset(context, key, value) end
  host.misuse("a handler sets context.nextKey and context.total only, not '%s'", tostring(key))
end

local null = lookahead.null

-- nil for everything that says "no key".
local function key(value)
  if value == null or value == false or value == "" then return nil end
  return value
end

local function broken(fetch, format, ...)
  error(("%s: %s"):format(fetch.place, format:format(...)), 0)
end

local function count(fetch, total)
  if total == nil or total == null then return nil end
  local whole = math.tointeger(total)
  if not whole or whole < 0 or whole > 1e15 then
    broken(fetch, "total: expected a count, got %s", host.shown(total))
  end
  return whole
end

-- What a transform made of one item, added to the items kept.
local function keep(kept, result)
  if result == nil then return end
  if type(result) == "table" and (result[1] ~= nil or next(result) == nil) then
    for _, item in ipairs(result) do kept[#kept + 1] = item end
  else
    kept[#kept + 1] = result
  end
end

-- The items after the transform, and their ids where a function tells them.
local function prepared(definition, items)
  if definition.transform then
    local kept = {}
    for position = 1, host.length(items) do keep(kept, definition.transform(items[position])) end
    items = kept
  end
  if type(definition.id) ~= "function" then return items end
  local ids = {}
  for position = 1, host.length(items) do
    local id = definition.id(items[position])
    ids[position] = id == nil and false or id
  end
  return items, ids
end

local function over(context, call)
  local fetch = held[context]
  host.checkSelf(fetch, "context:" .. call, "the context of a fetch")
  if fetch.isOver then
    host.misuse("context:%s: this fetch is over: it was completed before", call)
  end
  return fetch
end

--- Items, shown at once as a change set of their own.
function methods:append(items)
  local fetch = over(self, "append")
  if type(items) ~= "table" then
    host.misuse("context:append: expected a list of items, got %s", host.shown(items))
  end
  local received = host.length(items)
  local list, ids = prepared(fetch.definition, items)
  host.append(fetch.feed, fetch.number, list, received, ids)
end

--- The batch fetch is over; `more` says whether there may be more.
function methods:complete(more)
  local fetch = over(self, "complete")
  fetch.isOver = true
  if more == nil then more = true end
  host.complete(fetch.feed, fetch.number, more ~= false and more ~= null, key(self.nextKey), count(fetch, self.total))
end

--- The fetch failed; it is tried again as the source says.
function methods:fail(message, options)
  local fetch = over(self, "fail")
  host.checkArgument("context:fail", 1, message, host.checks.string)
  options = host.check("context:fail", { retryAfter = host.checks.seconds, retry = host.checks.boolean }, options or {})
  fetch.isOver = true
  host.fail(fetch.feed, fetch.number, message, options.retryAfter, options.retry ~= false)
end

--- Whether nobody wants the answer any more.
function methods:isCancelled()
  local fetch = held[self]
  host.checkSelf(fetch, "context:isCancelled", "the context of a fetch")
  return host.isCancelled(fetch.feed, fetch.number)
end

-- A returned page, checked and handed over.
local function deliver(fetch, page)
  if type(page) ~= "table" then
    broken(fetch, "fetch returned %s (expected a page: { items = …, nextKey = … })", host.shown(page))
  end
  local elements = host.length(page)
  page = host.raw(page)
  if page.items == nil and elements > 0 then
    broken(fetch, "fetch returned a list of %d (expected a page: { items = <the list>, nextKey = … })", elements)
  end
  for _, name in ipairs(host.sortedKeys(page)) do
    if not pageKeys[name] then
      broken(fetch, "fetch returned a page with an unknown key '%s'%s", tostring(name),
        type(name) == "string" and host.hint(name, pageKeys) or "")
    end
  end
  if type(page.items) ~= "table" then
    broken(fetch, "fetch returned a page without items (expected a table, got %s)",
      page.items == nil and "nil" or host.typeName(page.items))
  end
  host.outline(fetch.feed, fetch.number, host.length(page.items), key(page.nextKey), key(page.previousKey),
    count(fetch, page.total), page.isLast == true)
  host.page(fetch.feed, fetch.number, prepared(fetch.definition, page.items))
end

--- Runs a fetch handler; called by the host in a coroutine of its own.
function host.runFetch(definition, feed, number, context)
  setmetatable(context, Context)
  local fetch = { feed = feed, number = number, definition = definition, place = host.place(definition.fetch) }
  held[context] = fetch
  local page = definition.fetch(context)
  if page ~= nil then
    if fetch.isOver then broken(fetch, "fetch returned a page after completing: do one of them") end
    fetch.isOver = true
    return deliver(fetch, page)
  end
  if fetch.isOver then return end
  fetch.isOver = true
  broken(fetch, "fetch ended without an answer: return a page { items = … }, or call context:complete(more)")
end
