// One decision of a policy in Lua, as the machine makes it, beside raw C in the same run.
// Run: swift run --package-path Benchmarks -c release PolicyDecision
import Lua
import RawLua

let policy = """
  return function(view)
    return not view.isFetching and not view.isExhausted
      and (view.remainingItems < 20 or view.remainingTime < 3 or view.velocity * 2 > view.remainingScreens * 100)
  end
  """

let names = [
  "remainingItems", "remainingScreens", "remainingTime", "velocity", "isFetching", "isExhausted", "now",
  "firstVisible", "lastVisible", "itemCount", "totalCount", "pageSize", "hint",
]

/// Nanoseconds for one decision through `LuaState.callPolicy`, every field of the view set.
func ours(instructions: Int, rounds: Int) throws -> Double {
  let state = LuaState()
  try state.load(policy, name: "policy")
  try state.call(arguments: 0, results: 1)
  let function = state.stack.popReference(in: state)
  state.stack.pushTable()
  let parameters = state.stack.popReference(in: state)
  let view = LuaView(state, names: names)
  let duration = try ContinuousClock().measure {
    for round in 0..<rounds {
      view.set(0, Double(round % 100))
      view.set(1, 0.5)
      view.set(2, 3.5)
      view.set(3, 12.0)
      view.set(4, false)
      view.set(5, false)
      for position in 6..<names.count { view.set(position, round) }
      try state.callPolicy(function, view: view, parameters: parameters, instructions: instructions)
      state.stack.pop()
    }
  }
  return Double(duration.components.attoseconds) / 1e9 / Double(rounds)
    + Double(duration.components.seconds) * 1e9 / Double(rounds)
}

let rounds = 2_000_000
let series = try (0..<5).map { _ in
  (
    raw: raw_lua_decision(policy, rounds), free: try ours(instructions: 0, rounds: rounds),
    budgeted: try ours(instructions: 100_000, rounds: rounds)
  )
}
func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
let raw = median(series.map(\.raw))
let free = median(series.map(\.free))
let budgeted = median(series.map(\.budgeted))
func row(_ name: String, _ value: Double) {
  print(name, "\(Int(value.rounded())) ns", "\((value / raw * 100).rounded() / 100)x raw C", separator: "\t")
}
row("raw C, six lua_setfield", raw)
row("ours, no budget", free)
row("ours, instruction budget", budgeted)
