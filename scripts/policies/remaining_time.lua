-- By time: fetches when the reader, at its speed, reaches the edge sooner than a slow answer arrives.
-- Run: lookahead run scripts/policies/feed.lua --param policy=remaining_time

return lookahead.policy {
  name = "remaining time",
  parameters = { factor = 1.5, floor = 7 },
  shouldBatchFetch = function(view, parameters)
    return view.remainingTime < parameters.factor * view.latency.p95 or view.remainingItems < parameters.floor
  end,
}
