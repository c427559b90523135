-- As many pages at once as a reader of this speed goes through while a slow answer is on its way.
-- Run: lookahead run scripts/policies/feed.lua --param policy=hide_latency --param pace=200

return lookahead.policy {
  name = "hide latency",
  parameters = { margin = 1.5, most = 4 },
  shouldBatchFetch = function(view, parameters)
    local needed = math.abs(view.velocity) * view.latency.p95 * parameters.margin
    local missing = math.max(view.pageSize, needed) - view.remainingItems
    if missing <= 0 then return false end
    local pages = math.min(parameters.most, math.ceil(missing / view.pageSize))
    return { fetch = math.max(0, pages - view.inFlight), reason = ("%.0f items short"):format(missing) }
  end,
}
