import Experiments
import Items
import Listing
import Lua
import Paging

/// The pure parts of the machine, behind `lookahead.machine`; the prelude has validated the arguments.
final class MachineLibrary: ScriptLibrary {
  private let state: LuaState
  private let values: CollectionValues

  init(_ state: LuaState, _ values: CollectionValues) {
    self.state = state
    self.values = values
  }

  func register(in host: HostTable) {
    host.add("difference", "machine.difference") { [unowned self] call in try difference(call) }
    host.add("ranges", "machine.ranges") { call in try Self.ranges(call) }
    host.add("shouldFetchBatch", "machine.shouldFetchBatch") { [unowned self] call in
      try shouldFetchBatch(call)
    }
    host.add("bound", "machine.bound") { call in try Self.bound(call) }
    host.add("batchContextNew", "machine.batchContext") { call in
      call.stack.push(owner: SharedBatchContext())
      return .results(1)
    }
    host.add("batchContextState", "machine.batchContext") { call in
      let context = (call.stack.owner(at: 1) as? SharedBatchContext)?.context
      call.stack.push(context?.isFetching ?? false)
      call.stack.push(context?.wasCancelled ?? false)
      return .results(2)
    }
    host.add("batchContextBegin", "context:begin") { call in
      guard let shared = call.stack.owner(at: 1) as? SharedBatchContext else { return .nothing }
      shared.tokens.append(shared.context.begin())
      call.stack.push(shared.tokens.count)
      return .results(1)
    }
    host.add("batchContextComplete", "context:complete") { call in
      Self.finish(call, token: 3) { $0.complete(call.stack.truth(at: 2), token: $1) }
    }
    host.add("batchContextCancel", "context:cancel") { call in
      Self.finish(call, token: 2) { $0.cancel(token: $1) }
    }
    host.add("indexMapNew", "machine.indexMap") { call in
      let stack = call.stack
      let map = IndexMap(
        oldCount: try stack.count(at: 1, "the old count") ?? 0,
        deleted: try DefinitionFields(stack: stack, table: 2).positions("deleted"),
        inserted: try DefinitionFields(stack: stack, table: 3).positions("inserted"))
      stack.push(owner: SharedIndexMap(map))
      return .results(1)
    }
    host.add("indexMapLookup", "machine.indexMap") { call in
      let stack = call.stack
      guard let map = (stack.owner(at: 1) as? SharedIndexMap)?.map, stack.integer(at: 2) != nil else {
        throw HostFunctionError.misuse("machine.indexMap: expected a position, got \(stack.typeName(at: 2))")
      }
      let found = stack.position(at: 2).flatMap { stack.truth(at: 3) ? map.new($0) : map.old($0) }
      found.map { stack.push($0 + 1) } ?? stack.pushNil()
      return .results(1)
    }
  }

  private static func finish(
    _ call: HostFunctionCall, token index: Int,
    _ body: (inout BatchContext, BatchContext.Token?) -> Bool
  ) -> HostFunctionAnswer {
    guard let shared = call.stack.owner(at: 1) as? SharedBatchContext else { return .nothing }
    let isNamed = call.stack.integer(at: index) != nil
    let number = call.stack.position(at: index)
    if isNamed, number.map({ shared.tokens.indices.contains($0) }) != true {
      call.stack.push(false)
      return .results(1)
    }
    let token = number.map { shared.tokens[$0] }
    call.stack.push(body(&shared.context, token))
    return .results(1)
  }

  private func shouldFetchBatch(_ call: HostFunctionCall) throws -> HostFunctionAnswer {
    let stack = call.stack
    let fields = DefinitionFields(stack: stack, table: 1)
    var scroll = ScrollState()
    scroll.isFetching = fields.boolean("isFetching") ?? false
    scroll.scrollDirection = fields.directions("scrollDirection")
    scroll.scrollableDirections = fields.directions("scrollableDirections")
    scroll.bounds = fields.extent("bounds", "width", "height")
    scroll.contentSize = fields.extent("contentSize", "width", "height")
    scroll.targetOffset = fields.extent("targetOffset", "x", "y")
    scroll.leadingScreens = fields.number("leadingScreens") ?? 2
    scroll.isVisible = fields.boolean("isVisible") ?? true
    scroll.isRightToLeft = fields.boolean("isRightToLeft") ?? false
    scroll.velocity = fields.extent("velocity", "x", "y")
    scroll.flips = fields.boolean("flips") ?? false
    var failure: LuaError?
    let delegate = fields.reference("delegate", in: state)
    let decision = Paging.shouldFetchBatch(
      scroll,
      delegate: delegate.map { delegate in
        { [unowned self] time, hint in
          let stack = state.stack
          stack.push(delegate)
          stack.push(time)
          stack.push(hint)
          do throws(LuaError) {
            try state.call(arguments: 2, results: 1)
          } catch {
            failure = error
            return hint
          }
          defer { stack.pop() }
          return stack.truth(at: -1)
        }
      })
    if let failure {
      throw HostFunctionError.misuse("machine.shouldFetchBatch: delegate: \(failure.message)")
    }
    stack.push(decision.shouldFetch)
    stack.push(decision.reason.rawValue)
    return .results(2)
  }

