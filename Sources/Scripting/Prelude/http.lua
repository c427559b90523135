-- HTTP: requests in the words of scripts, responses with what scripts ask of them.
local host, lookahead = ...
local checks, plainText = host.checks, host.plainText

--- A URL without the name and password that may be in it.
function host.withoutLogin(url)
  return (url:gsub("^(%a[%w+.-]*://)[^/?#]*@", "%1"))
end

local http = {}
lookahead.http = http

local authKeys = { bearer = checks.string, user = checks.string, password = checks.string }
local function auth(value)
  local expected = "{ bearer = … }, { user = …, password = … }, { user, password } or a login of lookahead.oauth2"
  if type(value) ~= "table" then return expected end
  if host.isLogin(value) then return nil, value end
  local copy = {}
  for key, part in pairs(value) do
    if key == 1 or key == 2 then key = key == 1 and "user" or "password" end
    if not authKeys[key] or authKeys[key](part) then return expected end
    copy[key] = part
  end
  return nil, copy
end

-- Whether a request can carry the value as text, or leave it out.
local function isPlain(value)
  if type(value) == "number" then return value - value == 0 end
  return value == lookahead.null or not checks.plain(value)
end

-- Names with plain values, or lists of them.
local function plainValues(value)
  local expected = "names with texts, finite numbers or booleans, or lists of them"
  if type(value) ~= "table" then return expected end
  for _, part in pairs(value) do
    if type(part) ~= "table" then
      if not isPlain(part) then return expected end
    else
      local count = 0
      for _, one in pairs(part) do
        if not isPlain(one) then return expected end
        count = count + 1
      end
      -- A list without holes, and nothing beside it: what is in no place of it would not be sent.
      for position = 1, count do if rawget(part, position) == nil then return expected end end
    end
  end
  return nil, host.raw(value)
end

host.plainValues = plainValues

-- A URL with a host that two readers could not read differently.
local function webURL(value)
  local authority = type(value) == "string" and not value:find("[\\%s%c]") and value:lower():match("^https?://([^/?#]+)")
  local place = authority and authority:match("[^@]*$")
  if not place or not (place:find("^[^:%[%]]+:?%d*$") or place:find("^%[[%x:.]+%]:?%d*$")) then
    return "a URL, as https://api.example.com"
  end
end

local options = {
  query = plainValues, headers = plainValues, json = checks.anything, form = plainValues, body = checks.string,
  timeout = checks.positive, auth = auth, raise = checks.boolean, retry = checks.boolean, origin = webURL,
}
local requestKeys = { url = checks.string, method = checks.string }
for key, check in pairs(options) do requestKeys[key] = check end

