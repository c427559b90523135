-- What of an answer leads on by itself: links, cursors and the like, in its headers and around its items.
local names = require "get.names"
local places = require "get.places"
local signs = require "get.signs"
local ways = require "get.ways"

-- For a cursor with a name that is not known.
local general = { "cursor", "token", "page_token", "after", "next", "page", "start", "offset", "continuation", "from" }

-- What a member is called: its own name, or that of the object which it is in: next.href, paging.cursors.after.
local function role(place)
  local under = place.parents:match("([^.]*)$")
  if place.plain:find("next") and not place.plain:find("nextpagesize") then return place.plain end
  if under:find("^next") or under:find("^odatanext") then
    if place.plain == "href" or place.plain == "url" or place.plain == "uri" or place.plain == "link" then return under end
    local known = ways.parameters[place.plain] or place.plain == "page" or place.plain == "start"
    return known and place.plain or under .. place.plain, true
  end
  if ways.isAddress(place.value) and (place.plain:find("^more") or place.plain:find("^loadmore")) then return place.plain end
  return nil
end

local function parameters(name, plain)
  local list = {}
  local function add(parameter)
    for _, one in ipairs(list) do if one == parameter then return end end
    list[#list + 1] = parameter
  end
  for position, parameter in ipairs(ways.parameters[plain] or {}) do
    if position == 2 then add(name) end
    add(parameter)
  end
  if not ways.parameters[plain] then
    local rest = name:match("^[Nn]ext[_-]?(.+)$")
    if rest then add(rest:sub(1, 1):lower() .. rest:sub(2)) end
    add(name)
    for _, parameter in ipairs(general) do if #list < 6 then add(parameter) end end
  end
  return list
end

local function isScalars(value)
  local count = 0
  for name, member in pairs(value) do
    if type(name) ~= "string" or type(member) == "table" or type(member) == "userdata" or type(member) == "boolean"
      or ways.isAddress(member) or places.plain(name) == "href" then
      return false
    end
    count = count + 1
  end
  return count > 1
end

-- Whether a list of links leads on, and whether it ends here: it has other links of pages.
local function relatedLink(list)
  local isPaged = false
  for position = 1, #list do
    local link = list[position]
    local relation = type(link) == "table" and (link.rel or link.relation or link.name)
    for _, name in ipairs(type(relation) == "table" and relation or { relation }) do
      if name == "next" then return true, false end
      isPaged = isPaged or name == "first" or name == "last" or name == "prev" or name == "previous"
    end
  end
  return false, isPaged
end

-- Whether a name with "next" is about pages, and not about the next of something else.
local function isOfPages(plain)
  if ways.parameters[plain] or plain == "next" then return true end
  for _, word in ipairs { "page", "cursor", "token", "link", "ur[li]", "href", "offset", "key", "marker", "continu", "start", "after",
    "batch", "results", "records", "items" } do
    if plain:find(word) then return true end
  end
  return false
end

-- Whether a member repeats what was asked for.
local function isOfRequest(place)
  for _, word in ipairs { "param", "filter", "criteria", "request" } do
    if place.parents:find(word, 1, true) then return true end
  end
  return false
end

-- A member whose value leads on, as ways to try.
local function read(found, answer, place)
  local value, plain = place.value, place.plain
  local called = role(place)
  if (plain == "links" or plain == "link") and places.isList(value) then
    local leads, isEnd = relatedLink(value)
    if leads or isEnd then found[#found + 1] = { kind = "related", path = place.path, rank = 1, isEnd = isEnd } end
    return
  end
  if plain:find("prev") or plain:find("^before") or names.isAnswer(value) then return end
  local isCursor = ways.parameters[plain] and plain ~= "next"
  if plain == "offset" and type(value) ~= "string" then isCursor = false end
  if not called and not isCursor then return end
  if value == lookahead.null or value == "" then
    -- The id that a request goes behind is none in the answer to the first.
    if plain == "afterid" then return end
    -- What is nothing is the end only where it is surely about pages.
    if called and not isOfPages(plain) and not isOfPages(called) or isOfRequest(place) or signs.isElse(answer, place) then return end
    local isLink = called and (plain == "next" or plain:find("link") or plain:find("ur[li]") or plain:find("href"))
    found[#found + 1] = {
      kind = isLink and "link" or "token", path = place.path, isEnd = true, rank = 1,
      parameters = parameters(place.name, called or plain),
    }
  elseif type(value) == "table" and not places.isList(value) then
    if isScalars(value) or plain == "continue" then
      found[#found + 1] = { kind = "members", path = place.path, rank = 2 }
    end
    if plain == "lastevaluatedkey" then
      found[#found + 1] = { kind = "token", path = place.path, rank = 2, parameters = parameters(place.name, plain) }
    end
  elseif type(value) == "string" or type(value) == "number" then
    if ways.isAddress(value) then
      local base = table.move(place.path, 1, #place.path - 1, 1, {})
      base[#base + 1] = "base"
      if ways.isAddress(places.at(answer, base)) and value:find("^/") then
        found[#found + 1] = { kind = "based", path = place.path, base = base, rank = 1 }
      end
      found[#found + 1] = { kind = "link", path = place.path, rank = 1 }
      if not value:find("^/[%w+/]*=*$") then return end
    end
    if value == 0 or value == "0" or value == -1 then return end
    found[#found + 1] = {
      kind = "token", path = place.path, rank = called and 2 or 3, parameters = parameters(place.name, called or plain),
    }
  end
end

local function readHeaders(found, response)
  local links = response.links
  local isEmpty = (response.headers.link or ""):find('results="false"', 1, true) ~= nil
  if links.next or links.prev or links.previous or links.first or links.last or isEmpty then
    found[#found + 1] = { kind = "linked", rank = 0, isEnd = links.next == nil }
  end
  local names = {}
  for name in pairs(response.headers) do names[#names + 1] = name end
  table.sort(names)
  for _, name in ipairs(names) do
    local plain, value = places.plain(name), tostring(response.headers[name])
    if plain:find("next") and not plain:find("nextjs") or plain:find("continuation") or plain == "cursor" or plain == "xcursor"
      or plain:find("after$") and plain ~= "retryafter" then
      if value == "" then
        found[#found + 1] = { kind = "token", header = name, rank = 0.5, isEnd = true, parameters = parameters(name, plain) }
      elseif ways.isAddress(value) then
        found[#found + 1] = { kind = "link", header = name, rank = 0.5 }
      else
        local bare = plain:gsub("^x", "")
        local isPage = value:find("^%d+$") and plain:find("page")
        found[#found + 1] = {
          kind = "token", header = name, rank = 0.6,
          parameters = plain:find("after$") and { "after", "cursor" }
            or isPage and { "page", "p", "page_number", "pageNumber" } or parameters(name:gsub("^[Xx]%-", ""), bare),
        }
      end
    end
  end
end

--- What leads on by itself, the surest first: { kind, path or header, parameters, isEnd }.
return function(answer, response, around)
  local found = {}
  readHeaders(found, response)
  for _, place in ipairs(around) do read(found, answer, place) end
  -- A parameter that is called like another lead is that one's, where it is not the likeliest.
  local own = {}
  for _, lead in ipairs(found) do if lead.path and not lead.isEnd then own[places.plain(lead.path[#lead.path])] = lead end end
  for _, lead in ipairs(found) do
    for position = #(lead.parameters or {}), 2, -1 do
      local owner = own[places.plain(lead.parameters[position])]
      if owner and owner ~= lead then table.remove(lead.parameters, position) end
    end
  end
  for position, lead in ipairs(found) do lead.position = position end
  table.sort(found, function(a, b)
    if a.rank ~= b.rank then return a.rank < b.rank end
    return a.position < b.position
  end)
  return found
end
