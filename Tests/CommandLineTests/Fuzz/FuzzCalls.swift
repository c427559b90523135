import TestSupport
import Scripting

/// Makes calls with values that nobody expects: the generator asks the description of the API, never a list of its own.
struct FuzzCalls {
  private let values: [String]
  /// Functions of Lua's own libraries, as `string.rep`.
  private let library: [String]
  private var random: SeededGenerator
  /// Every place of every target, shuffled; when all had their turn, they are shuffled again.
  private var spots: [Spot] = []

  private typealias Spot = (target: FuzzTarget, place: String)

  init(values: [String], library: [String], seed: UInt64) {
    self.values = values
    self.library = library
    random = SeededGenerator(seed: seed)
  }

  /// Every place in the arguments of every target.
  static let places: [(target: FuzzTarget, place: String)] = FuzzTarget.all.flatMap { target in
    ArgumentWriter.places(target.parameters).map { (target, $0) }
  }

  /// One statement of Lua.
  mutating func next() -> String {
    let statement =
      switch Int.random(in: 0..<20, using: &random) {
      case 0..<10: single()
      case 10..<13: double()
      case 13..<15: onStranger()
      case 15: sequence()
      case 16: spoiled()
      case 17: subscripted()
      case 18: ofLua()
      default: returning()
      }
    return Int.random(in: 0..<6, using: &random) == 0 ? placed(statement) : statement
  }

  private mutating func value() -> String {
    Int.random(in: 0..<12, using: &random) == 0
      ? "kept(\"\(FuzzTarget.objects.randomElement(using: &random)!.name)\")"
      : FuzzValues.expression(values.randomElement(using: &random)!)
  }

  private mutating func spot() -> Spot {
    if spots.isEmpty { spots = Self.places.shuffled(using: &random) }
    return spots.removeLast()
  }

  private mutating func single() -> String {
    let spot = spot()
    return Self.statement(spot.target, [spot.place: value()])
  }

  /// A statement with such values in such places.
  static func statement(_ target: FuzzTarget, _ placed: [String: String]) -> String {
    target.statement(ArgumentWriter(placed: placed).arguments(target.parameters, of: target.name))
  }

  private mutating func double() -> String {
    let spot = spot()
    let others = ArgumentWriter.places(spot.target.parameters)
    var placed = [spot.place: value()]
    placed[others.randomElement(using: &random)!] = value()
    return Self.statement(spot.target, placed)
  }

  private mutating func returning() -> String {
    let (target, place) = spot()
    return Self.statement(target, [place: "function() return \(value()), \(value()) end"])
  }

  /// What a whole script may end with: something that the host goes on with, or items that it gives to the sink.
  mutating func ending() -> String {
    switch Int.random(in: 0..<6, using: &random) {
    case 0: return "return \(value())"
    case 1: return "return { \(value()), \(value()) }"
    case 2:
      let item = "{ id = \(value()), [\(value())] = 1, name = \(value()) }"
      return
        "pcall(function() lookahead.emit(\(item), \(value())) end) lookahead.emit(\(value())) lookahead.emit({ id = \(value()) })"
    default:
      let spot = spot()
      let arguments = ArgumentWriter(placed: [spot.place: value()]).arguments(
        spot.target.parameters, of: spot.target.name)
      return spot.target.returned(arguments).map { "return \($0)" } ?? ending()
    }
  }

  /// A method that is called on what is no object of its class.
  private mutating func onStranger() -> String {
    let target = FuzzTarget.all.randomElement(using: &random)!
    let arguments = ArgumentWriter().arguments(target.parameters, of: target.name)
    return target.statement(on: value(), arguments) ?? single()
  }

