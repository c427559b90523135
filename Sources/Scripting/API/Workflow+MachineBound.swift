import Lua
import Paging

/// The schedule that knows the future, as scripts reach it.
extension Workflow {
  func defineBound(in host: HostTable) {
    host.add("bound", "machine.bound") { call in try Self.machineBound(call) }
  }

  /// bound(problem) → { stall, stalls, arrivals, leastStall, isExact }, in seconds
  private static func machineBound(_ call: HostFunctionCall) throws -> HostFunctionAnswer {
    let stack = call.stack
    let fields = DefinitionFields(stack: stack, table: 1)
    let latency = try fields.number("latency").map { seconds throws(InvalidConfiguration) in
      PageTimes.same(.nanoseconds(try nanoseconds(seconds, "latency")))
    }
    var problem = ClairvoyantProblem(
      deadlines: try times("deadlines", fields).map(Instant.init(nanoseconds:)),
      latencies: try latency ?? .nanoseconds(times("latency", fields)))
    problem.slots = try fields.count("slots", in: 1...Limits.count) ?? 1
    problem.usesCursors = fields.boolean("cursor") ?? false
    problem.memory = try fields.count("memory", in: 1...Limits.count)
    let schedule: ClairvoyantSchedule
    do throws(InvalidConfiguration) {
      schedule = try problem.schedule()
    } catch {
      throw HostFunctionError.misuse("machine.bound: \(error.text)")
    }
    stack.pushTable(fields: 5)
    stack.setField("stall", of: -1, to: .number(schedule.stall.inSeconds))
    stack.setField("leastStall", of: -1, to: .number(schedule.leastStall.inSeconds))
    stack.setField("isExact", of: -1, to: .boolean(schedule.isExact))
    stack.push(list: schedule.stalls) { $0.push($1.inSeconds) }
    stack.setField("stalls", of: -2)
    stack.push(list: schedule.arrivals) { $0.push($1.seconds) }
    stack.setField("arrivals", of: -2)
    return .results(1)
  }

  private static func nanoseconds(_ seconds: Double, _ option: String) throws(InvalidConfiguration) -> Int64 {
    guard abs(seconds) <= Limits.seconds else {
      throw InvalidConfiguration(
        option: option, value: seconds.isNaN ? "nan" : "\(seconds)",
        expected: "seconds, up to a thousand million")
    }
    return Int64((seconds * 1e9).rounded())
  }

  private static func times(
    _ name: String, _ fields: DefinitionFields
  ) throws(InvalidConfiguration) -> [Int64] {
    guard let list = fields.table(name) else { return [] }
    defer { list.end() }
    var times: [Int64] = []
    for seconds in list.numbers { times.append(try nanoseconds(seconds, name)) }
    return times
  }
}
