-- Velocity against distance: seconds to the edge, or items to the edge? What is on its way counts as there, for both.
-- Run: scripts/lookahead lab scripts/experiments/velocity_against_distance.lua

local function itemsAhead(view)
  return view.remainingItems + view.inFlight * view.pageSize
end

local distance = lookahead.policy {
  name = "distance",
  parameters = { items = 20 },
  shouldBatchFetch = function(view, parameters)
    return itemsAhead(view) < parameters.items
  end,
}

local velocity = lookahead.policy {
  name = "velocity",
  parameters = { seconds = 1, floor = 5 },
  shouldBatchFetch = function(view, parameters)
    return itemsAhead(view) < math.max(parameters.floor, parameters.seconds * math.abs(view.velocity))
  end,
}

return lookahead.experiment {
  title = "velocity against distance",
  policies = { distance, velocity },
  set = { items = { 5, 10, 20, 40 }, seconds = { 0.5, 1, 2, 4 } },
  baseline = "distance items=20",
  workloads = {
    lookahead.workload { name = "reader", kind = "reader", items = 2000 },
    lookahead.workload { name = "fling", kind = "fling", items = 2000 },
    lookahead.workload { name = "jumper", kind = "jumper", items = 2000 },
  },
  networks = lookahead.network { name = "0.35 s", latency = { median = 0.35, sigma = 0.5 } },
  sessions = 100,
  seed = 1,
}