-- Names and values in a fixed order, so that equal requests are equal texts.
local function encoded(values)
  local parts = {}
  for _, name in ipairs(host.sortedKeys(values)) do
    local value, encodedName = values[name], host.urlEncode(plainText(name))
    local function add(one)
      if one ~= lookahead.null then parts[#parts + 1] = encodedName .. "=" .. host.urlEncode(plainText(one)) end
    end
    if type(value) ~= "table" then add(value) else for _, one in ipairs(value) do add(one) end end
  end
  return table.concat(parts, "&")
end

local function withQuery(url, query)
  local text = query and encoded(query) or ""
  if text == "" then return url end
  local base, fragment = url:match("^([^#]*)(#?.*)$")
  -- A question mark behind the first one is part of a value.
  local given = base:match("%?(.*)$")
  return base .. (not given and "?" or (given == "" or given:sub(-1) == "&") and "" or "&") .. text .. fragment
end

local function headerList(given)
  local list = {}
  if not given then return list end
  for _, name in ipairs(host.sortedKeys(given)) do
    local value = given[name]
    for _, one in ipairs(type(value) == "table" and value or { value }) do
      if one ~= lookahead.null then list[#list + 1] = { plainText(name), plainText(one) } end
    end
  end
  return list
end

local function authorization(given)
  if given.bearer then return "Bearer " .. given.bearer end
  return "Basic " .. host.base64Encode((given.user or "") .. ":" .. (given.password or ""))
end

local function has(headers, wanted)
  for _, header in ipairs(headers) do if header[1]:lower() == wanted then return true end end
end

-- The body that the options ask for, and its type.
local function body(given)
  local several = given.json ~= nil and (given.form or given.body) or given.form and given.body
  if several then host.misuse("http: json, form and body are each the whole body: say one of them") end
  if given.json ~= nil then return host.jsonEncode(given.json), "application/json" end
  if given.form then return encoded(given.form), "application/x-www-form-urlencoded" end
  return given.body
end

local Headers = {
  __metatable = false,
  __index = function(headers, name)
    if type(name) ~= "string" then return nil end
    return rawget(headers, name:lower())
  end,
}

local Response = { __name = "lookahead.response", __metatable = false }
local responseMethods = {}

function Response.__index(response, key)
  if key == "body" then
    local text = host.bodyText(rawget(response, 1))
    rawset(response, "body", text)
    return text
  elseif key == "links" then
    local header = response.headers.link
    local found = header and host.linksIn(header, response.url) or {}
    rawset(response, "links", found)
    return found
  end
  return responseMethods[key]
end

-- The beginning of a body. Of a secret that is cut nothing would know that it is one: so a word that is cut goes as a whole.
local function excerpt(text, most)
  if #text <= most then return text end
  local cut = text:sub(1, most)
  local letter = "[^%s\"'<>\128-\255]"
  return (text:find("^" .. letter, most + 1) and cut:gsub(letter .. "+$", "") or cut) .. "…"
end

-- What a body is that should have been JSON.
local function noJSON(text)
  local first = text:match("%S[^\r\n]*")
  if not first then return "its body is empty (expected JSON)" end
  return "its body is no JSON: " .. excerpt(first, 120)
end

--- The body as JSON; a failure names the line and column, or says what the body is instead.
function responseMethods:json()
  host.checkSelf(type(self) == "table" and host.metatable(self) == Response, "response:json", "a response")
  local value, message, line, column = host.bodyJSON(rawget(self, 1))
  if not message then return value end
  local text = self.body
  local looksLikeJSON = text:find("^%s*[%[{]") ~= nil
  error(host.failure {
    code = "parse", line = line, column = column, status = self.status,
    message = ("%s %s answered %d, and %s"):format(self.request, host.withoutLogin(self.url), self.status,
      looksLikeJSON and "its JSON is broken: " .. host.jsonPlace(message, line, column) or noJSON(text)),
    -- One that is not there, or ends in the middle, may come whole the next time.
    isTransient = not text:find("%S") or looksLikeJSON and not text:find("[%]}]%s*$"),
  }, 0)
end

local function refused(response)
  local text = excerpt(response.body, 200)
  return host.failure {
    code = "http", status = response.status, isTransient = response.status == 429 or response.status >= 500,
    message = ("%s %s answered %d%s"):format(
      response.request, host.withoutLogin(response.url), response.status, text ~= "" and ": " .. text:gsub("%s+", " ") or ""),
  }
end

-- Whether an answer has nothing for who asked: "not changed" and "a part of the bytes" have, where it was asked for that.
local function leadsNowhere(response, headers)
  if response.status == 304 then return not (has(headers, "if-none-match") or has(headers, "if-modified-since")) end
  local isPart = response.status == 206 and (response.headers["content-range"] or ""):find("^bytes") ~= nil
  return response.status >= 300 or isPart and not has(headers, "range")
end

local function perform(method, url, given)
  local headers = headerList(given.headers)
  local text, kind = body(given)
  if kind and not has(headers, "content-type") then headers[#headers + 1] = { "Content-Type", kind } end
  local full = withQuery(url, given.query)
  if host.hasRoundings then host.refuseRounding(full, text, headers) end
  local function send()
    return host.http(method, full, headers, text, given.timeout, given.retry)
  end
  local isElsewhere = given.origin and not host.credentialsStay(given.origin, full)
  if isElsewhere then headers = host.harmless(headers, text ~= nil, given, full) end
  local login = not isElsewhere and host.isLogin(given.auth) and given.auth or nil
  local token, number
  if login then token, number = host.loginToken(login) end
  if given.auth and not isElsewhere then
    headers[#headers + 1] = { "Authorization", login and "Bearer " .. token or authorization(given.auth) }
  end
  local response = send()
  if login and response.status == 401 then
    -- The server has ended the token before its time: one more, and once more.
    headers[#headers] = { "Authorization", "Bearer " .. host.loginToken(login, number) }
    response = send()
  end
  response.request = method
  setmetatable(response.headers, Headers)
  setmetatable(response, Response)
  if leadsNowhere(response, headers) and given.raise ~= false then error(refused(response), 0) end
  return response
end

host.request = perform

for _, name in ipairs { "get", "post", "put", "patch", "delete", "head" } do
  local what = "http." .. name
  http[name] = function(url, given)
    host.checkArgument(what, 1, url, checks.string)
    return perform(name:upper(), url, host.check(what, options, given or {}))
  end
end

--- One request, all of it in the options.
function http.request(given)
  given = host.check("http.request", requestKeys, given, { "url" })
  return perform((given.method or "GET"):upper(), given.url, given)
end
