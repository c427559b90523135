-- Page size against latency: a large page is long on its way, and many small ones wait for their answers one by one.
-- Run: scripts/lookahead lab scripts/experiments/page_size_against_latency.lua

local function network(name, seconds)
  return lookahead.network {
    name = name, latency = { median = seconds, sigma = 0.5 }, bandwidth = 500000, bytesPerItem = 2000,
  }
end

return lookahead.experiment {
  title = "page size against latency",
  policies = "leadingScreens",
  set = { pageSize = { 5, 10, 20, 40, 80 } },
  baseline = "leadingScreens pageSize=20",
  workloads = lookahead.workload { name = "fling", kind = "fling", items = 2000 },
  networks = { network("50 ms", 0.05), network("350 ms", 0.35), network("1 s", 1) },
  sessions = 100,
  seed = 1,
}
