/// Locals of known type: parameters passed by the host, and results of its functions.
struct TypedLocals {
  private var types: [ObjectIdentifier: APIClass] = [:]

  init(_ script: ScriptText) {
    for source in DeclaredTable.all(of: ["lookahead", "source"], in: script) {
      add("Context", source.function("fetch", in: script), 0)
      add("View", source.function("shouldBatchFetch", in: script), 0)
      add("View", source.function("policy", in: script), 0)
      add("PrefetchContext", source.function("prefetchItem", in: script), 1)
    }
    for policy in DeclaredTable.all(of: ["lookahead", "policy"], in: script) {
      add("View", policy.function("shouldBatchFetch", in: script), 0)
    }
    for prefetcher in DeclaredTable.all(of: ["lookahead", "prefetcher"], in: script) {
      add("PrefetchContext", prefetcher.function("fetch", in: script), 1)
    }
    // Locals are declared before use, so one pass finds the results of methods on known objects.
    for local in script.walk.locals where script.isConstant(local) {
      guard let value = local.value?.bare, let function = function(calledBy: value, in: script),
        function.signature.results.count == 1,
        let type = APIFunctions.type(function.signature.results[0].type),
        type.role == .object
      else { continue }
      types[ObjectIdentifier(local)] = type
    }
  }

  /// The class of a constant local.
  subscript(local: LocalName) -> APIClass? { types[ObjectIdentifier(local)] }

  /// The function or method that a chain refers to.
  func function(_ use: ChainUse, in script: ScriptText) -> APIFunction? {
    if let path = script.path(of: use) { return APIFunctions[path] }
    guard let local = use.root.local, let type = self[local], use.isMethod, use.fields.count == 1 else {
      return nil
    }
    return APIFunctions.member(use.fields[0].name, of: type)?.method
  }

  private func function(calledBy value: Expression, in script: ScriptText) -> APIFunction? {
    switch value.kind {
    case .call(let callee, _):
      return callee.chain.flatMap { script.path($0) }.flatMap { APIFunctions[$0] }
    case .method(let base, let name, _, _):
      guard case .name(let use) = base.bare.kind, let local = use.local, let type = self[local] else {
        return nil
      }
      return APIFunctions.member(name, of: type)?.method
    default: return nil
    }
  }

  private mutating func add(_ name: String, _ function: FunctionBody?, _ position: Int) {
    guard let function, function.given.count > position else { return }
    types[ObjectIdentifier(function.given[position])] = APIDescription.type(named: name)
  }
}