  /// Several calls on one object, which may have ended in the meantime.
  private mutating func sequence() -> String {
    let type = FuzzTarget.objects.randomElement(using: &random)!
    let targets = FuzzTarget.all.filter { $0.type?.name == type.name }
    guard !targets.isEmpty else { return subscripted() }
    let calls = (0..<Int.random(in: 2...5, using: &random)).map { _ -> String in
      let target = targets.randomElement(using: &random)!
      let place = ArgumentWriter.places(target.parameters).randomElement(using: &random)
      let placed = place.map { Bool.random(using: &random) ? [$0: value()] : [:] } ?? [:]
      let arguments = ArgumentWriter(placed: placed).arguments(target.parameters, of: target.name)
      return "try(function() \(target.call(on: "object", arguments)) end)"
    }
    let isOver = Bool.random(using: &random)
    return isOver
      ? "local object = kept(\"\(type.name)\") \(calls.joined(separator: " "))"
      : "with(\"\(type.name)\", function(object) \(calls.joined(separator: " ")) end)"
  }

  /// An object whose fields have values that nobody expects, as far as scripts can reach them.
  private mutating func spoiled() -> String {
    let made = FuzzTarget.all.filter { $0.type == nil && $0.result != nil }
    let value = "function() return \(value()) end"
    guard let target = made.randomElement(using: &random), let result = target.result,
      Bool.random(using: &random)
    else {
      let name = FuzzTarget.objects.randomElement(using: &random)!.name
      return "with(\"\(name)\", function(object) spoil(\"\(name)\", object, \(value)) end)"
    }
    let arguments = ArgumentWriter().arguments(target.parameters, of: target.name)
    return "local made = \(target.call(on: "", arguments)) spoil(\"\(result)\", made, \(value))"
  }

  /// What can be done with any value, done with an object.
  private mutating func subscripted() -> String {
    let type = FuzzTarget.objects.randomElement(using: &random)!
    let (key, other) = (value(), value())
    let use = [
      "return object[\(key)]", "object[\(key)] = \(other)", "rawset(object, \(key), \(other))",
      "return rawget(object, \(key))", "return object(\(key), \(other))", "return object .. \(key)",
      "return object < \(key)", "return object == \(key)", "return #object, -object",
      "setmetatable(object, \(key))", "return getmetatable(object)", "return next(object, \(key))",
      "for k, v in pairs(object) do object[k] = \(key) end exercise(\"\(type.name)\", object)",
      "local held <close> = object", "table.insert(object, \(key))", "return table.unpack(object)",
      "return lookahead.json.encode({ object, \(key) })", "lookahead.emit(object)", "error(object)",
    ].randomElement(using: &random)!
    return "with(\"\(type.name)\", function(object) \(use) end)"
  }

  /// A function of Lua's own libraries.
  private mutating func ofLua() -> String {
    guard let name = library.randomElement(using: &random) else { return single() }
    let arguments = (0..<Int.random(in: 0...4, using: &random)).map { _ in value() }
    return "return \(name)(\(arguments.joined(separator: ", ")))"
  }

  /// The same where scripts run too: inside of handlers, metamethods and functions that Lua calls.
  private mutating func placed(_ statement: String) -> String {
    let function = "function() \(statement) end"
    return [
      "local f = \(function) coroutine.wrap(f)()",
      "local f = \(function) table.sort({ 1, 2, 3 }, function() f() end)",
      "local f = \(function) string.gsub(\"ab\", \".\", f)",
      "local f = \(function) return tostring(setmetatable({}, { __tostring = f }))",
      "local held <close> = setmetatable({}, { __close = \(function) })",
      "local f = \(function) with(\"Context\", f)", "local f = \(function) with(\"View\", f)",
      "local f = \(function) with(\"Updates\", f)", "local f = \(function) with(\"PrefetchContext\", f)",
      "local f = \(function) lookahead.all { f, f }",
      "local f = \(function) lookahead.spawn(f):cancel()",
      "local f = \(function) return xpcall(error, f)",
      "local f = \(function) load(f)",
    ].randomElement(using: &random)!
  }
}
