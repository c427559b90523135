-- Velocity against distance: a rule that looks at the reader's speed, and one that counts items, on three kinds of readers.
-- Run: scripts/lookahead lab scripts/experiments/velocity_against_distance.lua

local velocity = lookahead.policy {
  name = "velocity",
  parameters = { seconds = 1, floor = 5 },
  shouldBatchFetch = function(view, parameters)
    return view.remainingTime < parameters.seconds or view.remainingItems < parameters.floor
  end,
}

local distance = lookahead.policy {
  name = "distance",
  parameters = { items = 20 },
  shouldBatchFetch = function(view, parameters)
    return view.remainingItems < parameters.items
  end,
}

return lookahead.experiment {
  title = "velocity against distance",
  policies = { distance, velocity },
  set = { items = { 10, 20, 40, 80 }, seconds = { 0.5, 1, 2, 4 } },
  baseline = "distance items=20",
  workloads = { "fling:items=2000", "searcher:items=2000", "jumper:items=2000" },
  networks = lookahead.network { name = "0.35 s", latency = { median = 0.35, sigma = 0.5 } },
  sessions = 100,
  seed = 1,
}
