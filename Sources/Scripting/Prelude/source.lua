-- Sources: what a script declares, and how one page is fetched.
local host, lookahead = ...
local checks = host.checks

local backoffKeys = { base = checks.seconds, cap = checks.seconds, jitter = checks.oneOf("equal", "full", "none") }
local rateKeys = { requests = checks.positive, per = checks.positive }
local needKeys = { net = checks.table, read = checks.table, write = checks.table, env = checks.table }

local function nested(what, keys)
  return function(value)
    if type(value) ~= "table" then return "a table" end
    return nil, host.check("lookahead.source: " .. what, keys, value)
  end
end

-- Names of the members that are an id together.
local function names(value)
  local expected = "a list of field names, each once"
  if type(value) ~= "table" or host.length(value) == 0 then return expected end
  local seen = {}
  for position = 1, host.length(value) do
    local name = value[position]
    if type(name) ~= "string" or name == "" or seen[name] then return expected end
    seen[name] = true
  end
end

local plainTypes = { timestamp = true, date = true, integer = true, double = true, boolean = true, text = true, json = true }

-- Columns by the names of members, with the types that they are to have.
local function types(value)
  if type(value) ~= "table" then return "a table of members and types, as { price = \"decimal(18,2)\" }" end
  local copy = {}
  for member, name in pairs(value) do
    if type(member) ~= "string" then return "names of members as its keys, as { price = \"decimal(18,2)\" }" end
    local digits, places = tostring(name):match("^decimal%((%d%d?), ?(%d%d?)%)$")
    local precision, scale = tonumber(digits), tonumber(places)
    local isDecimal = precision and precision >= 1 and precision <= 38 and scale <= precision
    if type(name) ~= "string" or not (plainTypes[name] or isDecimal) then
      local near = type(name) == "string" and host.nearest(name, plainTypes)
      host.misuse("lookahead.source: types.%s: expected one of timestamp, date, integer, double, boolean, text, json and "
        .. "decimal(DIGITS,PLACES) with up to 38 digits, got %s%s", member, host.shown(name),
        near and (" (did you mean '%s'?)"):format(near) or "")
    end
    copy[member] = name
  end
  return nil, copy
end

local keys = {
  name = checks.string,
  id = checks.either(checks.either(checks.either(checks.string, checks.callable), names), function(v)
    if v ~= false then return "false" end
  end),
  keys = checks.oneOf("cursor", "page", "offset"),
  pageSize = checks.atLeast(1),
  leadingScreens = checks.number,
  fetch = checks.callable,
  shouldBatchFetch = checks.callable,
  policy = checks.anything,
  firstKey = checks.key,
  maxInFlight = checks.atLeast(1),
  initialPageSize = checks.atLeast(1),
  prefetchDistance = checks.atLeast(0),
  merge = checks.oneOf("keep", "replace"),
  bookmark = checks.either(checks.string, checks.callable),
  write = checks.oneOf("merge", "mirror", "append"),
  isRemoved = checks.callable,
  types = types,
  onExpired = checks.oneOf("restart", "fail"),
  resumes = checks.boolean,
  maxItems = checks.atLeast(2),
  transform = checks.callable,
  prefetchItem = checks.callable,
  timeout = checks.positive,
  retries = checks.atLeast(0),
  backoff = nested("backoff", backoffKeys),
  rateLimit = nested("rateLimit", rateKeys),
  needs = nested("needs", needKeys),
  parameters = checks.table,
}

local Source = { __name = "lookahead.source", __metatable = false }
local methods = {}
host.sourceMethods = methods

-- What a source is made of, away from the script: definition tables by source.
local definitions = setmetatable({}, { __mode = "k" })

function Source.__index(source, key)
  local method = methods[key]
  if method then return method end
  if key == "prefetcher" then return host.sourcePrefetcher(source, definitions[source].name) end
  if keys[key] then
    local definition = definitions[source]
    local value = definition[key]
    if value == nil and definition.base then value = definition.base[key] end
    if key == "policy" and value then return value.shown end
    return value
  end
  if type(key) == "string" then
    host.misuse("source '%s' has no '%s'%s", definitions[source].name, key, host.hint(key, host.names(keys, methods)))
  end
end

