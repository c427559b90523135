-- Workloads and networks of the lab: validated tables become the texts that the lab parses.
local host, lookahead = ...
local checks = host.checks

local function isFinite(v) return type(v) == "number" and v == v and math.abs(v) < math.huge end
local function finite(v) if not isFinite(v) then return "a number" end end

--- A kind of value that scripts hold and cannot change: how to make one, and what is behind one.
function host.valueType(word)
  local definitions = setmetatable({}, { __mode = "k" })
  local Value = { __name = "lookahead." .. word, __metatable = false }
  function Value.__index(value, key) return definitions[value].given[key] end
  function Value.__newindex() host.misuse("a declared %s cannot be changed: declare another one", word) end
  function Value.__tostring(value) return word .. ": " .. definitions[value].name end
  local function make(definition)
    local value = setmetatable({}, Value)
    definitions[value] = definition
    return value
  end
  return make, function(value) return definitions[value] end
end

-- The shortest text that is read as the same number.
local function text(number)
  if math.tointeger(number) then return ("%d"):format(math.tointeger(number)) end
  local short = ("%.15g"):format(number)
  return tonumber(short) == number and short or ("%.17g"):format(number)
end
host.numberText = text

-- A form with options behind what it says already.
local function described(form, options)
  if #options == 0 then return form end
  return form .. (form:find(":", 1, true) and "," or ":") .. table.concat(options, ",")
end

local makeWorkload, workloadOf = host.valueType("workload")
local makeNetwork, networkOf = host.valueType("network")

local flinging = " reverse speed speedSigma maxSpeed stop rate itemHeight dwellMu dwellSigma dwellItems"
-- What each kind can be given besides; what its numbers may be is known to the lab.
local kinds = {
  fling = "flings" .. flinging, quitter = "quit" .. flinging, reader = "count dwell dwellSigma reverse speed",
  skimmer = "count speed speedSigma seconds dwell dwellSigma", searcher = "searches far pause back study" .. flinging,
  jumper = "jumps around" .. flinging, steady = "speed seconds first", trace = "", balabit = "itemsPerTick",
}

