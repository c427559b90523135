-- require: name.lua from the script's folder, once, with the script's own globals.
local host, lookahead = ...

local loaded, chunks
local loading = {}

--- Modules are loaded anew when they are asked for again.
function host.forgetModules() loaded, chunks = { lookahead = host.sealedLibrary }, {} end

-- The result of a module that is not among `modules` yet; `load` gives its chunk.
local function run(name, modules, load)
  if loading[name] then host.misuse("require: '%s' is being loaded already: two modules need each other", name) end
  if not ("." .. name):gsub("%.[%w_%-]+", ""):match("^$") then
    host.misuse("require: '%s' is no module name: letters, digits, _ and -, with dots between folders", name)
  end
  local chunk, message = load(name)
  if not chunk then host.misuse("require: %s", message) end
  loading[name] = true
  local ok, result = pcall(chunk, name)
  loading[name] = nil
  if not ok then error(result, 0) end
  if result == nil then result = true end
  modules[name] = result
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
