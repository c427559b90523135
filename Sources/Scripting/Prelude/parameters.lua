-- The run's parameters: declared with their defaults, given with --param.
local host, lookahead = ...
local checks = host.checks

local keys = {
  default = checks.plain, help = checks.string, required = checks.boolean, secret = checks.boolean,
  partition = checks.boolean,
  type = checks.oneOf("string", "integer", "number", "boolean"),
}

--- What was written for one parameter: a default, or a table that says more.
local function declaration(name, value)
  local what = "lookahead.parameters: " .. tostring(name)
  if type(name) ~= "string" then host.misuse("lookahead.parameters: expected names, got %s", host.shown(name)) end
  if type(value) == "table" then return host.check(what, keys, value) end
  return host.check(what, keys, { default = value })
end

-- A given text as the type that the default has.
local function converted(name, text, wanted, isSecret)
  if wanted == "boolean" then
    if text == "true" or text == "yes" or text == "1" then return true end
    if text == "false" or text == "no" or text == "0" then return false end
  elseif wanted == "number" or wanted == "integer" then
    local number = tonumber(text)
    if number and wanted == "integer" then number = math.tointeger(number) end
    if number then return number end
  else
    return text
  end
  error(host.failure {
    code = "usage", message = isSecret and ("--secret %s: expected %s"):format(name, wanted)
      or ("--param %s: expected %s, got '%s'"):format(name, wanted, tostring(text)),
  }, 0)
end

local function wantedType(declaration)
  if declaration.type then return declaration.type end
  if math.type(declaration.default) == "integer" then return "integer" end
  return declaration.default ~= nil and type(declaration.default) or "string"
end

local declared = {}
--- The names of secret parameters, by their values.
host.secrets = {}

-- Shorter secrets may be part of anything, or be there by chance.
local leastPart, leastWhole = 8, 4

local function secretOf(value, least)
  local name = host.secrets[value]
  if name and #tostring(value) >= least then return name end
  if type(value) ~= "string" then return nil end
  for secret, other in pairs(host.secrets) do
    if type(secret) == "string" and #secret >= leastPart and value:find(secret, 1, true) then return other end
  end
end

--- The name of the secret that a value is, or has in it, and where that is; nil if there is none. A short one, which may be there
--- by chance, counts where `least` says so.
function host.secretIn(value, place, least)
  least = least or leastWhole
  if next(host.secrets) == nil then return nil end
  local seen = {}
  local function search(value, place)
    local name = secretOf(value, least)
    if name then return name, place end
    if type(value) ~= "table" or seen[value] then return nil end
    seen[value] = true
    for key, inner in pairs(value) do
      local there = place .. "." .. tostring(key)
      local name, found = secretOf(key, least), place
      if not name then name, found = search(inner, there) end
      if name then return name, found end
    end
  end
  return search(value, place)
end

--- Declares and returns the run's parameters.
function lookahead.parameters(given)
  host.checkArgument("lookahead.parameters", 1, given, checks.table)
  given = host.raw(given)
  local values = {}
  for _, name in ipairs(host.sortedKeys(given)) do
    local declaration = declaration(name, given[name])
    local wanted = wantedType(declaration)
    declared[name] = true
    local text = host.parameter(name, {
      help = declaration.help, type = wanted, required = declaration.required, secret = declaration.secret,
      partition = declaration.partition, default = declaration.default,
    })
    if text ~= nil then
      values[name] = converted(name, text, wanted, declaration.secret)
      if declaration.secret and wanted ~= "boolean" and text ~= "" then host.secrets[values[name]] = name end
    elseif declaration.default ~= nil then
      values[name] = declaration.default
    elseif declaration.required then
      values[name] = host.missingParameter(name, wanted)
    end
  end
  return setmetatable(values, {
    __metatable = false,
    __index = function(_, name)
      if declared[name] then return nil end
      host.misuse("no parameter '%s' was declared%s", tostring(name), host.hint(tostring(name), declared))
    end,
  })
end
