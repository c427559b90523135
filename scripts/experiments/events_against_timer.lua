-- Events against a timer: table 8 of Rahman, Jiang and Nandi, "Evaluating interactive data systems", VLDB J. 2020.
-- Run: scripts/lookahead lab scripts/experiments/events_against_timer.lua

local event = lookahead.policy {
  name = "event", parameters = { query = 0.08 },
  shouldBatchFetch = function(view, parameters)
    return view.inFlight == 0 and view.remainingItems < view.pageSize * parameters.query
  end,
}

local timer = lookahead.policy {
  name = "timer", parameters = { every = 1 },
  start = function() return { due = 0 } end,
  shouldBatchFetch = function(view, parameters, state)
    if view.now < state.due then return { fetch = 0, wait = state.due - view.now } end
    state.due = state.due + parameters.every
    return true
  end,
}

-- The fastest fling in rows a second, and the mean pause that gives the average speed of the paper's table 7.
local function reader(name, fastest, pause)
  return lookahead.workload {
    name = name, kind = "fling", items = 4000, flings = math.ceil(31000 / fastest), reverse = 0.05,
    itemHeight = 150, maxSpeed = 150 * fastest, speed = 50 * fastest, speedSigma = 0.5, stop = 12.5 * fastest,
    dwellItems = 1, dwellMu = math.log(pause) - 0.125, dwellSigma = 0.5,
  }
end

return lookahead.experiment {
  title = "events against a timer",
  policies = { event, timer, "leadingScreens", "remainingTime" },
  set = { pageSize = { 12, 30, 58, 80 } },
  baseline = "timer pageSize=58",
  workloads = {
    reader("slowest", 12, 0.08), reader("median", 58, 0.8), reader("mean", 80, 0.34), reader("fastest", 200, 0.17),
  },
  networks = lookahead.network { name = "80 ms", latency = 0.08 },
  sessions = 40, seed = 1,
}
