-- One item, to measure what it takes to start.
-- Run: lookahead run one_item.lua

local one = lookahead.source { name = "items" }

function one.fetch() return { items = { { id = 1 } } } end

return one
