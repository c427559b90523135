/// Left and right binding powers of operators, by the Lua 5.4 manual (3.4.8).
enum Binding {
  static let unary = 12

  static let ofOperators: [String: (left: Int, right: Int)] = {
    let ranks: [(left: Int, right: Int, operators: [String])] = [
      (1, 1, ["or"]), (2, 2, ["and"]), (3, 3, ["<", ">", "<=", ">=", "~=", "=="]), (4, 4, ["|"]),
      (5, 5, ["~"]), (6, 6, ["&"]), (7, 7, ["<<", ">>"]), (9, 8, [".."]), (10, 10, ["+", "-"]),
      (11, 11, ["*", "/", "//", "%"]), (14, 13, ["^"]),
    ]
    let pairs = ranks.flatMap { rank in rank.operators.map { ($0, (left: rank.left, right: rank.right)) } }
    return Dictionary(uniqueKeysWithValues: pairs)
  }()
}
