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
    let latency = fields.number("latency").map { PageTimes.same(.nanoseconds(nanoseconds($0))) }
    var problem = ClairvoyantProblem(
      deadlines: times("deadlines", fields).map(Instant.init(nanoseconds:)),
      latencies: latency ?? .nanoseconds(times("latency", fields)))
    problem.slots = fields.count("slots") ?? 1
    problem.usesCursors = fields.boolean("cursor") ?? false
    problem.memory = fields.count("memory")
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

  private static func nanoseconds(_ seconds: Double) -> Int64 { Int64((seconds * 1e9).rounded()) }

  private static func times(_ name: String, _ fields: DefinitionFields) -> [Int64] {
    guard let list = fields.table(name) else { return [] }
    defer { list.end() }
    return list.numbers.map(nanoseconds)
  }
}

extension DefinitionFields {
  /// The numbers of a list.
  var numbers: [Double] {
    stride(from: 1, through: stack.length(of: table), by: 1).compactMap { position in
      stack.pushElement(position, of: table)
      defer { stack.pop() }
      return stack.number(at: -1)
    }
  }

  /// The numbers of a table by their names.
  var namedNumbers: [String: Double] {
    var numbers: [String: Double] = [:]
    stack.forEachPair(of: table) { stack in
      // A key is read only where it is a text: reading would turn a number into one.
      if stack.isString(at: -2), let name = stack.string(at: -2) { numbers[name] = stack.number(at: -1) }
    }
    return numbers
  }
}
