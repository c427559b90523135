-- The run's parameters: declared with their defaults, given with --param.
local host, lookahead = ...
local checks = host.checks

local keys = {
  default = checks.anything, help = checks.string, required = checks.boolean, secret = checks.boolean,
  type = checks.oneOf("string", "integer", "number", "boolean"),
}

local function isDeclaration(value)
  if type(value) ~= "table" then return false end
  for key in pairs(value) do if keys[key] then return true end end
  return next(value) == nil
end

-- A given text as the type that the default has.
local function converted(name, text, wanted)
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
    code = "usage", message = ("--param %s: expected %s, got '%s'"):format(name, wanted, tostring(text)),
  }, 0)
end

local function wantedType(declaration)
  if declaration.type then return declaration.type end
  if math.type(declaration.default) == "integer" then return "integer" end
  return declaration.default ~= nil and type(declaration.default) or "string"
end

local declared = {}

--- Declares and returns the run's parameters.
function lookahead.parameters(given)
  host.checkArgument("lookahead.parameters", 1, given, checks.table)
  local values = {}
  for name, value in pairs(given) do
    if type(name) ~= "string" then host.misuse("lookahead.parameters: expected names, got %s", host.shown(name)) end
    local declaration = isDeclaration(value) and host.check("lookahead.parameters: " .. name, keys, value)
      or { default = value }
    local wanted = wantedType(declaration)
    declared[name] = true
    local text = host.parameter(name, {
      help = declaration.help, type = wanted, required = declaration.required, secret = declaration.secret,
      default = declaration.default,
    })
    if text ~= nil then
      values[name] = converted(name, text, wanted)
    elseif declaration.default ~= nil then
      values[name] = declaration.default
    elseif declaration.required then
      values[name] = host.missingParameter(name, wanted)
    end
  end
  return setmetatable(values, {
    __index = function(_, name)
      if declared[name] then return nil end
      host.misuse("no parameter '%s' was declared%s", tostring(name), host.hint(tostring(name), declared))
    end,
  })
end
