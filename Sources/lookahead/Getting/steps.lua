-- The lines of a fetch handler, for each kind of way.
local expressions = require "get.expressions"
local places = require "get.places"

local steps = {}

local at, chain, quoted, step = expressions.at, expressions.chain, expressions.quoted, expressions.step

-- What a lead is worth: an expression.
local function worth(way)
  if way.kind == "linked" then return "response.links.next" end
  local value = way.header and ("response.headers[%s]"):format(quoted(way.header:lower())) or at(way.path)
  if way.kind == "based" then return ("%s and %s .. %s"):format(value, at(way.base), value) end
  if way.kind == "token" or way.kind == "members" then return value end
  if not way.header and #way.path == 1 then value = chain(way.path) end
  return way.kind == "related" and ("address(response, related(%s))"):format(value) or ("address(response, %s)"):format(value)
end

-- Lines that read the sign of more, then conditions: it says so, it says no; and the first in words.
local function sign(more, add)
  add("local more = " .. at(more.path))
  local name = places.shown(more.path)
  local yes, no = table.unpack(more.written or { "true", "false" })
  if more.isEnd then return "more == " .. no, "more == " .. yes, name .. " is false" end
  return "more == " .. yes, "more == " .. no, name .. " is true"
end

local function raise(add, condition, text)
  add(("if %s then"):format(condition))
  add(("  error(%s, 0)"):format(quoted(text)))
  add("end")
end

