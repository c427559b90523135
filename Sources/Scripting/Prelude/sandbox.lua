-- What a script sees: copies of the libraries, one global table of ours, and no undeclared globals.
local host, lookahead = ...

local globals = {}
local names = {
  "assert", "collectgarbage", "error", "getmetatable", "ipairs", "next", "pairs", "pcall", "rawequal", "rawget", "rawlen",
  "rawset", "select", "setmetatable", "tonumber", "tostring", "type", "xpcall", "_VERSION",
}
for _, name in ipairs(names) do globals[name] = _G[name] end
for _, name in ipairs { "coroutine", "math", "os", "string", "table", "utf8" } do
  local copy = {}
  for key, value in pairs(_G[name]) do copy[key] = value end
  globals[name] = copy
end

globals.lookahead = lookahead
globals.require = host.require

function globals.print(...)
  local parts = table.pack(...)
  for position = 1, parts.n do parts[position] = tostring(parts[position]) end
  host.print(table.concat(parts, "\t"))
end

local environment
local load = load

function globals.load(chunk, name, _, ...)
  local given = environment
  if select("#", ...) > 0 then given = (...) end
  return load(chunk, name, "t", given)
end

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

--- Where a function is defined, as "feed.lua:12".
function host.place(f)
  local info = host.debug.getinfo(f, "S")
  return ("%s:%d"):format(info.short_src, info.linedefined)
end

--- Where the script calls the host now.
function host.callerPlace()
  local info = host.debug.getinfo(host.callerLevel(), "Sl")
  return info and ("%s:%d"):format(info.short_src, info.currentline) or "?"
end
