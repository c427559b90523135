-- require: name.lua from the script's folder, once, with the script's own globals.
local host, lookahead = ...

local loaded, chunks
-- Loads under way, by the modules that they are for, and their names.
local loading = setmetatable({}, { __mode = "k" })

--- Modules are loaded anew when they are asked for again.
function host.forgetModules() loaded, chunks = { lookahead = host.sealedLibrary }, {} end

-- Waits for a module that another task loads: what came of it, nil if nothing did, and the table of loads.
local function awaited(name, modules)
  local loads = loading[modules] or {}
  loading[modules] = loads
  while loads[name] do
    local load = loads[name]
    if not host.awaitLoad(load) then
      host.misuse("require: '%s' is being loaded already: two modules need each other", name)
    end
    if modules[name] ~= nil then return modules[name] end
    if loads[name] == load then loads[name] = nil end
  end
  return nil, loads
end

-- The result of a module that is not among `modules` yet; `load` gives its chunk.
local function run(name, modules, load)
  local module, loads = awaited(name, modules)
  if module ~= nil then return module end
  if not ("." .. name):gsub("%.[%w_%-]+", ""):match("^$") then
    host.misuse("require: '%s' is no module name: letters, digits, _ and -, with dots between folders", name)
  end
  local chunk, message = load(name)
  if not chunk then host.misuse("require: %s", message) end
  local mine = host.beginLoad()
  loads[name] = mine
  local ok, result = pcall(chunk, name)
  if ok then
    if result == nil then result = true end
    modules[name] = result
  end
  loads[name] = nil
  host.endLoad(mine)
  if not ok then error(result, 0) end
  return result
end

function host.require(name)
  host.checkArgument("require", 1, name, host.checks.string)
  local module = loaded[name]
  if module ~= nil then return module end
  return run(name, loaded, host.loadModule)
end

--- The same for a policy: its isolate's copy of a module that the script has loaded; any other runs for each session anew.
function host.requireIsolated(name, isolate)
  host.checkArgument("require", 1, name, host.checks.string)
  if loaded[name] ~= nil then return host.copied(loaded[name], isolate) end
  local module = isolate.modules[name]
  if module ~= nil then return module end
  return run(name, isolate.modules, function()
    local message
    if not chunks[name] then chunks[name], message = host.loadModule(name) end
    return chunks[name] and host.copied(chunks[name], isolate), message
  end)
end
