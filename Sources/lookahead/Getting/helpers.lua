-- Functions of the scripts that get writes; the search for a way uses the same ones, so that both read an answer alike.
local helpers = {}

helpers.order = { "at", "failed", "isPart", "list", "values", "named", "nodes", "states", "checkStates", "related", "address", "failing",
  "comesAgain", "countsOn" }

helpers.texts = {
  at = [[
-- The value at a path of an answer; nil for null and for an empty text too.
local function at(value, ...)
  for _, name in ipairs { ... } do
    if type(value) ~= "table" then return nil end
    value = value[name]
  end
  if value ~= lookahead.null and value ~= "" then return value end
end]],
  failed = [[
-- What an answer says of a failure, around its list or one level below, and whether that may pass; nil where it says nothing of one.
-- `has` is "items" where it has some, which may be a part of what was asked for, and "nothing" where it has no list either.
local function failed(answer, has)
  local function isNothing(value)
    if type(value) == "table" and value ~= lookahead.null then
      for _, part in pairs(value) do if not isNothing(part) then return false end end
      return true
    end
    local text = tostring(value):lower()
    return value == lookahead.null or (" false 0 200 none ok success null no error no errors "):find(" " .. text .. " ", 1, true) ~= nil or text == ""
  end
  local function says(text)
    for _, word in ipairs { "error", "fail", "exception", "denied", "forbidden", "unauthor", "invalid", "exceed", "rate limit",
      "limit reached", "quota", "throttl", "too many", "not allowed", "timed out", "timeout", "unavailable", "maintenance", "expired",
      "try again", "busy" } do
      if text:lower():find(word, 1, true) then return true end
    end
  end
  local hasItems, passes = has == "items", true
  local function saying(part, above)
    local said = {}
    for name, value in pairs(part) do
      local plain = type(name) == "string" and " " .. name:lower():gsub("[_%-]", "") .. " " or "?"
      local number, text = tonumber(value), type(value) == "string" and value:lower() or ""
      local function is(words) return (" " .. words .. " "):find(plain, 1, true) ~= nil end
      local isPart = is "timedout incompleteresults partialresults partial isrunning ispartial" and (value == true or text == "true")
        or is "jobcomplete" and value == false
        or is "failed" and above == "_shards" and value ~= 0
        or is "unreachable" and type(value) == "table" and not isNothing(value)
        or is "remark" and says(text)
      local isWrong = is "success ok succeeded" and (value == false or value == "false" or value == 0 and not hasItems)
        or is "haserror haserrors iserror" and value == true
        or is "error errors errormessage errormessages errormsg errordescription fault faultstring exception exceptionmessage err"
          and not isNothing(value)
        or is "errorcode errcode errno" and number ~= nil and number ~= 0 and number ~= 200
        or not above and is "status stat state result code" -- beside items, "failed" may say what has become of a job
          and ((hasItems and "" or " failed failure") .. " error fail ko nok not_ok unauthorized forbidden "):find(" " .. text .. " ", 1, true) ~= nil
        or not hasItems and is "status stat state result code statuscode resultcode responsecode" and number ~= nil
          and (number >= 400 and number < 600 or number < 0)
        or not hasItems and not above and is "message msg errmsg statusmessage reason detail description" and not isNothing(value)
          and (has == "nothing" or says(text))
      if isPart or isWrong then said[name] = value end
      if isWrong then passes = false end
    end
    return next(said) ~= nil and lookahead.json.encode(said) or nil
  end
  if type(answer) ~= "table" then return nil end
  local said = saying(answer)
  for name, part in pairs(answer) do
    local isAbout = not hasItems or (" _shards meta response responseHeader "):find(" " .. name .. " ", 1, true)
    if not said and isAbout and type(part) == "table" and #part == 0 then said = saying(part, name) end
  end
  return said, said ~= nil and passes
end]],
  isPart = [[
-- Whether an answer says that it is a part of what was asked for: where that may pass it is asked for again, else it is an error.
local function isPart(answer, context)
  local said, passes = failed(answer, "items")
  if not said then return false end
  local text = "the answer is a part of what was asked for, and says: " .. said
  if not passes or (context.attempt or 4) > 3 then
    text = text .. "\n  To take such answers: --as-script, and leave the line with isPart out of the script."
    error(passes and { code = "http", message = text, isTransient = true } or text, 0)
  end
  context:fail(text)
  return true
end]],
  list = [[
-- The list of an answer. An empty page may leave it out where it has what only pages have, which is `page`; else that is an error.
local function list(value, place, answer, page)
  local function hasList(part)
    for _, below in pairs(part) do
      if type(below) == "table" and below ~= lookahead.null and (#below > 0 or hasList(below)) then return true end
    end
  end
  local function saysNone()
    for name, part in pairs(answer) do
      local plain = tostring(name):lower():gsub("[_%-]", "")
      local isCount = plain:find("^total") or plain:find("count$")
      if isCount and part == 0 or plain == "kind" and tostring(part):find("List$") then return true end
    end
    return next(answer) == nil
  end
  local isPage = type(page) == "table" and (page ~= answer or saysNone())
    or type(page) == "string" and page ~= "" or type(page) == "number" and page > 0
  local isBare = value == nil and (page == answer or type(page) ~= "table")
  local isMissing = value == lookahead.null or value == nil and isPage and not (isBare and hasList(answer))
  local failure = (isMissing or type(value) == "table" and #value == 0) and failed(answer, isBare and "nothing" or nil)
  if failure then error(("the answer has no items at %s, and says: %s"):format(place, failure), 0) end
  if isMissing then return {} end
  if type(value) ~= "table" or #value == 0 and next(value) ~= nil then
    local hint = value == nil and ("\n  If an empty page leaves it out, say so: --items %s"):format(place) or ""
    error(("the answer has no list at %s%s"):format(place, hint), 0)
  end
  return value
end]],
  plainList = [[
-- The list that an answer has; an answer without it is an error, and no empty page.
local function list(value, place, answer)
  local failure = (value == lookahead.null or type(value) == "table" and #value == 0) and failed(answer)
  if failure then error(("the answer has no items at %s, and says: %s"):format(place, failure), 0) end
  if value == lookahead.null then return {} end
  if type(value) ~= "table" or #value == 0 and next(value) ~= nil then
    local hint = value == nil and ("\n  If an empty page leaves it out, say so: --items %s"):format(place) or ""
    error(("the answer has no list at %s%s"):format(place, hint), 0)
  end
  return value
end]],
  values = [[
-- The values of an object in the order of their names, which they get as _key.
local function values(map, place)
  if type(map) ~= "table" then error(("the answer has no object at %s"):format(place), 0) end
  local names, list = {}, {}
  for name in pairs(map) do names[#names + 1] = name end
  table.sort(names, function(a, b)
    local first, second = tonumber(a), tonumber(b)
    if first and second and first ~= second then return first < second end
    if (first == nil) ~= (second == nil) then return first ~= nil end
    return tostring(a) < tostring(b)
  end)
  for position, name in ipairs(names) do
    local value = map[name]
    if type(value) ~= "table" then value = lookahead.json.renamed(map, { [name] = "value" }) end
    if value._key == nil then value._key = name end
    list[position] = value
  end
  return list
end]],
  named = [[
-- Rows as objects with the names of their columns.
local function named(rows, columns)
  local items, names = {}, {}
  local function name(place)
    local column = columns and columns[place]
    if type(column) == "table" then column = column.name or column.fieldName or column.field or column.id or column.title end
    return column and tostring(column) or "col" .. place
  end
  for position, row in ipairs(rows) do
    for place = #names + 1, #row do names[place] = name(place) end
    items[position] = lookahead.json.renamed(row, names)
  end
  return items
end]],
  nodes = [[
-- The nodes of a list of edges.
local function nodes(edges)
  local items = {}
  for _, edge in ipairs(edges) do items[#items + 1] = edge.node end
  return items
end]],
  states = [[
-- What an answer says of how it went, at its top and one level below: codes, states and messages by their paths.
local function states(answer, above, found)
  found = found or {}
  for name, value in pairs(answer) do
    local plain = tostring(name):lower():gsub("[_%-]", "")
    local isState = plain:find("code$") or plain:find("msg$") or plain:find("message$") or plain:find("^err")
      or (" status stat state success ok ret result reason "):find(" " .. plain .. " ", 1, true)
    if type(value) == "table" then
      if not above and #value == 0 then states(value, name .. ".", found) end
    elseif value ~= lookahead.null and isState then
      found[(above or "") .. name] = value
    end
  end
  return found
end]],
  checkStates = [[
-- Raises where an answer without items has another code or state than `usual`, that of pages with items, and none that says that there
-- is nothing. Where this is the end anyway it is told of, as is another message where there is no code.
local function checkStates(answer, usual, isEnd)
  local function isNothing(value, known)
    local text = " " .. tostring(value):lower():gsub("[^%w\128-\255]+", " ") .. " "
    for _, words in ipairs { "200", "204", "ok", "success", "true", "false", "zero", "empty", "none", "nothing", "not found", "end", "last",
      "complete", "completed", "done", "finished", "no data", "no more", "no results", "no result", "no records", "no items", "no rows",
      "no content", "no matches", "no entries" } do
      if text:find(" " .. words .. " ", 1, true) then return true end
    end
    -- A sentence that has another number is the same: 0 items found.
    local function plain(said) return tostring(said):find(" ") and (tostring(said):gsub("%d+", "")) or tostring(said) end
    return text:find("^[%s0]*$") ~= nil or plain(value) == plain(known) or known == nil and value == 1
  end
  local said, hasCode, isWrong = {}, false, false
  for path, value in pairs(states(answer)) do
    local isMessage = path:lower():find("msg$") or path:lower():find("message$") or path:lower():find("reason$")
    if not isNothing(value, usual[path]) then
      said[path] = value
      isWrong = isWrong or not isMessage
    end
    hasCode = hasCode or not isMessage
  end
  if next(said) == nil or hasCode and not isWrong then return end
  local text = ("a page without items says %s, as no page with items"):format(lookahead.json.encode(said))
  if isWrong and not isEnd then error(text, 0) end
  lookahead.log.warn(text .. ": taken for the end")
end]],
  related = [[
-- The link of a list of links that leads on.
local function related(links)
  for _, link in ipairs(type(links) == "table" and links or {}) do
    local relation = link.rel or link.relation or link.name
    for _, name in ipairs(type(relation) == "table" and relation or { relation }) do
      if name == "next" then return link.href or link.url or link.uri end
    end
  end
end]],
  address = [[
-- The address of the next page; nil where there is none.
local function address(response, link)
  if not link or link == lookahead.null or link == "" then return nil end
  return lookahead.url.join(response.url, tostring(link))
end]],
  countsOn = [[
-- Where a key differs from the one before by its numbers alone, as where a server counts on and on: "pages" if these are called a
-- page or an offset, else "others", which may be ids of items.
local function countsOn(key, before, parameter)
  local function letters(value) return (lookahead.json.encode(value or ""):gsub("%d+", "")) end
  if letters(key) ~= letters(before) then return nil end
  local function numbers(value)
    local found = {}
    for name, number in ((parameter and parameter .. "=" or "") .. tostring(value)):gmatch("([%w_%-%%]+)=(%d+)") do found[name] = number end
    return found
  end
  local earlier, kind = numbers(before), "others"
  for name, number in pairs(numbers(key)) do
    local plain = name:lower():gsub("%%%x%x", "")
    local isCounter = (" page pageno pagenum pageindex pagenumber currentpage p pg offset resultoffset skip start startat startindex startrecord "
      .. "limitstart from "):find(" " .. plain:gsub("[_%-]", "") .. " ", 1, true)
    if number ~= earlier[name] then
      if not isCounter then return "others" end
      kind = "pages"
    end
  end
  return kind
end]],
  comesAgain = [[
-- How many items of the end of a page that was not full begin the next one: a server counts the items that it leaves out.
local function comesAgain(before, items, most)
  local encode = lookahead.json.encode
  for count = math.min(most - #before, #before, #items), 1, -1 do
    local isSo, place = true, #before - count
    for position = 1, count do isSo = isSo and encode(items[position]) == encode(before[place + position]) end
    for position = 1, isSo and place or 0 do
      if encode(before[position]) == encode(items[1]) then
        error("a page begins as the one before it ends, and these items are so alike that they may be others: "
          .. "say how it goes on with --next", 0)
      end
    end
    if isSo then return count end
  end
  return 0
end]],
  failing = [[
-- Whether a request failed as those past the end do. A 400 behind a full page may be a limit of the server.
local function isPastEnd(failure, isFull)
  return failure.status == 404 or failure.status == 410 or failure.status == 416 or failure.status == 400 and not isFull
end]],
}

-- The name under which each is declared.
local names = { failing = "isPastEnd" }

for _, name in ipairs(helpers.order) do
  local needed = name == "isPart" and helpers.texts.failed .. "\n" or ""
  helpers[name] = load(needed .. helpers.texts[name] .. "\nreturn " .. (names[name] or name), "=items.lua")()
end

return helpers
