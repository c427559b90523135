-- Patient: one page at a time, and only when the reader has nearly nothing left. Least waste, most waiting.
-- Run: lookahead run scripts/policies/feed.lua --param policy=patient

return lookahead.policy {
  name = "patient",
  parameters = { rest = 3 },
  shouldBatchFetch = function(view, parameters)
    return view.remainingItems <= parameters.rest and not view.isFetching
  end,
}