  /// difference(id, old data…, new data…) → the operations
  private func difference(_ call: HostFunctionCall) throws -> HostFunctionAnswer {
    try values.raising(call.name, on: call.stack) {
      let identity = values.identity(call, at: 1)
      let old = try values.sections(values.source(call, at: 2), identity)
      let new = try values.sections(values.source(call, at: 6), identity)
      call.stack.push(operations: try values.difference(old, new))
    }
    return .results(1)
  }

  /// ranges(settings) → visible, display, preload and measure, each as its first and last item
  private static func ranges(_ call: HostFunctionCall) throws -> HostFunctionAnswer {
    let fields = DefinitionFields(stack: call.stack, table: 1)
    let axis = Axis(rawValue: fields.text("axis") ?? "") ?? .vertical
    let mode = RangeMode(rawValue: fields.text("mode") ?? "") ?? .full
    let isVisible = fields.boolean("isVisible") ?? true
    var controller = RangeController(
      lengths: try lengths(fields), axis: axis, container: isVisible ? .inHierarchy : [])
    controller.moveViewport(to: viewport(fields), direction: fields.directions("direction"))
    let ranges = controller.members(in: mode).states(isContainerVisible: isVisible, mode: mode)
    for range in [ranges.visible, ranges.display, ranges.preload, ranges.measure] {
      call.stack.push(range.isEmpty ? 1 : range.lowerBound + 1)
      call.stack.push(range.isEmpty ? 0 : range.upperBound)
    }
    return .results(8)
  }

  private static func lengths(_ fields: DefinitionFields) throws(InvalidConfiguration) -> ItemLengths {
    guard let list = fields.table("itemLengths") else {
      return ItemLengths(
        count: try fields.count("itemCount") ?? 0, length: limited(fields.number("itemLength") ?? 0))
    }
    defer { list.close() }
    return ItemLengths(list.numbers.map(limited))
  }

  /// A length clamped to what the machine can add up.
  private static func limited(_ length: Double) -> Double { length > 0 ? min(length, 1e12) : 0 }

  private static func viewport(_ fields: DefinitionFields) -> Rect {
    guard let viewport = fields.table("viewport") else { return .zero }
    defer { viewport.close() }
    func number(_ name: String) -> Double { viewport.number(name) ?? 0 }
    return Rect(x: number("x"), y: number("y"), width: number("width"), height: number("height"))
  }

  /// bound(problem) → { stall, stalls, arrivals, leastStall, isExact }, in seconds
  private static func bound(_ call: HostFunctionCall) throws -> HostFunctionAnswer {
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
    defer { list.close() }
    var times: [Int64] = []
    for seconds in list.numbers { times.append(try nanoseconds(seconds, name)) }
    return times
  }
}

private final class SharedBatchContext {
  var context = BatchContext()
  var tokens: [BatchContext.Token] = []
}

extension DefinitionFields {
  func directions(_ name: String) -> ScrollDirections {
    guard let list = table(name) else { return [] }
    defer { list.close() }
    let names: [String: ScrollDirections] = ["right": .right, "left": .left, "up": .up, "down": .down]
    return list.texts.reduce(into: []) { $0.formUnion(names[$1] ?? []) }
  }

  func extent(_ name: String, _ horizontal: String, _ vertical: String) -> Extent {
    guard let fields = table(name) else { return .zero }
    defer { fields.close() }
    return Extent(width: fields.number(horizontal) ?? 0, height: fields.number(vertical) ?? 0)
  }
}
