-- How far ahead is far enough: the same readers with more and more items, or screens, ahead of them.
-- Run: scripts/lookahead lab scripts/experiments/how_far_ahead.lua

return lookahead.experiment {
  title = "how far ahead",
  policies = { "onDemand", "prefetchDistance", "leadingScreens", "everything" },
  set = { items = { 5, 10, 20, 40, 80 }, screens = { 1, 2, 4, 8 } },
  baseline = "prefetchDistance items=20",
  workloads = lookahead.workload { name = "fling", kind = "fling", items = 2000 },
  networks = lookahead.network { name = "0.35 s", latency = { median = 0.35, sigma = 0.5 } },
  sessions = 100,
  seed = 1,
}
