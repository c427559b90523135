-- Ways to the next page, tried on the server: one holds when the page it leads to has other items.
local asking = require "get.asking"
local comparing = require "get.comparing"
local helpers = require "get.helpers"
local lists = require "get.lists"
local options = require "get.options"
local places = require "get.places"
local ways = require "get.ways"

-- `others` are the items that parameters brought, by what trying.shown makes of them. `unanswered` is what was tried and had no answer
-- of the list, so that nobody knows whether there is more: what it was, why, and whether that may pass.
local trying = { tried = {}, others = {}, refusals = 0, failures = 0 }

-- The first page: answer, response, items (where they are), list, count, url.
local first

--- Begins with the first page.
function trying.begin(page)
  first = page
  trying.first = page
end

-- Whether a list of names, or the members of an object, have one that is about pages.
local function isPaged(names)
  for _, name in ipairs(names) do if ways.isParameter(name) then return true end end
  return false
end

--- Where a parameter goes: into the query, or into the body and there into its variables. A body is for it where the query has none
--- of its like, or `isInQuery` says otherwise.
function trying.target()
  if not asking.body or places.isList(asking.body) or trying.isInQuery then return "query" end
  if type(asking.body.query) == "string" and asking.body.query:find("{", 1, true) then return "variables" end
  local names = {}
  local _, parts = asking.split(first.url)
  for position, part in ipairs(parts) do names[position] = part.name end
  return isPaged(names) and not isPaged(places.names(asking.body)) and "query" or "body"
end

--- The value that the first request has for a parameter already, and nil where it has none.
function trying.given(parameter)
  local target = trying.target()
  if target == "query" then return asking.parameter(first.url, parameter) end
  local value = places.at(asking.body, target == "body" and { parameter } or { "variables", parameter })
  return value ~= nil and tostring(value) or nil
end

--- The names that the first request has already.
function trying.givenNames()
  local target, names = trying.target(), {}
  if target == "query" then
    local _, parts = asking.split(first.url)
    for position, part in ipairs(parts) do names[position] = part.name end
    return names
  end
  local object = target == "body" and asking.body or asking.body.variables
  return type(object) == "table" and places.names(object) or names
end

--- A request with parameters; `isAlone` leaves the rest of the query out.
function trying.request(values, isAlone)
  local target = trying.target()
  if target == "query" then
    return { url = asking.without(first.url, not isAlone and values or nil), query = values, values = values }
  end
  local body = asking.newBody()
  local place = body
  if target == "variables" then
    if type(body.variables) ~= "table" then body.variables = {} end
    place = body.variables
  end
  for name, value in pairs(values) do place[name] = value end
  return { url = first.url, json = body, values = values }
end

-- The JSON of a response and its items; nil and why not.
local function read(response)
  if response.status >= 400 then return nil, tostring(response.status) end
  if response.status == 204 or response.body == "" then return {}, nil, {} end
  local isRight, answer = pcall(response.json, response)
  if not isRight then return nil, "no JSON" end
  local isThere, list, why = pcall(lists.items, answer, first.items)
  if not isThere or not list then return nil, isThere and why or "no items", answer end
  if #list == 0 and helpers.failed(answer) then return nil, "an error", answer end
  return list, nil, answer
end

-- The items of the first page, asked for again.
local function again()
  if not first.again then first.again = read(asking.send(first.request)) or first.list end
  return first.again
end

-- The statuses of an answer that there is no such page, or no such parameter. Any other failure says nothing of the list.
local refusals = {}
for _, status in ipairs { 400, 404, 405, 406, 410, 413, 414, 416, 422, 431 } do refusals[status] = true end
-- Those of a failure that may pass, beside 500 and more.
local passing = { [408] = true, [420] = true, [425] = true, [429] = true }

