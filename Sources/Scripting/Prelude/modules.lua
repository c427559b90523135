-- require: name.lua from the script's folder, once, with the script's own globals.
local host, lookahead = ...

local loaded
local loading = {}

--- Modules are loaded anew when they are asked for again.
function host.forgetModules() loaded = { lookahead = host.sealedLibrary } end

function host.require(name)
  host.checkArgument("require", 1, name, host.checks.string)
  local module = loaded[name]
  if module ~= nil then return module end
  if loading[name] then host.misuse("require: '%s' is being loaded already: two modules need each other", name) end
  if not ("." .. name):gsub("%.[%w_%-]+", ""):match("^$") then
    host.misuse("require: '%s' is no module name: letters, digits, _ and -, with dots between folders", name)
  end
  local chunk, message = host.loadModule(name)
  if not chunk then host.misuse("require: %s", message) end
  loading[name] = true
  local ok, result = pcall(chunk, name)
  loading[name] = nil
  if not ok then error(result, 0) end
  if result == nil then result = true end
  loaded[name] = result
  return result
end
