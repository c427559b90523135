-- Bookmarks that lose digits on their way to a request: `..` and tostring keep 14 of them.
local host = ...

-- By the coroutine of a fetch: what Lua makes of its bookmark, its digits, and what it is.
local roundings = setmetatable({}, { __mode = "k" })

local function digits(text) return (text:gsub("[eE].*", "")) end

--- Notes a bookmark that a handler gets: what it asks for with a rounded one begins at another place.
function host.noteRounding(bookmark)
  local rounded, exact = tostring(bookmark), host.plainText(bookmark)
  -- Few digits may stand for anything.
  if tonumber(rounded) == bookmark or #digits(rounded) <= 12 then return end
  roundings[coroutine.running()] = { digits(rounded), digits(exact), exact }
  host.hasRoundings = true
end

--- Fails where a request of a fetch has its bookmark with other digits.
function host.refuseRounding(url, body, headers)
  local rounding = roundings[coroutine.running()]
  if not rounding then return end
  local rounded, whole, exact = table.unpack(rounding)
  local function look(text)
    local _, last = text:find(rounded, 1, true)
    if last and not text:find("^%d", last + 1) and not text:find(whole, 1, true) then
      host.misuse("http: the bookmark %s has become %s, as .. and tostring keep 14 digits: say query = { since = context.bookmark }, "
        .. "or write it with lookahead.json.encode", exact, rounded)
    end
  end
  look(url)
  if body then look(body) end
  for _, header in ipairs(headers) do look(header[2]) end
end
