-- NAME: a policy. After every step of the reader it says whether more has to be fetched.
-- Run: lookahead lab --policy FILE --policy onDemand

-- A source takes it with policy = require "NAME", in a script beside this one.
return lookahead.policy {
  name = "NAME",

  -- Numbers to try: with --set factor=1,2,4 the lab plays each of them.
  parameters = { factor = 2, floor = 7 },

  -- Answers at once: true to fetch one more page. The view is what the machine knows now, among it:
  --   remainingItems, remainingScreens, remainingTime   how far it is to the edge
  --   velocity                                          items per second
  --   latency.mean, latency.p95                         seconds that answers took
  --   inFlight, isFetching, isExhausted                 what is on its way, and whether there is more
  -- A table says more than true: { fetch = 2, reason = "a fast reader" }.
  shouldBatchFetch = function(view, parameters)
    if view.isFetching then return false end
    local isSoon = view.remainingTime < parameters.factor * view.latency.p95
    return isSoon or view.remainingItems < parameters.floor
  end,
}
