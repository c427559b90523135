-- Fetching one page: the batch context that a handler gets, and what becomes of its answer.
local host, lookahead = ...

local Context = { __name = "lookahead.context", __metatable = false }
local methods = {}

-- The fetch behind each context: feed, fetch, definition, isOver.
local held = setmetatable({}, { __mode = "k" })

local pageKeys = {
  items = host.checks.table, nextKey = host.checks.anything, previousKey = host.checks.anything,
  total = host.checks.anything, isLast = host.checks.anything, removed = host.checks.table,
}

-- What a context has, or may be given by the handler.
local settable = { nextKey = true, total = true, newBookmark = true }
local known = { key = true, size = true, direction = true, attempt = true, generation = true, parameters = true,
  query = true, nextKey = true, total = true, bookmark = true, bookmarkLimit = true, newBookmark = true }

function Context.__index(_, key)
  if methods[key] or known[key] then return methods[key] end
  host.misuse("a context has no '%s'%s", tostring(key), host.hint(tostring(key), host.names(known, methods)))
end

function Context.__newindex(context, key, value)
  if settable[key] then return rawset(context, key, value) end
  host.misuse("a handler sets context.nextKey, context.total and context.newBookmark only, not '%s'", tostring(key))
end

local null = lookahead.null

local function broken(fetch, format, ...)
  error(("%s: %s"):format(host.place(fetch.definition.fetch), format:format(...)), 0)
end

-- Fails for a number that stands for its neighbours too: what lies between them would be left out.
local function checkExact(fetch, what, value)
  if not host.isRounded(value) then return end
  broken(fetch, "%s: %s is more than a number keeps exactly: have the source give it as a text", what, host.shown(value))
end

-- nil for everything that says "no key".
local function key(fetch, name, value)
  if value == null or value == false or value == "" then return nil end
  checkExact(fetch, name, value)
  return value
end

local function count(fetch, name, value)
  if value == nil or value == null then return nil end
  local whole = math.tointeger(value)
  if not whole or whole < 0 or whole > 1e15 then
    broken(fetch, "%s: expected a count, got %s", name, host.shown(value))
  end
  return whole
end

-- What a page says, or where it does not, its context; both may say the same.
local function said(fetch, name, read, page, context)
  local given, set = page[name], rawget(context, name)
  local value, other = read(fetch, name, given), read(fetch, name, set)
  if given == nil then return other end
  local areTables = type(value) == "table" and type(other) == "table"
  if set ~= nil and value ~= other and not (areTables and host.jsonEncode(value) == host.jsonEncode(other)) then
    broken(fetch, "the page has %s = %s, and context.%s is %s: say it in one of them", name, host.shown(given), name, host.shown(set))
  end
  return value
end

local function isLast(fetch, value)
  if value == nil or value == null then return nil end
  if type(value) ~= "boolean" then broken(fetch, "isLast: expected true or false, got %s", host.shown(value)) end
  return value
end

-- Fails unless two bookmarks can be compared: both are numbers, or texts.
local function compare(fetch, value, best)
  local kind = type(value)
  if kind ~= "number" and kind ~= "string" then
    broken(fetch, "bookmark '%s': expected a number or a string, got %s", fetch.definition.bookmark, host.shown(value))
  end
  checkExact(fetch, ("bookmark '%s'"):format(fetch.definition.bookmark), value)
  if best ~= nil and best ~= null and type(best) ~= kind then
    broken(fetch, "bookmark '%s': a %s can't be compared with the %s before (%s and %s)", fetch.definition.bookmark, kind,
      type(best), host.shown(value), host.shown(best))
  end
end

-- What the text of a time ends with; nothing where no zone is written.
local function zone(time) return time:match("[+-]%d%d:?%d*$", 17) or time:match("[Zz]$") or "" end

-- Whether two texts may be numbers, or times, that have another order than the texts: they are written in two ways.
local function mayBeOthers(one, other)
  local isPlain = #one == #other and (one:byte(5) == 45 and other:byte(5) == 45 -- dates, as most are
    or not (one:find("^[+-]") or other:find("^[+-]") or one:find("^%d+%.") or other:find("^%d+%.")))
  return not isPlain and one:find("^[+-]?%d") ~= nil or isPlain and (one:byte(14) == 58 or other:byte(14) == 58) and (one:byte(11) ~= other:byte(11) or zone(one) ~= zone(other))
