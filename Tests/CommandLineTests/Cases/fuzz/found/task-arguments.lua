-- More arguments of a task than Lua's stack has room for
print(select("#", pcall(lookahead.spawn, print, table.unpack({}, 1, 200000))))
print(select("#", lookahead.try(function(...) return ... end, table.unpack({}, 1, 200000))))