-- Why a response, or a failure in its place, is no answer of the list, and whether that may pass; nil where it is one. An error that is
-- called a success may be about a guess; of what a person named it says nothing.
local function lack(response, failure, isMeant)
  if not response then return failure.message, failure.isTransient == true end
  local status = response.status
  if status >= 400 and not refusals[status] then return "status " .. status, passing[status] or status >= 500 end
  if status >= 400 or status == 202 or status == 204 then return nil end
  -- Behind a page that is not full, an empty answer is the end.
  if not response.body:find("%S") then if first.isShort then return nil else return "an empty answer", true end end
  local isRight, answer = pcall(response.json, response)
  if not isRight then return "no JSON", true end
  local isThere, list = pcall(lists.items, answer, first.items)
  local said = isMeant and not first.isShort and not (isThere and list and #list > 0) and helpers.failed(answer)
  if said then return "an error: " .. said, false end
end

-- Whether a person named the parameters of a request: the next page is there, if there is one.
local function isNamed(request)
  local way = options.next or ""
  local isSaid = way == "page" or way == "offset" or way:find("^last%-id=") or way:find("^cursor:")
  for name in pairs(request.values or {}) do
    if not isSaid and name ~= options.pageParameter and trying.given(name) == nil then return false end
  end
  return request.values ~= nil
end

-- A request in words.
local function told(request)
  local address = request.url
  for _, name in ipairs(places.names(request.query or {})) do address = asking.adding(address, name, request.query[name]) end
  local text = ("%s %s"):format(options.method, address)
  return request.json and ("%s with %s"):format(text, trying.shown(request.values)) or text
end

--- Raises that there is more and no way to it. Where what was tried had no answer, that may be the way, and may pass.
function trying.raise(text)
  local lacking = trying.unanswered
  if lacking then text = ("%s\n  No answer of the list: %s (%s)"):format(text, lacking.request, lacking.why) end
  error(lacking and lacking.isPassing and { code = "http", message = text, isTransient = true } or text, 0)
end

--- Raises that nobody knows whether there is more, since what was tried had no answer.
function trying.refuse(lacking)
  local text = ("%d items came, and whether there are more is not known: %s brought no page, but %s%s%s\n  Say how it goes on with "
    .. "--next; --next none takes this page only"):format(first.count, lacking.request, lacking.why,
    options.isMirror and ". A mirror would remove what did not come" or "", trying.words())
  error({ code = "http", message = text, isTransient = lacking.isPassing }, 0)
end

-- The waits before what had no answer is asked for again. What is no guess has been retried as any request, except where what came is
-- none that requests are retried for. At a guess the server may fail each time: the more often it does, the less it is asked.
local function waits(isGuess, response)
  local status = response and response.status
  if status == 429 then return {} end
  if not isGuess then return status and status ~= 408 and status < 500 and { 0.5, 1, 2 } or {} end
  return trying.failures == 0 and { 0.5, 1, 2 } or (not status or trying.failures < 3) and { 0.5 } or {}
end

-- Asks what may be no page, and again where what comes says nothing of the list. That says something of a guess only where the first page
-- comes, which is retried as any other.
local function asked(request)
  local isMeant = not request.isLook and isNamed(request)
  request.isGuess = not isMeant and not request.isLink
  local function tried()
    local response, failure = lookahead.try(asking.send, request)
    if failure and failure.code ~= "network" and failure.code ~= "timeout" then error(failure, 0) end
    return response, lack(response, failure, isMeant)
  end
  local response, why, mayPass = tried()
  local rest = mayPass and waits(request.isGuess, response) or {}
  for position, wait in ipairs(rest) do
    lookahead.sleep(wait)
    if request.isGuess and position == #rest then asking.send(first.request) end
    response, why, mayPass = tried()
    if not mayPass then break end
  end
  if not why then return response end
  local lacking = { request = told(request), why = why, isPassing = mayPass, shown = trying.shown(request.values or {}) }
  if isMeant then trying.refuse(lacking) end
  if mayPass then trying.failures = trying.failures + 1 end
  request.isUnanswered = true
  local before = trying.unanswered
  if not request.isLook and (not before or before.isDoubtful or #lacking.request < #before.request) then trying.unanswered = lacking end
  return response
end

--- What a request brings: "other", "same", "empty" or why it is no page; then its items, the answer, the response. `isTold` is of
--- one that the first page leads to itself.
function trying.ask(request, isTold)
  request.raise = false
  local response = asked(request)
  if not response then return "the connection breaks" end
  local list, why, answer = read(response)
  for wait = 1, 4 do
    if response.status ~= 202 or first.response and first.response.status == 202 or list and #list > 0 then break end
    -- What was asked for is not ready.
    lookahead.sleep(math.max(0, math.min(tonumber(response.headers["retry-after"]) or wait, 30)))
    response = asked(request) or response
    list, why, answer = read(response)
  end
  if not list then return why, nil, answer end
  if #list == 0 then return "empty", list, answer, response end
  local shared, isNew = comparing.news(list, first.list, again, isTold)
  if shared * 2 >= #list or not isNew then
    -- Some of the items are others: that is no next page, but there is more than the first one.
    if isNew then trying.hasOther = true end
    return "same", list, answer, response, shared
  end
  trying.hasOther, trying.second = true, list
  return "other", list, answer, response, shared
end

local words = { same = "the same items", empty = "no items" }

--- Remembers that something was tried, for people; what came to the same is said together.
function trying.note(text, verdict)
  local said = words[verdict] or verdict
  local before = trying.tried[#trying.tried]
  if before and before.said == said then
    before.texts[#before.texts + 1] = text
  else
    trying.tried[#trying.tried + 1] = { said = said, texts = { text } }
  end
end

--- What was tried, as a line behind an error; an empty text where nothing was.
function trying.words()
  local texts = {}
  for position, one in ipairs(trying.tried) do
    texts[position] = ("%s (%s)"):format(table.concat(one.texts, ", "), one.said)
  end
  return #texts > 0 and "\n  Tried: " .. table.concat(texts, "; ") or ""
end

local function shortened(value)
  local text = type(value) == "table" and lookahead.json.encode(value) or tostring(value)
  return #text > 24 and text:sub(1, 20) .. "…" or text
end

--- What a person would call a try.
function trying.shown(values)
  local texts = {}
  for _, name in ipairs(places.names(values)) do texts[#texts + 1] = name .. "=" .. shortened(values[name]) end
  return table.concat(texts, "&")
end

--- Tries parameters and remembers what came of it.
function trying.values(values, isAlone, isTold)
  if asking.count() > 30 then return "not tried" end
  local results = table.pack(trying.ask(trying.request(values, isAlone), isTold))
  if results[1] == "400" or results[1] == "422" then trying.refusals = trying.refusals + 1 end
  if results[1] ~= "other" then trying.note(trying.shown(values), results[1]) else trying.others[trying.shown(values)] = results[2] end
  return table.unpack(results, 1, results.n)
end

--- What a lead is worth in an answer: a link's URL, a cursor; nil where it ends.
function trying.value(lead, answer, response)
  local value
  if lead.kind == "linked" then return response.links.next end
  if lead.header then value = response.headers[lead.header:lower()] else value = places.at(answer, lead.path) end
  if lead.kind == "related" then value = helpers.related(value) end
  if value == nil or value == "" or value == false then return nil end
  if lead.kind == "based" then return tostring(places.at(answer, lead.base)) .. tostring(value) end
  if lead.kind == "token" or lead.kind == "members" then return value end
  return helpers.address(response, value)
end

--- An empty page may leave its list out, where it has what only pages have.
function trying.judged(lead, verdict, _, answer)
  if verdict ~= "no items" or not lead.path then return verdict end
  local value = places.at(answer, { lead.path[1] })
  if #lead.path > 1 or lead.kind == "related" then return type(value) == "table" and "empty" or verdict end
  local leads = type(value) == "string" and value ~= "" or type(value) == "number" and value > 0
  return leads and #first.items.path == 1 and first.items.kind == "list" and lists.isBare(answer) and "empty" or verdict
end

--- Whether parameters { name, value } do nothing at all, which one request tells: all of them at once bring the first page
--- again. The second answer is whether they surely do something. A server that refuses what it does not know is not asked.
function trying.areIdle(pairs)
  local values, count = {}, 0
  for _, pair in ipairs(pairs) do
    if trying.given(pair[1]) == nil then
      values[pair[1]] = pair[2]
      count = count + 1
    end
  end
  if count < 2 or trying.refusals > 1 then return false, false end
  local verdict = trying.ask(trying.request(values))
  if verdict ~= "same" then return false, verdict == "other" or verdict == "empty" end
  trying.note(("%s=%s and %d names like it"):format(pairs[1][1], shortened(pairs[1][2]), count - 1), "same")
  return true
end

--- The name of the parameter that does something, among those that do so together: half of them at a time.
function trying.located(pairs)
  local from, to = 1, #pairs
  while from < to do
    local middle, values = (from + to) // 2, {}
    for position = from, middle do values[pairs[position][1]] = pairs[position][2] end
    if trying.ask(trying.request(values)) == "same" then from = middle + 1 else to = middle end
  end
  return pairs[from][1]
end

return trying
