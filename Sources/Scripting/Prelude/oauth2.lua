-- OAuth 2: tokens that requests carry, asked for once for all that wait, and again before they end (RFC 6749).
local host, lookahead = ...
local checks = host.checks

local Login = { __name = "lookahead.login", __metatable = false }
local methods = {}

-- What is behind each login; a script sees none of it.
local held = setmetatable({}, { __mode = "k" })

function Login.__index(login, key) return held[login] and methods[key] end
function Login.__newindex() host.misuse("a login cannot be changed") end
function Login.__tostring(login) return "login: " .. host.withoutLogin(held[login].tokenURL) end

local keys = {
  tokenURL = checks.string, clientID = checks.string, clientSecret = checks.string, refreshToken = checks.string,
  scope = checks.string, parameters = host.plainValues, clientIn = checks.oneOf("header", "body"),
}

local function refused(login, status, reason)
  return host.failure {
    code = "http", status = status, isTransient = status == 429 or status >= 500,
    message = ("oauth2: %s answered %d, %s"):format(host.withoutLogin(login.tokenURL), status, reason),
  }
end

-- What a server says of a token that it does not give; nothing else of its answer, which may have secrets.
local function reason(reply)
  if type(reply) ~= "table" or type(reply.error) ~= "string" then return "and gave no token" end
  local more = type(reply.error_description) == "string" and " (" .. reply.error_description:sub(1, 200) .. ")" or ""
  return reply.error:sub(1, 80) .. more
end

local function ask(login)
  local form, auth = host.raw(login.parameters or {}), nil
  form.grant_type = login.refreshToken and "refresh_token" or "client_credentials"
  form.refresh_token, form.scope = login.refreshToken, login.scope
  if login.clientSecret and login.clientIn ~= "body" then
    auth = { user = host.urlEncode(login.clientID), password = host.urlEncode(login.clientSecret) }
  else
    form.client_id, form.client_secret = login.clientID, login.clientSecret
  end
  local began = host.now()
  -- A refresh token may count once only: asking twice could end the login.
  local response = host.request("POST", login.tokenURL, {
    form = form, auth = auth, headers = { Accept = "application/json" }, raise = false, retry = not login.refreshToken,
  })
  local isRead, reply = pcall(response.json, response)
  if not isRead then reply = nil end
  if response.status ~= 200 then error(refused(login, response.status, reason(reply)), 0) end
  local token = type(reply) == "table" and reply.access_token
  if type(token) ~= "string" or token == "" then
    error(refused(login, 200, "and its body is no JSON with an access_token"), 0)
  end
  local kind = reply.token_type
  if type(kind) == "string" and kind:lower() ~= "bearer" then
    error(refused(login, 200, ("with a token of the type '%s' (expected bearer)"):format(kind:sub(1, 40))), 0)
  end
  if type(reply.refresh_token) == "string" and login.refreshToken then login.refreshToken = reply.refresh_token end
  local seconds = tonumber(reply.expires_in)
  login.token, login.number = token, (login.number or 0) + 1
  login.endsAt = seconds and began + seconds - math.min(60, seconds / 10) or math.huge
end

-- A token that is not the refused one, and which one of all that is; one task asks for it, whoever waits. Tokens are told apart by their
-- numbers: in a replay all are written alike.
local function token(login, refused)
  if login.token and login.number ~= refused and host.now() < login.endsAt then return login.token, login.number end
  local renewal = login.renewal
  if not renewal then
    local isOver = false
    renewal = host.spawn(ask, function()
      local isRight, problem = pcall(ask, login)
      isOver, login.renewal = true, nil
      return isRight, problem
    end)
    if not isOver then login.renewal = renewal end
  end
  local isRight, problem = host.join(renewal)
  if isRight then return login.token, login.number end
  -- Each that waits has it at a line of its own.
  error(host.isFailure(problem) and host.failure(host.raw(problem)) or problem, 0)
end

--- A login for requests: `http.get(url, { auth = login })`.
function lookahead.oauth2(given)
  given = host.check("lookahead.oauth2", keys, given, { "tokenURL", "clientID" })
  if not given.clientSecret and not given.refreshToken then
    host.misuse("lookahead.oauth2: expected clientSecret, refreshToken or both")
  end
  local login = setmetatable({}, Login)
  held[login] = given
  return login
end

--- The token; waits if there is none, or if it is about to end.
function methods:token()
  host.checkSelf(self ~= nil and held[self], "login:token", "a login")
  return (token(held[self]))
end

function host.isLogin(value) return type(value) == "table" and held[value] ~= nil end

--- A token for a request, other than the one of the number that was refused, and its number.
function host.loginToken(login, refused) return token(held[login], refused) end
