-- More results of a task than Lua's stack has room for wrote past it
local function many() return table.unpack({}, 1, 200000) end
print(pcall(function() return lookahead.spawn(many):wait() end))
print(pcall(lookahead.all, { many }))
