-- Built-in policies put together: near the edge always; farther away only for a fast reader, and not too often.
-- Run: lookahead run scripts/policies/feed.lua --param policy=combined

local policy = lookahead.policy

return policy.anyOf(
  policy.prefetchDistance(5),
  policy.atMost(20, policy.allOf(policy.leadingScreens(3), policy.remainingTime(2)))
)
