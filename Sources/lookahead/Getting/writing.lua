-- The script that a get stands for, as a person would write it.
local asking = require "get.asking"
local expressions = require "get.expressions"
local helpers = require "get.helpers"
local options = require "get.options"
local standing = require "get.standing"
local steps = require "get.steps"
local trying = require "get.trying"

local writing = {}

local quoted, isName = expressions.quoted, expressions.isName

-- A text with secrets in it as an expression.
local function expression(text, encode)
  local parts, position = {}, 1
  local secrets = {}
  for _, name in ipairs(options.secrets) do secrets[name] = true end
  for from, name, coding, to in text:gmatch("(){([%a_][%w_]*)(:?%w*)}()") do
    if secrets[name] then
      if from > position then parts[#parts + 1] = quoted(text:sub(position, from - 1)) end
      local value = "parameters." .. name
      if coding == ":base64" then value = ("lookahead.base64.encode(%s)"):format(value) end
      parts[#parts + 1] = encode and ("lookahead.url.encode(%s)"):format(value) or value
      position = to
    end
  end
  if position <= #text or #parts == 0 then parts[#parts + 1] = quoted(text:sub(position)) end
  return table.concat(parts, " .. ")
end

local function head(plan)
  local lines = { "-- Pages " .. options.url:gsub("%c", " ") }
  local line = "-- Made by lookahead get; run it with: lookahead run FILE --allow-net=" .. options.host
  for _, name in ipairs(options.secrets) do line = line .. (" --secret %s=env:%s"):format(name, name:upper()) end
  lines[2] = line
  if plan.doubt then
    lines[3] = ("-- That this page is all is not known: %s brought no page, but %s. Don't mirror it."):format(
      plan.doubt.shown:gsub("%c", " "), (plan.doubt.why:gsub("%c", " ")))
  end
  lines[#lines + 1] = ""
  if #options.secrets > 0 then
    local declared = {}
    for position, name in ipairs(options.secrets) do declared[position] = name .. " = { required = true, secret = true }" end
    lines[#lines + 1] = ("local parameters = lookahead.parameters { %s }"):format(table.concat(declared, ", "))
  end
  local url = options.url
  local stripped = plan.stripped and asking.without(url, plan.stripped) or url
  if plan.isAlone then
    lines[#lines + 1] = "local first = " .. expression(url, true)
    lines[#lines + 1] = "local url = " .. expression(asking.without(url), true)
  elseif stripped ~= url and plan.keepsFirst then
    lines[#lines + 1] = "local first = " .. expression(url, true)
    lines[#lines + 1] = "local url = " .. expression(stripped, true)
  else
    plan.keepsFirst = false
    lines[#lines + 1] = "local url = " .. expression(stripped, true)
  end
  if #options.headers > 0 then
    local members = {}
    for position, header in ipairs(options.headers) do
      local name = isName(header.name) and header.name or ("[%s]"):format(quoted(header.name))
      members[position] = name .. " = " .. expression(header.value)
    end
    lines[#lines + 1] = ("local headers = { %s }"):format(table.concat(members, ", "))
  end
  if options.data then
    lines[#lines + 1] = ("local %s = %s"):format(asking.body and "question" or "body", expression(options.data))
  end
  local settings = { 'name = "items"' }
  if plan.keys then settings[2] = ("keys = %s"):format(quoted(plan.keys)) end
  if plan.firstKey then settings[#settings + 1] = "firstKey = " .. plan.firstKey end
  if options.id then settings[#settings + 1] = "id = " .. quoted(options.id) end
  if plan.hasNoID then settings[#settings + 1] = "id = false" end
  if plan.size then settings[#settings + 1] = "pageSize = " .. plan.size end
  lines[#lines + 1] = ""
  lines[#lines + 1] = ("local source = lookahead.source { %s }"):format(table.concat(settings, ", "))
  if plan.isDelta then
    lines[#lines + 1] = 'function source.isRemoved(item) return item["@removed"] or type(item.deleted) == "table" end'
  end
  for _, text in ipairs(plan.state or {}) do lines[#lines + 1] = text end
  if plan.usual then lines[#lines + 1] = "local usual = {" .. (" %s "):format(table.concat(plan.usual, ", ")):gsub("^%s+$", "") .. "}" end
  return table.concat(lines, "\n")
end

-- The table in which a parameter is put, with the value it gets.
local function member(parameter, value)
  local name = isName(parameter) and "." .. parameter or ("[%s]"):format(quoted(parameter))
  return ("body%s%s = %s"):format(trying.target() == "variables" and ".variables" or "", name, value)
end

-- The lines that put what is sent into the body.
local function bodyLines(sends, target)
  local lines = { "local body = lookahead.json.decode(question)" }
  if sends and target == "variables" then lines[2] = "body.variables = body.variables or {}" end
  if sends and sends.parameter then
    local line = member(sends.parameter, sends.value)
    lines[#lines + 1] = sends.isOptional and ("if context.key then %s end"):format(line) or line
  elseif sends then
    lines[#lines + 1] = ("for name, value in pairs(%s or {}) do body%s[name] = value end"):format(
      sends.value, target == "variables" and ".variables" or "")
  end
  return lines
end

-- The parameters of the query that are sent.
local function query(sends)
  if not sends.parameter then return sends.value end
  local name = isName(sends.parameter) and sends.parameter or ("[%s]"):format(quoted(sends.parameter))
  return ("{ %s = %s }"):format(name, sends.value)
end

-- The lines that make the request.
local function request(plan)
  local lines, given = {}, {}
  local target = trying.target()
  local isInQuery = target == "query"
  local address = plan.address or (plan.keepsFirst or plan.isAlone) and "context.key and url or first" or "url"
  if asking.body then
    lines = bodyLines(not isInQuery and plan.sends or nil, target)
    given[1] = "json = body"
  elseif options.data then
    given[1] = "body = body"
  end
  if isInQuery and plan.sends then given[#given + 1] = "query = " .. query(plan.sends) end
  if #options.headers > 0 then given[#given + 1] = "headers = headers" end
  -- An address that an answer has may be one of somebody else.
  if plan.address and (#options.headers > 0 or options.data) then given[#given + 1] = "origin = url" end
  if not asking.isRepeatable then given[#given + 1] = "retry = true" end
  local method = options.method:lower()
  local rest = #given > 0 and (", { %s }"):format(table.concat(given, ", ")) or ""
  local isKnown = (" get post put patch delete "):find(" " .. method .. " ", 1, true)
  local call, tried = ("lookahead.http.%s(%s%s)"):format(method, address, rest),
    ("lookahead.try(lookahead.http.%s, %s%s)"):format(method, address, rest)
  if not isKnown then
    table.insert(given, 1, ("method = %s, url = %s"):format(quoted(options.method), address))
    call = ("lookahead.http.request { %s }"):format(table.concat(given, ", "))
    tried = ("lookahead.try(lookahead.http.request, { %s })"):format(table.concat(given, ", "))
  end
  lines[#lines + 1] = plan.isTried and "local response, failure = " .. tried or "local response = " .. call
  return lines
end

-- The functions that the text uses.
local function used(text)
  local parts = {}
  for position = #helpers.order, 1, -1 do
    local name = helpers.order[position]
    local called = name == "failing" and "isPastEnd" or name
    if text:find("%f[%w_.:]" .. called .. "%(") then
      local isPlain = name == "list" and not text:find('list%([^\n]-"[^\n]-", answer, ')
      local part = helpers.texts[isPlain and "plainList" or name]
      table.insert(parts, 1, part)
      text = text .. part
    end
  end
  return parts
end

--- The text of the script for a plan { items, way, total, more, … }.
function writing.text(plan)
  local lines = steps.lines(plan)
  local body = { }
  for _, line in ipairs(lines.before) do body[#body + 1] = line end
  local beginning = head(plan)
  for _, line in ipairs(request(plan)) do body[#body + 1] = line end
  for _, line in ipairs(lines.after) do body[#body + 1] = line end
  for position, line in ipairs(body) do body[position] = "  " .. line end
  local handler = "function source.fetch(context)\n" .. table.concat(body, "\n") .. "\nend"
  local parts = { beginning }
  for _, helper in ipairs(used(handler)) do parts[#parts + 1] = helper end
  parts[#parts + 1] = handler
  -- Another request is another list: it neither goes on with this one nor takes its rows away. It is kept, and people write keys into
  -- URLs: so only what stands for it is.
  local url = plan.isDelta and standing.withoutTokens(options.url) or options.url
  local hash = lookahead.hash.sha256(lookahead.json.encode { options.method, url, options.data or "", options.headers }):sub(1, 16)
  parts[#parts + 1] = ("return source:with { host = %s, request = %s } -- a copy that get made is read on as the same list"):format(
    quoted(options.host), quoted(hash))
  return table.concat(parts, "\n\n") .. "\n"
end

return writing
