-- The lab: experiments as values, and their results.
local host, lookahead = ...
local checks = host.checks

local makeExperiment, experimentOf = host.valueType("experiment")

local function integer(v)
  if type(v) ~= "number" or not math.tointeger(v) or v < 0 then return "an integer from 0 on" end
end

local function costs(v)
  if type(v) ~= "table" then return "a table" end
  v = host.raw(v)
  local keys = {}
  for _, name in ipairs { "stall", "event", "request", "waste", "memory", "bytes", "energy", "left" } do keys[name] = checks.seconds end
  for _, name in ipairs(host.sortedKeys(v)) do
    if not keys[name] then host.checkKey("lookahead.experiment: costs", keys, name, v[name]) end
    if type(v[name]) ~= "number" or not (v[name] >= 0 and v[name] < math.huge) then
      host.misuse("lookahead.experiment: costs: %s: expected a number from 0 on, got %s", name, host.shown(v[name]))
    end
  end
  return nil, v
end

local keys = {
  title = checks.string, sources = checks.anything, policies = checks.anything, workloads = checks.anything,
  networks = checks.anything, paired = checks.boolean, together = checks.boolean, sessions = checks.atLeast(1), seed = integer, costs = costs, set = checks.table,
  baseline = checks.anything,
}

-- What was given as a list: one thing is a list of one.
local function listed(key, value, isOne)
  if value == nil then return { n = 0 } end
  if isOne(value) then return { value, n = 1 } end
  if type(value) ~= "table" then
    host.misuse("lookahead.experiment: %s: expected a list, got %s", key, host.shown(value))
  end
  return host.list(value)
end

local function checkNames(word, list)
  local known = {}
  for _, element in ipairs(list) do
    local name = element.name or element.text
    if known[name] then
      host.misuse("lookahead.experiment: two %s are called '%s': give each a name of its own", word, name)
    end
    known[name] = true
  end
end

local function sources(value)
  local list = listed("sources", value, host.isSource)
  for position = 1, list.n do
    local source = list[position]
    if not host.isSource(source) then
      host.misuse("lookahead.experiment: sources: element %d: expected a source, got %s", position, host.shown(source))
    end
  end
  return list
end

-- In the lab a built-in policy needs no number: that is one of its parameters.
local function policy(what, value)
  if type(value) ~= "string" then return host.policy(what, value) end
  local message = host.checkLabPolicy(value)
  if message then host.misuse("%s: %s", what, message) end
  return { kind = "named", name = value }
end

local function policies(value)
  local list = listed("policies", value, function(v)
    return host.isPolicy(v) or type(v) == "string" or type(v) == "function"
  end)
  for position = 1, list.n do
    local given = list[position]
    list[position] = host.policyFields(policy(("lookahead.experiment: policies: element %d"):format(position), given))
  end
  checkNames("policies", list)
  return list
end

local function worlds(key, word, value)
  local list = listed(key, value, function(v) return host.worldOf(word, v) ~= nil end)
  for position = 1, list.n do
    local given = list[position]
    list[position] = host.worldOf(word, given)
    if not list[position] then
      host.misuse("lookahead.experiment: %s: element %d: expected a %s or a text that stands for one, got %s",
        key, position, word, host.shown(given))
    end
  end
  checkNames(key, list)
  return list
end