-- The id of an item whose members name it together: the list of their values, as JSON.
local function joined(definition, fields)
  definition.idFields = table.concat(fields, ", ")
  return function(item)
    local parts = {}
    for place, field in ipairs(fields) do
      local value
      if type(item) == "table" then value = item[field] end
      local kind = type(value)
      if kind ~= "string" and kind ~= "number" and kind ~= "boolean" then
        host.misuse("source '%s': an item has no usable '%s' (expected a string or a number, got %s): its id is %s",
          definition.name, field, host.shown(value), definition.idFields)
      end
      if host.isRounded(value) then
        host.misuse("source '%s': an item's '%s' is %s, which is more than a number keeps exactly (have the source give a text): its id is %s",
          definition.name, field, host.shown(value), definition.idFields)
      end
      -- A float with the value of an integer is that integer, as an id of one member.
      parts[place] = kind == "number" and math.tointeger(value) or value
    end
    return lookahead.json.encode(parts)
  end
end

-- What a list of field names means as an id; what else is given for one stays.
local function identity(definition, fields)
  definition.idFields = nil
  if type(fields) ~= "table" then return fields end
  return host.length(fields) == 1 and fields[1] or joined(definition, fields)
end

function Source.__newindex(source, key, value)
  local definition = definitions[source]
  if definition.isSealed then
    host.misuse("source '%s' is being read: %s can only be set while declaring", definition.name, tostring(key))
  end
  value = host.checkKey("source '" .. definition.name .. "'", keys, key, value)
  if key == "policy" and value ~= nil then value = host.policy("policy", value) end
  if key == "id" then value = identity(definition, value) end
  definition[key] = value
end

function Source.__tostring(source)
  return "source: " .. definitions[source].name
end

--- Declares a source.
function lookahead.source(given)
  local definition = host.check("lookahead.source", keys, given)
  if definition.policy ~= nil and definition.shouldBatchFetch then
    host.misuse("lookahead.source: policy and shouldBatchFetch say the same thing twice: set one of them")
  end
  definition.place = host.callerPlace()
  definition.name = definition.name or host.scriptName()
  if definition.policy ~= nil then definition.policy = host.policy("lookahead.source: policy", definition.policy) end
  definition.id = identity(definition, definition.id)
  local problem = host.checkDefinition(definition)
  if problem then host.misuse("lookahead.source: %s", problem) end
  local source = setmetatable({}, Source)
  definitions[source] = definition
  host.declared(definition)
  return source
end

--- Raises misuse unless a method of sources was called on one.
function host.checkSource(source, call)
  host.checkSelf(host.isSource(source), call, "a source")
end

function host.isSource(value)
  return value ~= nil and definitions[value] ~= nil
end

--- The definition of a source as it is read: complete, for its parameters, and closed to changes. Where it is simulated
--- it needs no fetch handler.
function host.sealed(source, isSimulated)
  local definition = definitions[source]
  local base = definition.base
  local sealed = {}
  if base then for key, value in pairs(base) do sealed[key] = value end end
  for key, value in pairs(definition) do sealed[key] = value end
  definition.isSealed = true
  if base then base.isSealed = true end
  if not (sealed.fetch or isSimulated) then
    error(("%s: source '%s' has no fetch handler: declare function %s.fetch(context)"):format(
      sealed.place, sealed.name, sealed.name:match("^[%a_][%w_]*$") or "source"), 0)
  end
  if sealed.shouldBatchFetch then sealed.policy = host.policy("shouldBatchFetch", sealed.shouldBatchFetch) end
  return sealed
end

-- Partitions are kept and shown with their parameters: no secret may be one.
local function refuseSecrets(parameters)
  for key, value in pairs(parameters) do
    local secret, place = host.secretIn(value, tostring(key), 1)
    if secret then
      host.misuse(
        "source:with: %s is the secret %s, but a partition is remembered and shown with its parameters: let fetch use the secret itself",
        place, secret)
    end
  end
end

--- The same source for other parameters.
function methods:with(parameters)
  host.checkSource(self, "source:with")
  host.checkArgument("source:with", 1, parameters, checks.table)
  refuseSecrets(parameters)
  local definition = definitions[self]
  local merged = {}
  for key, value in pairs((definition.parameters or definition.base and definition.base.parameters) or {}) do
    merged[key] = value
  end
  for key, value in pairs(parameters) do merged[key] = value end
  local source = setmetatable({}, Source)
  definitions[source] = { base = definition.base or definition, name = definition.name, parameters = merged }
  return source
end
