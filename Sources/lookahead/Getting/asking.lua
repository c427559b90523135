-- The requests of a get, and the answers that are kept for the script that goes on from them.
local options = require "get.options"
local ways = require "get.ways"

local asking = { parameters = {} }
local url = lookahead.url

if #options.secrets > 0 then
  local declared = {}
  for _, name in ipairs(options.secrets) do declared[name] = { required = true, secret = true } end
  asking.parameters = lookahead.parameters(declared)
end

--- A text with the secrets in the places that name them; `encode` is for those of a URL.
function asking.filled(text, encode)
  return (text:gsub("{([%a_][%w_]*)(:?%w*)}", function(name, coding)
    for _, secret in ipairs(options.secrets) do
      if secret == name then
        local value = asking.parameters[name]
        if coding == ":base64" then return lookahead.base64.encode(value) end
        return encode and url.encode(value) or value
      end
    end
  end))
end

--- What stands before the query, and the parts of the query: name, value, text.
function asking.split(address)
  local base, query = address:match("^([^?#]*)%??([^#]*)")
  local parts = {}
  for text in query:gmatch("[^&]+") do
    local name, value = text:match("^([^=]*)=?(.*)$")
    local isRight, plain = pcall(url.decode, name)
    parts[#parts + 1] = { name = isRight and plain or name, value = value, text = text }
  end
  return base, parts
end

--- The value that a query has under a name, decoded; nil where it has none.
function asking.parameter(address, name)
  local _, parts = asking.split(address)
  for _, part in ipairs(parts) do
    if part.name == name then
      local isRight, plain = pcall(url.decode, (part.value:gsub("%+", " ")))
      return isRight and plain or part.value
    end
  end
  return nil
end

--- The URL without some parameters; without any of its query where no name is given.
function asking.without(address, names)
  local base, parts = asking.split(address)
  local kept = {}
  for _, part in ipairs(parts) do
    if names and names[part.name] == nil then kept[#kept + 1] = part.text end
  end
  return base .. (kept[1] and "?" .. table.concat(kept, "&") or "")
end

-- A value as the text that is sent; a number with all its digits.
local function sent(value) return type(value) == "number" and lookahead.json.encode(value) or tostring(value) end

--- The URL with a parameter behind the others.
function asking.adding(address, name, value)
  return address .. (address:find("?", 1, true) and "&" or "?") .. url.encode(name) .. "=" .. url.encode(sent(value))
end

-- Equal for requests that ask the same, however they are put.
local function identity(method, address, given)
  local base, parts = asking.split(address)
  local texts = {}
  for position, part in ipairs(parts) do texts[position] = part.name .. "=" .. asking.parameter("?" .. part.text, part.name) end
  for name, value in pairs(given.query or {}) do texts[#texts + 1] = name .. "=" .. sent(value) end
  table.sort(texts)
  local body = given.json and lookahead.json.encode(given.json) or given.body or ""
  return table.concat({ method:upper(), base, table.concat(texts, "&"), body }, "\n")
end

local text = options.data and asking.filled(options.data)
local isJSON, body = pcall(lookahead.json.decode, text or "")
--- The body that is sent, where it is JSON: what goes on may be put into it.
asking.body = isJSON and type(body) == "table" and body or nil

--- A body of its own for each request.
function asking.newBody() return lookahead.json.decode(text) end

-- The parameter for the size: given, in the request already, or the usual one.
local function sizeParameter()
  if options.sizeParameter then return options.sizeParameter end
  for _, name in ipairs(ways.sizes) do
    if asking.parameter(options.url, name) or asking.body and asking.body[name] then return name end
  end
  return options.next == "offset" and "limit" or "per_page"
end

if options.pageSize and asking.body then
  asking.sizeName = sizeParameter()
  asking.body[asking.sizeName] = options.pageSize
  text = lookahead.json.encode(asking.body)
  options.data = text
elseif options.pageSize then
  asking.sizeName = sizeParameter()
  options.url = asking.adding(asking.without(options.url, { [asking.sizeName] = true }), asking.sizeName, options.pageSize)
end

--- The first URL, with its secrets.
asking.first = asking.filled(options.url, true)

local headers
for _, header in ipairs(options.headers) do
  headers = headers or {}
  headers[header.name] = asking.filled(header.value)
end

local kept = {}
local sent = 0

--- Whether the method alone says that a request may be sent again; of any other, the script has to say that it reads.
asking.isRepeatable = (" GET HEAD PUT DELETE OPTIONS "):find(" " .. options.method:upper() .. " ", 1, true) ~= nil

--- The number of requests so far.
function asking.count() return sent end

--- Sends a request { url, query, json, raise, isGuess }. An answer that is no error is kept. A guess at which the server fails is
--- no request of the list, and not retried.
function asking.send(request)
  sent = sent + 1
  local given = {
    method = options.method, url = request.url, query = request.query, headers = headers, raise = request.raise,
    json = request.json or asking.body, body = not asking.body and text or nil, retry = not request.isGuess,
    origin = asking.first,
  }
  local response = lookahead.http.request(given)
  if response.status < 300 then kept[identity(options.method, request.url, given)] = response end
  return response
end

--- Lets a request that is the same in other words have an answer that is here.
function asking.keep(response, request)
  kept[identity(options.method, request.url, { query = request.query, json = request.json or asking.body, body = text })] =
    response
end

local function take(method, address, given)
  local key = identity(method, address, given or {})
  local response = kept[key]
  kept[key] = nil
  return response
end

--- What the script sees as `lookahead`: each answer that is kept is given once, and the rest is asked for.
function asking.world()
  local http = setmetatable({}, { __index = lookahead.http })
  for _, name in ipairs { "get", "post", "put", "patch", "delete", "head" } do
    http[name] = function(address, given)
      local response = take(name, address, given)
      if response then return response end
      local answer = lookahead.http[name](address, given)
      return answer
    end
  end
  function http.request(given)
    local response = take(given.method or "GET", given.url, given)
    if response then return response end
    local answer = lookahead.http.request(given)
    return answer
  end
  return setmetatable({ http = http, parameters = function() return asking.parameters end }, { __index = lookahead })
end

return asking
