-- A page whose items say that they are 2^63 - 1 trapped
local items = setmetatable({ 1 }, { __len = function() return math.maxinteger end })
local source = lookahead.source { name = "s", keys = "page", fetch = function() return { items = items } end }
local set = source:itemSet()
print(pcall(set.fetchNextPage, set))
