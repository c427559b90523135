-- Ways that are counted, or go by the last item: tried on the server, with what makes sure that nothing is left out.
local asking = require "get.asking"
local trying = require "get.trying"

local counted = {}

--- Tries the page number one after the first; where the pages begin is found out when nothing says so. Answers a way or nothing.
--- With `mayEnd` nothing says that there is more: then an empty page behind the first is the end, where the first is found by its
--- number too (a name that filters finds nothing there either).
function counted.page(parameter, said, mayEnd)
  local given = trying.given(parameter)
  local start = math.tointeger(tonumber(given)) or said
  local function ask(number) return trying.values { [parameter] = number } end
  local function leads(verdict) return verdict == "other" or mayEnd and verdict == "empty" end
  if start then
    local verdict = ask(start + 1)
    if not leads(verdict) or verdict == "empty" and not given and ask(start) ~= "same" then return nil, verdict end
    if not given then asking.keep(trying.first.response, trying.request { [parameter] = start }) end
    return { kind = "page", parameter = parameter, first = start }
  end
  local verdict = ask(2)
  if verdict == "same" or verdict == "400" or verdict == "422" then return nil, verdict end
  local earlier = ask(1)
  if earlier == "other" then
    asking.keep(trying.first.response, trying.request { [parameter] = 0 })
    return { kind = "page", parameter = parameter, first = 0 }
  end
  if earlier == "same" and leads(verdict) then return { kind = "page", parameter = parameter, first = 1 } end
  return nil, verdict == "other" and "no first page" or verdict
end

--- Tries to go on behind the items of the first page; a parameter that nothing confirms has to lead to the last of them too.
--- `mayEnd` as for pages.
function counted.offset(parameter, said, mayEnd)
  local given = math.tointeger(tonumber(trying.given(parameter)))
  local start = given or said or 0
  local verdict = trying.values { [parameter] = start + trying.first.count }
  local isEnd = mayEnd and verdict == "empty" and trying.first.count > 1
  if verdict ~= "other" and not isEnd then return nil, verdict end
  if not given and (isEnd or not said) and trying.first.count > 1 then
    local _, list = trying.ask(trying.request { [parameter] = trying.first.count - 1 })
    local text = list and list[1] ~= nil and lookahead.json.encode(list[1])
    if text == lookahead.json.encode(trying.first.list[trying.first.count - 1]) then
      start = 1
    elseif text ~= lookahead.json.encode(trying.first.list[trying.first.count]) then
      trying.note(parameter, "counts something else")
      return nil, "other"
    end
  end
  if not given then asking.keep(trying.first.response, trying.request { [parameter] = start }) end
  return { kind = "offset", parameter = parameter, first = start }
end

--- Whether nothing lies behind as many items as the total says: estimates may be too low. A server may repeat its last page there.
function counted.isTotal(way, total, start)
  return counted.isEnd(way, way.kind == "offset" and way.first + total - start
    or way.first + math.ceil((total - start) / trying.first.count))
end

--- Whether nothing lies at this number, the first behind the end.
function counted.isEnd(way, number)
  local verdict, list = trying.ask(trying.request { [way.parameter] = number })
  if verdict ~= "other" then return true end
  local further, again = trying.ask(trying.request { [way.parameter] = number + (way.kind == "page" and 1 or trying.first.count) })
  return further == "other" and lookahead.json.encode(list) == lookahead.json.encode(again)
end

--- Tries to go on behind the last item, and as a check behind the last but one.
function counted.last(parameter, id)
  local last = trying.first.list[trying.first.count]
  local verdict, _, _, _, shared = trying.values { [parameter] = last[id] }
  if verdict ~= "other" or shared > 0 then return nil, verdict end
  if trying.first.count > 1 then
    local _, list = trying.ask(trying.request { [parameter] = trying.first.list[trying.first.count - 1][id] })
    if not (list and list[1] ~= nil and lookahead.json.encode(list[1]) == lookahead.json.encode(last)) then
      trying.note(parameter, "leads elsewhere")
      return nil, "other"
    end
  end
  return { kind = "last", parameter = parameter, id = id }
end

-- How far a counted way is known: by the total, the number of pages, a sign, or not at all.
function counted.measured(way, page, start)
  local found = page.found
  if way.kind ~= "page" and way.kind ~= "offset" then return way end
  if found.total and start and found.total.value > page.count + start and counted.isTotal(way, found.total.value, start) then
    way.mode = "counted"
  elseif found.pages and way.kind == "page" and counted.isEnd(way, found.pages.value + (way.first == 0 and 0 or 1)) then
    way.mode = "pages"
  elseif found.more then way.mode = "more"
  else way.mode = "open" end
  return way
end

return counted
