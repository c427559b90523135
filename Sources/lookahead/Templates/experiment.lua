-- NAME: an experiment. The lab plays each policy against the same readers, in virtual time.
-- Run: lookahead lab FILE

-- A policy of your own, beside those that are named below.
local mine = lookahead.policy {
  name = "mine",
  parameters = { factor = 2 },
  shouldBatchFetch = function(view, parameters)
    if view.isFetching then return false end
    return view.remainingItems < 7 or view.remainingTime < parameters.factor * view.latency.p95
  end,
}

return lookahead.experiment {
  title = "NAME",
  policies = { "onDemand", "leadingScreens", mine },
  -- Every combination of these becomes a row; a policy takes what it knows.
  set = { screens = { 1, 2, 4 }, factor = { 1, 2 } },
  -- How people scroll: fling, reader, skimmer, searcher, jumper, steady; or a recording.
  workloads = lookahead.workload { name = "fling", kind = "fling", items = 1000 },
  -- How long answers take, in seconds: here a law whose median is 0.35 s.
  networks = lookahead.network { name = "0.35 s", latency = { median = 0.35, sigma = 0.5 } },
  sessions = 40,
  seed = 1,
}
