-- Hungry: always so many whole pages ahead of the reader, those in flight included. Least waiting, most waste.
-- Run: lookahead run scripts/policies/feed.lua --param policy=hungry

return lookahead.policy {
  name = "hungry",
  parameters = { pages = 4 },
  shouldBatchFetch = function(view, parameters)
    local ahead = view.inFlight + view.remainingItems // view.pageSize
    return {
      fetch = math.max(0, parameters.pages - ahead),
      reason = ("%d of %d pages ahead"):format(ahead, parameters.pages),
    }
  end,
}
