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
