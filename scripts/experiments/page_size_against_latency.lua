-- Page size against latency: few large pages or many small ones, where a page takes its time however large it is.
-- Run: scripts/lookahead lab scripts/experiments/page_size_against_latency.lua

local function network(name, seconds)
  return lookahead.network {
    name = name, latency = { median = seconds, sigma = 0.5 }, bandwidth = 100000, bytesPerItem = 2000,
  }
end

return lookahead.experiment {
  title = "page size against latency",
  policies = "leadingScreens",
  set = { pageSize = { 5, 10, 20, 40, 80, 160 } },
  baseline = "leadingScreens pageSize=20",
  workloads = lookahead.workload { name = "fling", kind = "fling", items = 2000 },
  networks = { network("50 ms", 0.05), network("350 ms", 0.35), network("1 s", 1) },
  sessions = 200,
  seed = 1,
}
