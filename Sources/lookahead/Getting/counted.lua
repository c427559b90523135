-- Ways that are counted, or go by the last item: tried on the server, with what makes sure that nothing is left out.
local asking = require "get.asking"
local comparing = require "get.comparing"
local places = require "get.places"
local standing = require "get.standing"
local trying = require "get.trying"

local counted = {}

-- Whether an item is the one of the first page at a place, whose other members may have changed meanwhile.
local function isItem(item, place)
  local list = trying.first.list
  local other = list[place]
  if item == nil or other == nil then return false end
  if comparing.hasIDs(list) and comparing.hasIDs { item } and not comparing.repeatsIDs(list) then return item.id == other.id end
  return lookahead.json.encode(item) == lookahead.json.encode(other)
end

-- The largest number of items into which a page can be cut evenly.
local function part()
  local count = trying.first.count
  for divisor = 2, count - 1 do if count % divisor == 0 then return count // divisor end end
  return 1
end

-- Whether a page behind a part of the first one has the items that follow there: a name that filters, or that goes on by pages of
-- another size, has others. `place` makes the parameter's value of how many items lie before.
local function goesOn(parameter, sizeName, place)
  local count, part = trying.first.count, part()
  local _, list = trying.ask(trying.request { [sizeName] = part, [parameter] = place(part) })
  local isSo = list ~= nil and count > 1 and #list == part
  for position = 1, isSo and part or 0 do isSo = isSo and isItem(list[position], part + position) end
  if not isSo then trying.note(parameter, "counts something else") end
  return isSo
end

-- Tries the page behind the first, which calls itself `said`: that is a number of the parameter too where the next page calls itself
-- what was sent.
local function numbered(parameter, said)
  local verdict, _, answer = trying.values { [parameter] = said + 1 }
  if verdict ~= "other" or places.at(answer, trying.first.found.page.path) ~= said + 1 then return nil, verdict end
  asking.keep(trying.first.response, trying.request { [parameter] = said })
  return { kind = "page", parameter = parameter, first = said }
end

--- Tries the page number one after the first; where the pages begin is found out when nothing says so. Answers a way or nothing.
--- `said` is the number of the first page as its answer has it.
--- Where nothing says that there is more, `sizeName` is the parameter that says how many items a page has: then an empty page behind
--- the first may be the end.
function counted.page(parameter, said, sizeName)
  local given = trying.given(parameter)
  local start = math.tointeger(tonumber(given))
  local function ask(number) return trying.values { [parameter] = number } end
  local function leads(verdict, first)
    return verdict == "other"
      or verdict == "empty" and sizeName and goesOn(parameter, sizeName, function() return first + 1 end)
  end
  if start then
    local verdict = ask(start + 1)
    if not leads(verdict, start) then return nil, verdict end
    return { kind = "page", parameter = parameter, first = start }
  end
  local way, verdict
  if said then way, verdict = numbered(parameter, said) end
  if way then return way end
  if said ~= 1 then verdict = ask(2) end
  if verdict == "same" or verdict == "400" or verdict == "422" then return nil, verdict end
  local earlier = ask(1)
  if earlier == "other" then
    if ask(0) ~= "same" then return nil, "no first page" end
    return { kind = "page", parameter = parameter, first = 0 }
  end
  if earlier == "same" and leads(verdict, 1) then return { kind = "page", parameter = parameter, first = 1 } end
  return nil, verdict == "other" and "no first page" or verdict
end

--- Tries to go on behind the items of the first page; a parameter that nothing confirms has to lead to the last of them too.
--- `sizeName` as for pages.
function counted.offset(parameter, said, sizeName)
  local given = math.tointeger(tonumber(trying.given(parameter)))
  local start = given or said or 0
  local verdict = trying.values { [parameter] = start + trying.first.count }
  local isEnd = verdict == "empty" and sizeName
    and goesOn(parameter, sizeName, function(count) return start + count end)
  if verdict ~= "other" and not isEnd then return nil, verdict end
  if (given or not said) and trying.first.count > 1 then
    local _, list = trying.ask(trying.request { [parameter] = start + trying.first.count - 1 })
    if not given and list and isItem(list[1], trying.first.count - 1) then
      -- Offsets begin at 1, or items that the server counts and leaves out lie before: what is there once has an id then.
      local _, second = trying.ask(trying.request { [parameter] = 1 })
      if second and isItem(second[1], 1) then
        start = 1
      elseif not comparing.hasIDs(trying.first.list) or comparing.repeatsIDs(trying.first.list) then
        trying.note(parameter, "counts items that are not there")
        return nil, "other"
      end
    elseif not list or not isItem(list[1], trying.first.count) then
      trying.note(parameter, "counts something else")
      return nil, "other"
    end
  end
  if not given then asking.keep(trying.first.response, trying.request { [parameter] = start }) end
  return { kind = "offset", parameter = parameter, first = start }
end

--- Whether an offset leads to the last item of the first page.
function counted.isLast(way, page)
  local _, list = trying.ask(trying.request { [way.parameter] = way.first + page.count - 1 })
  return list ~= nil and isItem(list[1], page.count)
end

--- Whether nothing lies behind as many items as the total says: estimates may be too low. A server may repeat its last page there.
function counted.isTotal(way, total, start)
  return counted.isEnd(way, way.kind == "offset" and way.first + total - start
    or way.first + math.ceil((total - start) / trying.first.count))
end

--- Whether nothing lies at this number, the first behind the end; not where what is there has no answer.
function counted.isEnd(way, number)
  local request = trying.request { [way.parameter] = number }
  request.isLook = true
  local verdict, list = trying.ask(request)
  if verdict ~= "other" then return not request.isUnanswered end
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

-- Whether items are those of a list behind a place.
local function areAt(items, list, place)
  for position = 1, #items do
    if lookahead.json.encode(items[position]) ~= lookahead.json.encode(list[place + position] or {}) then return false end
  end
  return true
end

-- Refuses pages that go on by another size than the one that is asked for, so that items lie between them: they begin in the same
-- place however few are asked for, or in another one where no more are asked for than come. A total tells this too.
local function checkSize(way, page)
  local name, size = standing.size(page)
  local second = trying.others[trying.shown { [way.parameter] = way.first + 1 }]
  if way.kind ~= "page" or page.found.total or not name or not second or page.count < 2 then return end
  local few = size == page.count and part() or page.count
  local _, list = trying.ask(trying.request { [name] = few, [way.parameter] = way.first + 1 })
  if not list or #list ~= few then return end
  local what
  if size > page.count and not areAt(list, second, 0) then
    what = ("pages are counted by %d, and have %d items: ask for so many"):format(size, page.count)
  elseif size == page.count and areAt(list, second, 0) and not areAt(list, page.list, few) then
    what = "a page begins in the same place however many items are asked for: ask for as many as a page can have"
  end
  if what then error(("%s=%d leaves items out: %s"):format(name, size, what), 0) end
end

-- How far a counted way is known: by the total, the number of pages, a sign, or not at all.
function counted.measured(way, page, start)
  local found = page.found
  if way.kind ~= "page" and way.kind ~= "offset" then return way end
  checkSize(way, page)
  if found.total and start and found.total.value > page.count + start and counted.isTotal(way, found.total.value, start) then
    way.mode = "counted"
  elseif found.pages and way.kind == "page" and counted.isEnd(way, found.pages.value + (way.first == 0 and 0 or 1)) then
    way.mode = "pages"
  elseif found.more then way.mode = "more"
  else way.mode = "open" end
  return way
end

return counted
