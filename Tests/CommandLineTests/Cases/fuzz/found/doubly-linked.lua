-- A table of 40 tables that is a tree of 2^40 was written whole
local tree = { id = 1 }
for _ = 1, 40 do tree = { a = tree, b = tree, id = 1 } end
print(pcall(lookahead.json.encode, tree))
print(pcall(lookahead.log.info, "tree", { tree = tree }))