end

-- Whether a bookmark is greater than another one of its kind.
local function isLater(value, other)
  if type(value) == "string" and mayBeOthers(value, other) then return host.isLater(value, other) end
  return value > other
end

-- The greater of two bookmarks.
local function greater(fetch, value, best)
  compare(fetch, value, best)
  return (best == nil or best == null or isLater(value, best)) and value or best
end

-- The items whose bookmark is not beyond the greatest one that is wanted.
local function wanted(fetch, items)
  local bookmark, limit = fetch.definition.bookmark, fetch.bookmarkLimit
  if limit == nil or type(bookmark) ~= "string" then return items end
  local kept = {}
  for position = 1, host.length(items) do
    local item = items[position]
    local value = type(item) == "table" and item[bookmark]
    if value == nil or value == null or value == false then
      kept[#kept + 1] = item
    else
      compare(fetch, value, limit)
      if not isLater(value, limit) then kept[#kept + 1] = item end
    end
  end
  return kept
end

-- Sources whose bookmark is a member that items did not have, which was said.
local strangers = setmetatable({}, { __mode = "k" })

-- Without a bookmark each reading is one of everything, as where its name is misspelled.
local function warnOfStranger(fetch, items)
  local definition = fetch.definition
  if strangers[definition] then return end
  strangers[definition] = true
  local item = items[1]
  host.log("warn", ("%s: no item of this page has the member '%s', which is the bookmark%s"):format(
    host.place(definition.fetch), definition.bookmark, type(item) == "table" and host.hint(definition.bookmark, item) or ""), nil)
end

-- Moves the bookmark of the reading past these items.
local function follow(fetch, items)
  local bookmark = fetch.definition.bookmark
  local count = bookmark and fetch.remembers and host.length(items) or 0
  if count == 0 then return end
  local newest, ofPage, isThere = host.newBookmark(fetch.feed), nil, false
  for position = 1, count do
    local item = items[position]
    if type(bookmark) == "function" then
      newest = bookmark(item, newest)
    elseif type(item) == "table" then
      local value = item[bookmark]
      isThere = isThere or value ~= nil
      if math.type(value) == "float" and not host.isRounded(value) and not host.keepsDigits(item, bookmark) then
        broken(fetch, "bookmark '%s': the source has more digits of %s than a number keeps: have it give a text", bookmark, host.shown(value))
      end
      if value ~= nil and value ~= null then ofPage = greater(fetch, value, ofPage) end
    end
  end
  if not isThere and newest == nil and type(bookmark) == "string" then warnOfStranger(fetch, items) end
  if ofPage ~= nil then
    host.keepPageBookmark(fetch.feed, fetch.number, ofPage)
    newest = greater(fetch, ofPage, newest)
  end
  if newest ~= nil then host.keepBookmark(fetch.feed, newest) end
end

-- What a handler set as the bookmark itself.
local function keepBookmark(fetch, context)
  local given = rawget(context, "newBookmark")
  if fetch.remembers and given ~= nil and given ~= fetch.newBookmark then
    host.keepBookmark(fetch.feed, given, true)
  end
end

-- The id of an item, by which it is told from others.
local function identity(fetch, item)
  local definition = fetch.definition
  if type(definition.id) == "function" then return definition.id(item) end
  local id = type(item) == "table" and item[definition.id or "id"] or nil
  checkExact(fetch, "the id of an item", id)
  return id
end

-- Whether a member of an item says yes: null, 0 and an empty text do not, which are false in JSON and in databases.
local function says(value) return value and value ~= null and value ~= 0 and value ~= "" end

-- The items that the source still has, and those of them that it says are gone; an item that is gone is there no more, where it
-- came before in the same page.
local function parted(fetch, items)
  local isRemoved = fetch.definition.isRemoved
  if not isRemoved then return items end
  local kept, gone, places, goneAt = {}, {}, {}, {}
  for position = 1, host.length(items) do
    local item = items[position]
    if says(isRemoved(item)) then
      gone[#gone + 1] = item
      local id = identity(fetch, item)
      if id ~= nil and id == id then goneAt[id] = position end
    else
      kept[#kept + 1], places[#places + 1] = item, position
    end
  end
  if next(goneAt) == nil then return kept, gone end
  local present = {}
  for number, item in ipairs(kept) do
    local id = identity(fetch, item)
    local place = id ~= nil and goneAt[id]
    if not place or place < places[number] then present[#present + 1] = item end
  end
  return present, gone
end

-- The ids of items.
local function named(definition, items)
  if type(definition.id) ~= "function" then return nil end
  local ids = {}
  for position = 1, #items do ids[position] = definition.id(items[position]) or false end
  return ids
end

-- The bookmarks of items, false for those without.
local function bookmarked(items, field)
  local bookmarks = {}
  for position = 1, host.length(items) do
    local item = items[position]
    local bookmark = type(item) == "table" and item[field]
    if bookmark == null or bookmark == nil then bookmark = false end
    bookmarks[position] = bookmark
  end
  return bookmarks
end

-- The items after the transform, their ids where a function tells them, and the bookmarks that they had before.
local function prepared(definition, items)
  local bookmarks
  if definition.transform then
    local field = definition.bookmark
    bookmarks = type(field) == "string" and bookmarked(items, field) or nil
    items, bookmarks = host.transformed(items, definition.transform, host.addAll, bookmarks)
  end
  if type(definition.id) ~= "function" then return items, nil, bookmarks end
  local ids = {}
  for position = 1, host.length(items) do
    local id = definition.id(items[position])
    ids[position] = id == nil and false or id
  end
  return items, ids, bookmarks
end

local function over(context, call)
  local fetch = held[context]
  host.checkSelf(fetch, "context:" .. call, "the context of a fetch")
  if fetch.isOver then
    host.misuse("context:%s: this fetch is over: it was completed before", call)
  end
  return fetch
end

-- The fetches that have appended items without ids, by the page of a reading that they are of.
local appended = {}

-- Items that have no ids can't be told from those that an attempt before has appended.
local function appendOnce(fetch)
  if fetch.definition.id ~= false then return end
  if (appended[fetch.page] or fetch.number) ~= fetch.number then
    broken(fetch, "context:append: the attempt before has appended items that have no ids, so they would come twice: return the items, "
      .. "or give them ids")
  end
  appended[fetch.page] = fetch.number
end

--- Items, shown at once as a change set of their own.
function methods:append(items)
  local fetch = over(self, "append")
  appendOnce(fetch)
  if type(items) ~= "table" then
    host.misuse("context:append: expected a list of items, got %s", host.shown(items))
  end
  local received = host.length(items)
  local mistake = received == 0 and host.noList(items)
  if mistake then host.misuse("context:append: expected a list of items%s, got %s", mistake, host.shown(items)) end
  items = wanted(fetch, items)
  follow(fetch, items)
  local present, gone = parted(fetch, items)
  if gone and #gone > 0 then host.remove(fetch.feed, fetch.number, gone, named(fetch.definition, gone)) end
  local list, ids, bookmarks = prepared(fetch.definition, present)
  host.append(fetch.feed, fetch.number, list, received, ids, bookmarks)
end

--- The batch fetch is over; `more` says whether there may be more.
function methods:complete(more)
  local fetch = over(self, "complete")
  if type(more) == "table" then
    host.misuse("context:complete: expected whether there may be more, got a table: items are given to context:append, or returned")
  end
  fetch.isOver = true
  appended[fetch.page] = nil
  keepBookmark(fetch, self)
  if more == nil then more = true end
  fetch.isTaken = host.complete(fetch.feed, fetch.number, more ~= false and more ~= null, key(fetch, "nextKey", self.nextKey), count(fetch, "total", self.total))
end

--- The fetch failed; it is tried again as the source says.
function methods:fail(message, options)
  local fetch = over(self, "fail")
  host.checkArgument("context:fail", 1, message, host.checks.string)
  options = host.check("context:fail", { retryAfter = host.checks.seconds, retry = host.checks.boolean }, options or {})
  fetch.isOver = true
  fetch.isTaken = host.fail(fetch.feed, fetch.number, message, options.retryAfter, options.retry ~= false)
end

--- Whether nobody wants the answer any more.
function methods:isCancelled()
  local fetch = held[self]
  host.checkSelf(fetch, "context:isCancelled", "the context of a fetch")
  return not fetch.isTaken and host.isCancelled(fetch.feed, fetch.number)
end

-- The first key of a page that means nothing; nil if all do.
local function unknownKey(page)
  local unknown = {}
  for name in pairs(page) do if not pageKeys[name] then unknown[name] = true end end
  return host.sortedKeys(unknown)[1]
end

-- So few items are built in less time than it takes to let a request out before.
local fewItems = 16

-- A returned page, checked and handed over.
local function deliver(fetch, page, context)
  if type(page) ~= "table" then
    broken(fetch, "fetch returned %s (expected a page: { items = …, nextKey = … })", host.shown(page))
  end
  local elements = host.length(page)
  page = host.raw(page)
  if page.items == nil and elements > 0 then
    broken(fetch, "fetch returned a list of %d (expected a page: { items = <the list>, nextKey = … })", elements)
  end
  local unknown = unknownKey(page)
  if unknown ~= nil then
    broken(fetch, "fetch returned a page with an unknown key '%s'%s", tostring(unknown),
      type(unknown) == "string" and host.hint(unknown, pageKeys) or "")
  end
  if type(page.items) ~= "table" then
    broken(fetch, "fetch returned a page without items (expected a table, got %s)",
      page.items == nil and "nil" or host.typeName(page.items))
  end
  local received = host.length(page.items)
  local mistake = received == 0 and host.noList(page.items)
  if mistake then
    broken(fetch, "fetch returned a page without items (expected a list of items%s, got %s)", mistake, host.shown(page.items))
  end
  if page.removed ~= nil then
    mistake = host.noList(page.removed)
    if mistake then
      broken(fetch, "fetch returned a page whose removed is %s (expected a list of ids%s)", host.shown(page.removed), mistake)
    end
    host.removeIDs(fetch.feed, fetch.number, page.removed)
  end
  host.outline(fetch.feed, fetch.number, received, said(fetch, "nextKey", key, page, context),
    key(fetch, "previousKey", page.previousKey), said(fetch, "total", count, page, context), isLast(fetch, page.isLast),
    received > fewItems or fetch.definition.transform ~= nil)
  appended[fetch.page] = nil
  keepBookmark(fetch, context)
  local items = wanted(fetch, page.items)
  follow(fetch, items)
  local present, gone = parted(fetch, items)
  if gone and #gone > 0 then host.remove(fetch.feed, fetch.number, gone, named(fetch.definition, gone)) end
  host.page(fetch.feed, fetch.number, prepared(fetch.definition, present))
end

--- Runs a fetch handler; called by the host in a coroutine of its own.
function host.runFetch(
  definition, feed, number, pageKey, size, direction, attempt, generation, bookmark, bookmarkLimit, newBookmark)
  local context = { key = pageKey, size = size, direction = direction, attempt = attempt, generation = generation,
    parameters = definition.parameters or {}, query = definition.query, bookmark = bookmark, bookmarkLimit = bookmarkLimit,
    newBookmark = newBookmark }
  if math.type(bookmark) == "float" then host.noteRounding(bookmark) end
  setmetatable(context, Context)
  local fetch = { feed = feed, number = number, definition = definition,
    remembers = host.remembers(feed), newBookmark = newBookmark, bookmarkLimit = bookmarkLimit,
    page = definition.id == false and ("%s %s %s"):format(feed, generation, tostring(pageKey)) or false }
  held[context] = fetch
  local page = definition.fetch(context)
  if page ~= nil then
    if fetch.isOver then broken(fetch, "fetch returned a page after completing: do one of them") end
    fetch.isOver = true
    return deliver(fetch, page, context)
  end
  if fetch.isOver then return end
  fetch.isOver = true
  broken(fetch, "fetch ended without an answer: return a page { items = … }, or call context:complete(more)")
end
