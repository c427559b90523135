-- What a script sees: copies of the libraries, one global table of ours, and no undeclared globals.
local host, lookahead = ...

local globals = {}
local names = {
  "assert", "collectgarbage", "error", "getmetatable", "next", "pcall", "rawequal", "rawget", "rawlen",
  "rawset", "select", "tonumber", "tostring", "type", "xpcall", "_VERSION",
}
for _, name in ipairs(names) do globals[name] = _G[name] end
globals.pairs, globals.ipairs, globals.setmetatable = host.scriptPairs, host.scriptIpairs, host.scriptSetmetatable
for _, name in ipairs { "coroutine", "math", "string", "table", "utf8" } do
  local copy = {}
  for key, value in pairs(_G[name]) do copy[key] = value end
  globals[name] = copy
end

-- The time is the host's, real or virtual: a run in virtual time is the same every time.
local standard = os

local function seconds()
  return host.startedAt() + math.floor(host.now())
end

-- A standard function whose errors are raised at the caller's line.
local function called(f, ...)
  local results = table.pack(pcall(f, ...))
  if not results[1] then host.misuse("%s", results[2]) end
  return table.unpack(results, 2, results.n)
end

local function difference(later, earlier) return later + 0.0 - earlier end

globals.os = {
  clock = host.now,
  difftime = function(later, earlier) return called(difference, later, earlier) end,
  time = function(date)
    if date == nil then return seconds() end
    return called(standard.time, date)
  end,
  date = function(format, time)
    return called(standard.date, format or "%c", time or seconds())
  end,
}

-- A table of ours as scripts see it: to be read and called, not to be changed.
local function sealed(name, members)
  local shape = {}
  for key, value in pairs(host.metatable(members) or {}) do shape[key] = value end
  shape.__index, shape.__metatable, shape.__sealed = members, false, true
  shape.__newindex = function(_, key)
    host.misuse("%s.%s can't be replaced: everybody relies on it, so write a function of your own", name, tostring(key))
  end
  shape.__pairs = function()
    local function following(_, key)
      local value
      key, value = next(members, key)
      return key, value
    end
    return following
  end
  return setmetatable({}, shape)
end

local modules = {}
for name, value in pairs(lookahead) do
  modules[name] = type(value) == "table" and sealed("lookahead." .. name, value) or value
end
host.sealedLibrary = sealed("lookahead", modules)
host.forgetModules()
globals.lookahead = host.sealedLibrary
globals.require = host.require

function globals.print(...)
  local parts = table.pack(...)
  for position = 1, parts.n do parts[position] = tostring(parts[position]) end
  host.print(table.concat(parts, "\t"))
end

local environment
local load = load

-- Loads text; its globals are those given, if any, or else these. No text passes for the host's own.
local function loaded(globals, chunk, name, _, ...)
  if select("#", ...) > 0 then globals = (...) end
  if type(name) == "string" and name:sub(1, 11) == "@lookahead:" then name = name:sub(2) end
  return load(chunk, name, "t", globals)
end

function globals.load(...) return loaded(environment, ...) end

environment = setmetatable({}, {
  __index = globals,
  __newindex = function(_, name)
    host.misuse("'%s' is not declared: write local %s (scripts share nothing through globals)",
      tostring(name), tostring(name))
  end,
  __metatable = false,
})
globals._G = environment

host.environmentTable = environment

local function refuseCollector()
  host.misuse("collectgarbage: a policy of the lab can't see the collector, as it goes on from session to session")
end

-- A table that loses what the collector finds tells of the sessions before.
local function setStrongMetatable(value, metatable)
  if type(metatable) == "table" and rawget(metatable, "__mode") ~= nil then
    host.misuse("setmetatable: a policy of the lab has no weak tables, as the collector goes on from session to session")
  end
  return globals.setmetatable(value, metatable)
end

--- Where the copies of a policy are made, one after another: its functions, and a math.random of its own. Of what can't be
--- copied, `isStrict` makes an error; otherwise it is shared.
function host.newIsolate(isStrict)
  local random, seed = host.newRandom()
  local isolate = {
    functions = {}, cells = {}, numbers = {}, hosts = host.metatables, environment = environment, isStrict = isStrict,
    start = seed,
    -- The globals' copies are made when they are looked for: most policies use few of them, and none can tell.
    shape = { __metatable = false },
  }
  function isolate.shape.__index(copies, name)
    local copy = host.copied(globals[name], isolate)
    copies[name] = copy
    return copy
  end
  isolate.replaced = {
    [globals.math.random] = random,
    [globals.math.randomseed] = function(first, ...)
      if first == nil then first = isolate.seed end
      return seed(first, ...)
    end,
    [globals.load] = function(...) return loaded(host.copied(environment, isolate), ...) end,
    [globals.require] = function(name) return host.requireIsolated(name, isolate) end,
  }
  if isStrict then
    isolate.replaced[globals.collectgarbage] = refuseCollector
    isolate.replaced[globals.setmetatable] = setStrongMetatable
    isolate.replaced[globals.next], isolate.replaced[globals.pairs] = host.order()
  end
  return isolate
end

--- The isolate's copy of a value, and of all that it reaches, as it is now: the copies before are no more in use.
function host.isolated(value, isolate, randomSeed)
  isolate.memo, isolate.seed = { [globals] = setmetatable({}, isolate.shape) }, randomSeed
  isolate.modules = {}
  isolate.start(randomSeed)
  if isolate.isStrict then host.numbers() end
  return host.copied(value, isolate)
end