-- Parameters and their values, by name.
local function axes(given)
  local list = {}
  for _, name in ipairs(host.sortedKeys(given)) do
    local values = given[name]
    if type(name) ~= "string" then
      host.misuse("lookahead.experiment: set: expected named parameters, got %s", host.shown(name))
    end
    if type(values) == "number" then values = { values } end
    values = type(values) == "table" and host.list(values)
    local isRight = values and values.n > 0
    for position = 1, isRight and values.n or 0 do
      local value = values[position]
      isRight = isRight and type(value) == "number" and value == value and math.abs(value) < math.huge
    end
    if not isRight then
      host.misuse("lookahead.experiment: set: %s: expected a list of numbers, got %s", name, host.shown(given[name]))
    end
    list[#list + 1] = { name = name, values = values }
  end
  return list
end

local function baseline(value)
  if value == nil or type(value) == "string" then return value end
  if host.isPolicy(value) then return host.policyFields(host.policy("baseline", value)).name end
  host.misuse("lookahead.experiment: baseline: expected the name of a policy, got %s", host.shown(value))
end

--- What is to be compared: every policy over every source, workload and network.
function lookahead.experiment(given)
  given = host.check("lookahead.experiment", keys, given)
  return makeExperiment {
    given = given, name = given.title or "experiment",
    fields = {
      title = given.title, sources = sources(given.sources), policies = policies(given.policies),
      workloads = worlds("workloads", "workload", given.workloads),
      networks = worlds("networks", "network", given.networks), paired = given.paired,
      together = given.together, sessions = given.sessions,
      seed = given.seed, costs = given.costs or {}, set = axes(given.set or {}), baseline = baseline(given.baseline),
    },
  }
end

--- What the host reads of a source for the lab: its definition, and its own policy where it has one.
function host.sourceFields(source)
  local definition = host.sealed(source, true)
  local own = definition.policy
  return { name = definition.name, definition = definition, policy = own and host.policyFields(own, "own policy") }
end

--- What the host reads of an experiment.
function host.experimentFields(experiment)
  local fields = {}
  for key, value in pairs(experimentOf(experiment).fields) do fields[key] = value end
  local list = {}
  for position, source in ipairs(fields.sources) do list[position] = host.sourceFields(source) end
  checkNames("sources", list)
  fields.sources = list
  return fields
end

--- What a returned value is for the lab: a word and what the host reads of it; nil for anything else.
function host.labValue(value, name)
  if host.isSource(value) then return "source", host.sourceFields(value) end
  if host.isPolicy(value) then return "policy", host.policyFields(host.policy("a policy", value), name) end
  if value == nil then return nil end
  if experimentOf(value) then return "experiment", host.experimentFields(value) end
  local word = host.worldWord(value)
  if word then return word, host.worldOf(word, value) end
end

--- What a returned value, or the first of a returned list, is when only the lab can use it; nil for anything else.
function host.labWord(value)
  if host.isSource(value) then return nil end
  if type(value) == "table" and rawget(value, 1) ~= nil then value = rawget(value, 1) end
  if value == nil then return nil end
  if experimentOf(value) then return "an experiment" end
  if host.isPolicy(value) then return "a policy" end
  local word = host.worldWord(value)
  return word and "a " .. word
end

local Result = { __name = "lookahead.result", __metatable = false }
local results = setmetatable({}, { __mode = "k" })
local methods = {}

function Result.__index(result, key)
  if methods[key] then return methods[key] end
  return results[result].found[key]
end

function Result.__newindex() host.misuse("a result cannot be changed") end
function Result.__tostring(result) return ("result: %d rows"):format(#results[result].found.rows) end

local function behind(result, call)
  host.checkSelf(type(result) == "table" and results[result], "result:" .. call, "a result")
  return results[result].owner
end

--- Two policies of the result, session by session.
function methods:compare(policy, other)
  local owner = behind(self, "compare")
  host.checkArgument("result:compare", 1, policy, checks.string)
  host.checkArgument("result:compare", 2, other, checks.string)
  return host.comparePolicies(owner, policy, other)
end

--- Writes the report as one HTML file.
function methods:report(path)
  local owner = behind(self, "report")
  host.checkArgument("result:report", 1, path, checks.string)
  host.writeReport(path, owner)
end

-- The files that a place of a world stands for: one, or those of a folder.
local function readWorld(place, found)
  local isFile, contents = pcall(host.readFile, place)
  if isFile then
    found[#found + 1] = { place = place, name = place, contents = contents }
    return
  end
  local isFolder, names = pcall(host.listFiles, place)
  if not isFolder or #names == 0 then error(contents, 0) end
  local folder = place:gsub("/?$", "/", 1)
  for _, name in ipairs(names) do
    if not name:find("^%.") and not name:find("/$") then
      found[#found + 1] = { place = place, name = folder .. name, contents = host.readFile(folder .. name) }
    end
  end
end

local lab = {}
lookahead.lab = lab

--- Runs an experiment in virtual time.
function lab.run(experiment)
  host.checkArgument("lab.run", 1, experiment, function(v)
    if v == nil or not experimentOf(v) then return "an experiment, made with lookahead.experiment" end
  end)
  host.checkLab()
  local fields = host.experimentFields(experiment)
  for _, key in ipairs { "workloads", "networks" } do
    local list = {}
    for position, world in ipairs(fields[key]) do
      list[position] = world
      if world.files then
        local found = {}
        for _, place in ipairs(world.files) do readWorld(place, found) end
        list[position] = { text = world.text, name = world.name, found = found }
      end
    end
    fields[key] = list
  end
  -- Every session numbers what it shows anew, and the script goes on with its own numbers.
  local numbers = host.numbers()
  host.numbers(numbers)
  local isRight, owner, found = pcall(host.runExperiment, fields)
  host.numbers(numbers)
  if not isRight then error(owner, 0) end
  local result = setmetatable({}, Result)
  results[result] = { owner = owner, found = found }
  return result
end