--- Keys of a kind of workload, with their checks, and the names of its own numbers.
local function workloadKeys(kind)
  local keys = {
    name = checks.string, kind = checks.string, items = checks.atLeast(1), viewport = checks.positive,
    patience = checks.positive, patienceSigma = finite,
  }
  if kind == "trace" or kind == "balabit" then
    keys.file, keys.contents = checks.string, checks.string
  elseif kinds[kind]:find("maxSpeed", 1, true) then
    keys.platform, keys.edge = checks.oneOf("ios", "android"), checks.oneOf("stops", "resumes")
  end
  local numbers = { "items", "viewport", "patience", "patienceSigma" }
  for name in kinds[kind]:gmatch("%S+") do
    keys[name] = finite
    numbers[#numbers + 1] = name
  end
  return keys, numbers
end

--- How readers scroll.
function lookahead.workload(given)
  local what = "lookahead.workload"
  host.checkArgument(what, 1, given, checks.table)
  given = host.raw(given)
  local kind = given.kind == nil and "fling" or given.kind
  if type(kind) ~= "string" then host.misuse("%s: kind: expected a string, got %s", what, host.shown(kind)) end
  if not kinds[kind] then host.misuse("%s: unknown kind '%s'%s", what, kind, host.hint(kind, kinds)) end
  local keys, numbers = workloadKeys(kind)
  given = host.check(("%s of kind '%s'"):format(what, kind), keys, given)
  local form = kind
  if keys.file then
    if (given.file == nil) == (given.contents == nil) then
      host.misuse("%s: expected either file, a path, or contents, the text of such a file", what)
    end
    form = kind .. ":" .. (given.file or "contents")
  end
  local options = {}
  for _, name in ipairs(numbers) do
    if given[name] ~= nil then options[#options + 1] = name .. "=" .. text(given[name]) end
  end
  for _, name in ipairs { "platform", "edge" } do
    if given[name] then options[#options + 1] = name .. "=" .. given[name] end
  end
  local world = { text = described(form, options), contents = given.contents, file = given.file }
  return makeWorkload { given = given, name = given.name or world.text, world = world }
end

-- Numbers as a JSON list.
local function list(numbers)
  local texts = {}
  for position, number in ipairs(numbers) do texts[position] = text(number) end
  return "[" .. table.concat(texts, ",") .. "]"
end

-- Conditions that follow each other, in the units of the lab's files.
local function conditions(rows)
  local texts = {}
  for position, row in ipairs(rows) do
    row = type(row) == "table" and host.raw(row)
    local isRight = row and isFinite(row.seconds) and isFinite(row.bandwidth) and isFinite(row.latency)
    if not isRight then return nil end
    texts[position] = ('{"duration_ms":%s,"bandwidth_kbps":%s,"latency_ms":%s}'):format(
      text(row.seconds * 1000), text(row.bandwidth / 125), text(row.latency * 1000))
  end
  return "[" .. table.concat(texts, ",") .. "]"
end

local function areNumbers(values)
  for _, value in ipairs(values) do if not isFinite(value) then return false end end
  return true
end

-- Laws by their keys.
local laws = { { "lognormal", "median", "sigma" }, { "uniform", "low", "high" }, { "exponential", "mean" } }

local function law(given)
  for _, form in ipairs(laws) do
    local values, count = {}, 0
    for _ in pairs(given) do count = count + 1 end
    for position = 2, #form do
      local value = given[form[position]]
      values[position - 1] = isFinite(value) and text(value)
    end
    if count == #form - 1 and values[1] and values[count] then
      return form[1] .. ":" .. table.concat(values, ",")
    end
  end
end

--- The text of a latency, and the contents or the path of the file that it names; nothing where it is none.
local function latency(given)
  if given == nil then return "reference" end
  if isFinite(given) then return "fixed:" .. text(given) end
  if type(given) == "string" and given ~= "" then return given end
  if type(given) ~= "table" then return nil end
  given = host.raw(given)
  if type(given.file) == "string" and next(given, next(given)) == nil then
    return "measured:" .. given.file, nil, given.file
  end
  if given[1] == nil then return law(given) end
  if areNumbers(given) then return "measured:samples", list(given) end
  local rows = conditions(given)
  if rows then return "measured:conditions", rows end
end

local networkKeys = {
  name = checks.string, latency = checks.anything, contents = checks.string, bandwidth = checks.positive,
  bytesPerItem = finite, bytesPerDetail = finite, sharing = checks.oneOf("fair", "queue"), cache = finite,
  cacheLatency = finite, loss = finite, errors = finite, timeout = finite, rateLimit = checks.table,
}
local rateKeys = { requests = checks.positive, per = checks.positive }

-- `10/1.5`, with whole requests: two and a half per second are two, and half a request per second is one in two.
local function rate(given)
  given = host.check("lookahead.network: rateLimit", rateKeys, given, { "requests" })
  local whole = math.max(1, math.floor(math.min(given.requests, 1e9)))
  return ("%d/%s"):format(whole, text((given.per or 1) / math.min(1, given.requests)))
end

--- What lies between a reader and a source.
function lookahead.network(given)
  given = host.check("lookahead.network", networkKeys, given)
  local form, contents, file = latency(given.latency)
  if not form then
    host.misuse("lookahead.network: latency: expected %s, got %s",
      "seconds, { median, sigma }, { low, high }, { mean }, { file }, a list of seconds, "
        .. 'a list of { seconds, bandwidth, latency } or a text as "lognormal:0.35,0.5"', host.shown(given.latency))
  end
  local options = {}
  for _, name in ipairs {
    "bandwidth", "bytesPerItem", "bytesPerDetail", "cache", "cacheLatency", "loss", "errors", "timeout",
  } do
    if given[name] then options[#options + 1] = name .. "=" .. text(given[name]) end
  end
  if given.sharing then options[#options + 1] = "sharing=" .. given.sharing end
  if given.rateLimit then options[#options + 1] = "rate=" .. rate(given.rateLimit) end
  local world = { text = described(form, options), contents = contents or given.contents, file = file }
  return makeNetwork { given = given, name = given.name or world.text, world = world }
end

local fileForms = { trace = true, balabit = true, measured = true, recorded = true, sabre = true, mahimahi = true }

-- The path in a text that needs a file: all behind the colon, up to the first option.
local function fileOf(form)
  local name, rest = form:match("^(%w+):(.+)$")
  if not fileForms[name] then return nil end
  local option = rest:find(",%a+=")
  return option and rest:sub(1, option - 1) or rest
end

-- The paths in a text: `3 fling + 1 balabit:FOLDER` may have several.
local function filesOf(form)
  if not form:find("^[%d.]") then return { fileOf(form) } end
  local files = {}
  for part in (form .. " + "):gmatch("(.-) %+ ") do
    files[#files + 1] = fileOf(part:match("^%S+ (.*)$") or "")
  end
  return files
end

--- What the lab is told of a workload or network, a declared one or a text; nil for anything else.
function host.worldOf(word, value)
  local definition = (word == "workload" and workloadOf or networkOf)(value)
  local world = definition and definition.world or type(value) == "string" and value ~= "" and { text = value }
  if not world then return nil end
  return {
    text = world.text, contents = world.contents, name = definition and definition.given.name,
    files = not world.contents and (world.file and { world.file } or filesOf(world.text)) or nil,
  }
end

--- Whether a value is a declared workload or network: the word for it, or nil.
function host.worldWord(value)
  if value == nil then return nil end
  return workloadOf(value) and "workload" or networkOf(value) and "network" or nil
end
