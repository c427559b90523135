import Lua

/// A path to a value that calls nothing: a name, then fields and positions, such as `feed.list[3]["a b"]`.
struct LuaPath: Equatable {
  let root: Root
  let steps: [Step]

  enum Root: Equatable {
    case name(String)
    /// A quoted string, for its methods.
    case text
  }

  enum Step: Equatable {
    case field(String)
    case position(Int64)
  }

  /// Nil if the text is anything else.
  init?(_ text: String) {
    let tokens = LuaTokens(text, isScript: false).code
    self.init(endOf: tokens[...])
    guard start == 0 else { return nil }
  }

  /// Its start among the tokens.
  let start: Int

  /// The longest path at the end of the tokens; nil if there is none.
  init?(endOf tokens: ArraySlice<LuaToken>) {
    var rest = tokens
    var steps: [Step] = []
    while let last = rest.popLast() {
      switch last.kind {
      case .name where rest.last.map({ $0.isDot }) == true:
        rest.removeLast()
        steps.append(.field(last.text))
      case .name:
        self.init(.name(last.text), steps.reversed(), start: rest.endIndex)
        return
      case .string:
        self.init(.text, steps.reversed(), start: rest.endIndex)
        return
      case .symbol where last.text == "]":
        guard let inner = rest.popLast(), let step = Step(inner), rest.popLast()?.text == "[" else {
          return nil
        }
        steps.append(step)
      default: return nil
      }
    }
    return nil
  }

  private init(_ root: Root, _ steps: [Step], start: Int) {
    self.root = root
    self.steps = steps
    self.start = start
  }
}

extension LuaPath.Step {
  /// The contents of brackets: an integer, or a string without escapes.
  init?(_ token: LuaToken) {
    switch token.kind {
    case .number:
      guard let position = Int64(token.text) else { return nil }
      self = .position(position)
    case .string:
      guard let first = token.text.first, first == "\"" || first == "'", !token.text.contains("\\") else {
        return nil
      }
      self = .field(String(token.text.dropFirst().dropLast()))
    default: return nil
    }
  }
}

extension LuaToken {
  /// A dot or a colon before a name.
  var isDot: Bool { kind == .symbol && (text == "." || text == ":") }
}