-- A way that the answer itself names.
local function lead(plan, add)
  local way = plan.way
  add("local nextKey = " .. worth(way))
  if way.kind == "token" and way.isNumber then
    add('if nextKey == 0 or nextKey == "0" or nextKey == -1 then nextKey = nil end')
  end
  if way.header and way.kind == "token" then add('if nextKey == "" then nextKey = nil end') end
  local isToken = way.kind == "token" or way.kind == "members"
  if plan.more then
    local goes, stops, text = sign(plan.more, add)
    add(("if %s then nextKey = nil end"):format(stops))
    raise(add, goes .. " and not nextKey", text .. ", and nothing in the answer leads on")
  elseif isToken and not way.isNumber then
    add("if #items == 0 and nextKey == context.key then nextKey = nil end")
  else
    plan.state = { "local empty = 0" }
    add("empty = #items == 0 and empty + 1 or 0")
    local parameter = way.kind == "token" and ", " .. quoted(way.parameter) or ""
    add(("local counts = empty > 2 and nextKey and countsOn(nextKey, context.key%s)"):format(parameter))
    raise(add, 'counts == "others"',
      "three pages in a row are empty, and the last one leads on: nothing says whether that is the end (--next says how it goes on)")
    add('if nextKey and (counts or empty > 0 and nextKey == context.key) then')
    add('  lookahead.log.warn("an empty page leads on to empty pages: taken as the end")')
    add("  nextKey = nil")
    add("end")
  end
  plan.result[#plan.result + 1] = "nextKey = nextKey"
  if plan.total then
    -- Some servers lead on behind the last item, to where nothing is.
    plan.isTried = true
    plan.state = plan.state or {}
    table.insert(plan.state, "local received, all = 0, nil")
    plan.opening = {
      "if not context.key then received, all = 0, nil end",
      "if failure and all and received >= all and isPastEnd(failure) then return { items = {} } end",
      "if failure then error(failure, 0) end",
    }
    add("received, all = received + #items, total")
  end
  if way.kind == "token" then
    plan.sends = { parameter = way.parameter, value = "context.key", isOptional = true }
    plan.stripped, plan.keepsFirst, plan.isAlone = { [way.parameter] = true }, true, way.isAlone
  elseif way.kind == "members" then
    plan.sends = { value = "context.key" }
  else
    plan.address = "context.key or url"
  end
end

-- A way behind the last item.
local function last(plan, add)
  local way = plan.way
  plan.sends = { parameter = way.parameter, value = "context.key", isOptional = true }
  plan.stripped, plan.keepsFirst = { [way.parameter] = true }, true
  add("local nextKey = #items > 0 and items[#items]" .. step(way.id) .. " or nil")
  if plan.more then
    local goes, stops, text = sign(plan.more, add)
    raise(add, goes .. " and not nextKey", text .. ", and the page is empty")
    add(("if %s then nextKey = nil end"):format(stops))
  end
  plan.result[#plan.result + 1] = "nextKey = nextKey"
end

-- Lines for pages that a server has left items out of, which it counts all the same: by offsets their ends come again, which is taken
-- out, and from there on whole pages are counted; and some of them may be empty.
local function trimmed(plan, add)
  local way = plan.way
  local key = way.kind
  plan.state[#plan.state + 1] = ("local before, latest, place, most, isTrimmed, empty = {}, {}, nil, %d, false, 0"):format(plan.most)
  add(("if %s == %d then latest, place, most, isTrimmed, empty = {}, nil, %d, false, 0 end"):format(key, way.first, plan.most))
  add(("if not place and %s ~= %d then isTrimmed = true end -- goes on behind pages that may have gaps"):format(key, way.first))
  add(("if %s ~= place then before, place = latest, %s end"):format(key, key))
  add("local count = #items")
  if key == "page" then
    add("isTrimmed = isTrimmed or count > 0 and #before > 0 and #before < most")
  else
    add("local again = comesAgain(before, items, most)")
    add("isTrimmed = isTrimmed or again > 0 and (again < count or count < #before)")
  end
  add("most = math.max(most, count)")
  add("latest = items")
  if key == "offset" then add("if again > 0 then items = table.move(items, again + 1, count, 1, {}) end") end
end

-- What a page is found again by: past its end, a server may repeat one.
local function repeated(plan, add)
  local way = plan.way
  local key = way.kind
  add("local mark = lookahead.hash.sha256(lookahead.json.encode(latest))")
  local isAgain = ("seen[mark] and seen[mark] ~= %s"):format(key)
  if plan.looksFar then
    -- Equal items without ids may be others, and so may be few that are left: what comes far behind tells whether pages are repeated.
    plan.state[#plan.state + 1] = "local repeats, isFar = nil, false -- whether pages come again far behind; whether that is looked at"
    isAgain = isAgain .. " and repeats ~= false"
    add(("if %s then"):format(isAgain))
    add("  isFar = true")
    add(("  local far = lookahead.try(source.fetch, { key = %s * 10 + 1000 })"):format(key))
    add("  isFar = false")
    add("  repeats = not far or #far.items > 0")
    if plan.hasNoIDs then
      add("  if not far or repeats and lookahead.json.encode(far.items) ~= lookahead.json.encode(latest) then")
      add('    error("a page has the items of one before it, and they have no id: that may be the end or not; "')
      add('      .. "say how it goes on with --next", 0)')
      add("  end")
    end
    add("end")
  end
  add(("if %s then -- past its end, a server may repeat a page"):format(isAgain))
  add("  if isFull then")
  add(('    lookahead.log.warn("a full page comes again (%s " .. %s .. "): taken for the end, "'):format(key, key))
  add('      .. "and if the server goes no further than that, items are missing")')
  add("  end")
  add("  return { items = {} }")
  add("end")
  add(("seen[mark] = %s"):format(key))
end

-- Pages that are counted one after the other, since nobody says how many items there are.
local function counted(plan, before, add)
  local way = plan.way
  local key = way.kind
  local isOffset = key == "offset"
  local following = isOffset and "offset + ((isTrimmed or count == 0) and most or count)" or "page + 1"
  plan.sends = { parameter = way.parameter, value = key }
  plan.stripped = { [way.parameter] = true }
  plan.state = {}
  before[#before + 1] = ("local %s = context.key or %d"):format(key, way.first)
  if way.mode == "pages" then
    local spec = plan.pages
    add(("local pages = tonumber(%s) or error(%s, 0)"):format(expressions.number(spec), quoted("the answer has no " .. spec.name)))
    local done = way.first == 0 and "page + 1" or "page"
    plan.result[#plan.result + 1] = ("nextKey = %s < pages and page + 1 or nil"):format(done)
  elseif way.mode == "more" then
    local goes, stops, text = sign(plan.more, add)
    raise(add, goes .. " and #items == 0", text .. ", and the page is empty")
    if isOffset then trimmed(plan, add) end
    add(("local isLast = %s or #items == 0"):format(stops))
    plan.result[#plan.result + 1] = ("nextKey = not isLast and %s or nil"):format(following)
  else
    plan.isTried = true
    plan.looksFar = plan.hasNoIDs or isOffset
    plan.state[1] = "local seen, isFull = {}, true"
    plan.opening = {
      ("if failure and %s > %d and isPastEnd(failure, isFull) then"):format(key, way.first),
      plan.looksFar and "  if isFull and not isFar then" or "  if isFull then",
      ('    lookahead.log.warn("the request behind a full page failed with " .. failure.status .. " (%s " .. %s .. "): taken for the end, "'):format(key, key),
      '      .. "and if the server goes no further than that, items are missing")',
      "  end",
      "  return { items = {} }",
      "end",
      "if failure then error(failure, 0) end",
      'if response.status == 204 or response.body == "" and not isFull then return { items = {} } end',
    }
    if plan.looksFar then add("if isFar then return { items = items } end") end
    add(("if %s == %d then seen = {} end"):format(key, way.first))
    trimmed(plan, add)
    add("isFull = count >= most")
    add("empty = count == 0 and empty + 1 or 0")
    add("local enough = isTrimmed and 3 or (#before < most or most == 0) and 1 or 2 -- empty pages behind the last one")
    add("if count > 0 then")
    local inner = {}
    repeated(plan, function(line) inner[#inner + 1] = "  " .. line end)
    for _, line in ipairs(inner) do add(line) end
    add("end")
    plan.result[#plan.result + 1] = ("nextKey = empty < enough and %s or nil"):format(following)
  end
end

-- Pages that are counted and may be fetched at once, since the total says where they end.
local function parallel(plan, add)
  local way = plan.way
  plan.keys = way.kind
  if way.first ~= (way.kind == "page" and 1 or 0) then plan.firstKey = way.first end
  plan.sends = { parameter = way.parameter, value = "context.key" }
  plan.stripped = { [way.parameter] = true }
  plan.size = plan.count
  if way.kind == "offset" then
    add("if #items > context.size then items = table.move(items, 1, context.size, 1, {}) end")
  end
  if plan.more then
    local goes, _, text = sign(plan.more, add)
    local passed = way.first == 0 and "context.key" or ("(context.key - %d)"):format(way.first)
    if way.kind == "page" then passed = ("%s * %d"):format(passed, plan.count) end
    raise(add, ("%s and total and %s + #items >= total"):format(goes, passed), text .. ", though no more are in the total")
  end
end

-- The host takes what lies before the first key from the total: of offsets it takes that to be 0 or 1 for a list from its start, and
-- else a place that counts from 0. Where the server counts otherwise, that is one too many, or too few.
local function totalOf(plan)
  local way, skipped = plan.way, plan.skipped or 0
  if not (way and way.mode == "counted" and way.kind == "offset") then return "total = total" end
  if way.first > 1 and way.first == skipped + 1 then return "total = total and total + 1" end
  if way.first == 1 and skipped == 1 then return "total = total and math.max(0, total - 1)" end
  return "total = total"
end

--- The lines before the request and after it; what else the script needs is noted in the plan.
function steps.lines(plan)
  local before, after = {}, {}
  local function add(line) after[#after + 1] = line end
  plan.result = { "items = items" }
  local way = plan.way
  local body = {}
  local function later(line) body[#body + 1] = line end
  if plan.total then
    -- Where the host counts, it knows what lies before the first key.
    local skipped = not (way and way.mode == "counted") and plan.skipped or 0
    local isUsed = skipped > 0 or plan.more and way and way.mode == "counted"
    later("local total = " .. (isUsed and plan.total.path and not plan.total.isText and at(plan.total.path)
      or expressions.number(plan.total)))
    if skipped > 0 then later(("if total then total = math.max(0, total - %d) end"):format(skipped)) end
  end
  if not way then
    if plan.more and not plan.isByHand then
      local goes, _, text = sign(plan.more, later)
      raise(later, goes, text .. " now: have this script made again")
    end
  elseif way.kind == "last" then last(plan, later)
  elseif way.kind ~= "page" and way.kind ~= "offset" then lead(plan, later)
  elseif way.mode == "counted" then parallel(plan, later)
  else counted(plan, before, later) end
  if plan.total then
    plan.result[#plan.result + 1] = totalOf(plan)
  end
  for _, line in ipairs(plan.opening or {}) do add(line) end
  add("local answer = response:json()")
  for _, line in ipairs(expressions.items(plan.items, way)) do add(line) end
  if #plan.items.path > 0 then add("if isPart(answer, context) then return end") end
  if not plan.isAccepted then
    add("if #items == 0 and response.status == 202 then")
    add('  return context:fail("status 202: what was asked for is not ready", { retryAfter = tonumber(response.headers["retry-after"]) })')
    add("end")
  end
  if plan.usual then
    local isEnd = plan.count == 0 and ", true" or plan.isTried and not plan.total and ", not isFull" or ""
    add(("if #items == 0 then checkStates(answer, usual%s) end"):format(isEnd))
  end
  for _, line in ipairs(body) do add(line) end
  add(("return { %s }"):format(table.concat(plan.result, ", ")))
  return { before = before, after = after }
end

return steps
