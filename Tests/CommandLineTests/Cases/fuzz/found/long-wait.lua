-- A verdict that waits for ever trapped in the lab
-- lookahead lab feed.lua --sessions 2
return lookahead.policy { shouldBatchFetch = function() return { wait = math.maxinteger } end }
