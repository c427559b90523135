-- A verdict that is wrong at great length was noted with all of it
-- lookahead lab feed.lua --sessions 2
return lookahead.policy { shouldBatchFetch = function() return { fetch = ("["):rep(1 << 20) } end }
