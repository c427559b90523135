/// One pass over a script that collects every use of a name, every call and every local.
struct ScriptWalk {
  private(set) var uses: [ChainUse] = []
  private(set) var calls: [CallUse] = []
  /// All named locals, in order of declaration.
  private(set) var locals: [LocalName] = []
  /// Locals declared together, where the last ones of a list matter.
  private(set) var groups: [LocalGroup] = []
  /// Functions with a constant name that only this script calls: `local function`, `local name = function`.
  private(set) var functions: [(name: LocalName, body: FunctionBody)] = []
  /// What a name or chain is assigned, with its value if it is for it alone.
  private(set) var assignments: [(target: ChainUse, value: Expression?)] = []

  /// The calls that the script returns as they are, alone or in a list, by their tokens.
  private(set) var returnedCalls: Set<Int> = []

  /// Names repeated in the same table constructor.
  private(set) var repeatedKeys: [(name: String, token: Int)] = []

  private var surrounding: [Int] = []
  private var guards = 0

  init(_ script: [Statement]) { walk(script) }

  private mutating func walk(_ statements: [Statement]) {
    for statement in statements { walk(statement) }
  }

  private mutating func walk(_ statement: Statement) {
    switch statement {
    case .local(let names, let values):
      for value in values { walk(value, for: .read) }
      locals += names
      groups.append(LocalGroup(names: names, sharesOneValue: names.count > values.count && !values.isEmpty))
      if names.count == 1, let body = values.first?.function { functions.append((names[0], body)) }
    case .localFunction(let name, let body):
      locals.append(name)
      groups.append(LocalGroup(names: [name], sharesOneValue: false))
      functions.append((name, body))
      walk(body)
    case .assignment(let targets, let values):
      for value in values { walk(value, for: .read) }
      for (position, target) in targets.enumerated() {
        walkTarget(target, value: targets.count == values.count ? values[position] : nil)
      }
    case .call(let call): walk(call, for: .read)
    case .return(let values):
      for value in values {
        if surrounding.isEmpty { noteReturned(value) }
        walk(value, for: .read)
      }
    case .block(let conditions, let bodies):
      for condition in conditions { walk(condition, for: .tested) }
      for body in bodies { walk(body) }
    case .loop(let names, let isNumeric, let values, let body):
      for value in values { walk(value, for: isNumeric ? .operated : .read) }
      locals += names
      if !isNumeric { groups.append(LocalGroup(names: names, sharesOneValue: true)) }
      walk(body)
    }
  }

  private mutating func noteReturned(_ value: Expression) {
    if case .call = value.bare.kind { returnedCalls.insert(value.bare.token) }
    if case .table(let entries) = value.bare.kind {
      for entry in entries where entry.name == nil { noteReturned(entry.value) }
    }
  }

  private mutating func walkTarget(_ target: Expression, value: Expression?) {
    guard let chain = target.chain else { return walk(target, for: .written) }
    let use = chainUse(chain, .written)
    uses.append(use)
    assignments.append((use, value))
  }

  private mutating func walk(_ body: FunctionBody) {
    surrounding.append(body.tokens.lowerBound)
    locals += body.parameters
    walk(body.body)
    surrounding.removeLast()
  }

  private mutating func walk(_ expression: Expression, for purpose: ChainUse.Purpose) {
    if let chain = expression.chain { return uses.append(chainUse(chain, purpose)) }
    switch expression.kind {
    case .name, .string, .constant, .varargs: break
    case .function(let body): walk(body)
    case .table(let entries):
      keepRepeated(entries)
      for entry in entries {
        if let key = entry.key { walk(key, for: .read) }
        walk(entry.value, for: .read)
      }
    case .field(let base, _, _): walk(base, for: .indexed)
    case .element(let base, let key):
      walk(base, for: .indexed)
      walk(key, for: .read)
    case .call(let callee, let arguments): walkCall(expression.token, callee, arguments)
    case .method(let base, let name, let token, let arguments):
      walkMethod(expression.token, base, (name, token), arguments)
    case .test(let operands): for operand in operands { walk(operand, for: .tested) }
    case .operation(let operands): for operand in operands { walk(operand, for: .operated) }
    case .parentheses(let inner): walk(inner, for: purpose)
    }
  }

  private mutating func keepRepeated(_ entries: [TableEntry]) {
    var later: Set<String> = []
    for entry in entries.reversed() {
      if let name = entry.name, !later.insert(name).inserted { repeatedKeys.append((name, entry.token)) }
    }
  }

  private mutating func walkCall(_ token: Int, _ callee: Expression, _ arguments: [Expression]) {
    walk(callee, for: .called)
    var purpose = ChainUse.Purpose.read
    var isGuard = false
    if let chain = callee.chain {
      calls.append(CallUse(callee: chainUse(chain, .called), arguments: arguments, token: token))
      let name = chain.fields.last?.name ?? chain.root.name
      isGuard = ["pcall", "xpcall", "try"].contains(name)
      if chain.fields.isEmpty { purpose = Self.purposes[name] ?? .read }
    }
    guards += isGuard ? 1 : 0
    for argument in arguments { walk(argument, for: purpose) }
    guards -= isGuard ? 1 : 0
  }

  /// How Lua's own functions use their arguments.
  private static let purposes: [String: ChainUse.Purpose] = [
    "type": .tested, "rawequal": .tested, "assert": .tested, "pairs": .operated, "ipairs": .operated,
    "next": .operated, "rawget": .operated, "rawlen": .operated,
  ]

  private mutating func walkMethod(
    _ token: Int, _ base: Expression, _ method: (name: String, token: Int), _ arguments: [Expression]
  ) {
    if let chain = base.chain {
      var use = chainUse((chain.root, chain.fields + [method]), .called)
      use.isMethod = true
      uses.append(use)
      calls.append(CallUse(callee: use, arguments: arguments, token: token))
    } else {
      walk(base, for: .indexed)
    }
    for argument in arguments { walk(argument, for: .read) }
  }

  private func chainUse(
    _ chain: (root: NameUse, fields: [(name: String, token: Int)]), _ purpose: ChainUse.Purpose
  ) -> ChainUse {
    ChainUse(
      root: chain.root, fields: chain.fields, purpose: purpose, isGuarded: guards > 0, functions: surrounding)
  }
}

/// Locals of one statement.
struct LocalGroup {
  let names: [LocalName]
  /// Whether a single call or `...` supplies several values, so that the first names can't be omitted.
  let sharesOneValue: Bool
}
