import Items
import Lua
import Paging

/// Host functions behind `lookahead.machine`: the pure parts.
extension Workflow {
  func defineMachine(in host: HostTable) {
    host.add("difference", "machine.difference") { [unowned self] call in try machineDifference(call) }
    host.add("ranges", "machine.ranges") { call in try Self.machineRanges(call) }
    host.add("shouldFetchBatch", "machine.shouldFetchBatch") { [unowned self] call in
      try shouldFetchBatch(call)
    }
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
      Self.end(call, token: 3) { $0.complete(call.stack.truth(at: 2), token: $1) }
    }
    host.add("batchContextCancel", "context:cancel") { call in
      Self.end(call, token: 2) { $0.cancel(token: $1) }
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

  private static func end(
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
}

private final class SharedBatchContext {
  var context = BatchContext()
  var tokens: [BatchContext.Token] = []
}

/// An index map that scripts hold.
final class SharedIndexMap {
  let map: IndexMap

  init(_ map: IndexMap) { self.map = map }
}

extension DefinitionFields {
  func directions(_ name: String) -> ScrollDirections {
    guard let list = table(name) else { return [] }
    defer { list.end() }
    let names: [String: ScrollDirections] = ["right": .right, "left": .left, "up": .up, "down": .down]
    return list.texts.reduce(into: []) { $0.formUnion(names[$1] ?? []) }
  }

  func extent(_ name: String, _ horizontal: String, _ vertical: String) -> Extent {
    guard let fields = table(name) else { return .zero }
    defer { fields.end() }
    return Extent(width: fields.number(horizontal) ?? 0, height: fields.number(vertical) ?? 0)
  }
}
