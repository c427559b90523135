-- An item of 40 tables that is a tree of 2^40 was written whole
local tree = { id = 1 }
for _ = 1, 40 do tree = { a = tree, b = tree, id = 1 } end
local source = lookahead.source { name = "tree", fetch = function() return { items = { tree } } end }
print(pcall(function() for item in source:items() do print(item.id) end end))
print(pcall(lookahead.emit, tree))
