/// The definitions for editors: one file in LuaCATS notation.
public enum LuaCATSStubs {
  /// Its place below the scripts' directory.
  public static let fileName = "types/lookahead.lua"

  /// The file contents; `require "lookahead"` finds it too.
  public static let text = SealedText.sealed(
    (["---@meta lookahead"] + aliases + APIDescription.classes.map(text) + APIDescription.modules.map(text)
      + ["return lookahead"]).joined(separator: "\n\n") + "\n")

  private static let aliases = APIDescription.aliases.map { alias in
    "--- \(alias.summary)\n---@alias lookahead.\(alias.name) \(qualified(alias.type))"
  }

  private static func text(_ type: APIClass) -> String {
    let parent = type.parent.map { ": lookahead.\($0)" } ?? ""
    let isExact = type.subscriptText.isEmpty ? "(exact) " : ""
    let head =
      comment(type.summary, type.details) + ["---@class \(isExact)lookahead.\(type.name)\(parent)"]
      + type.fields.map { field($0, $0.sentence) }
      + (type.subscriptText.isEmpty ? [] : ["---@field \(element(type.subscriptText))"])
    guard !type.methods.isEmpty else { return head.joined(separator: "\n") }
    return
      ([(head + ["local \(type.name) = {}"]).joined(separator: "\n")]
      + type.methods.map { text($0, owner: "\(type.name):") }).joined(separator: "\n\n")
  }

  private static func text(_ module: APIModule) -> String {
    let call = module.call.map { ["---@overload \(function($0.signature))"] } ?? []
    let head =
      comment(module.summary, "") + ["---@class (exact) \(module.path)"]
      + module.values.map { field($0, $0.sentence) }
      + call + ["\(module.path) = {}"]
    return ([head.joined(separator: "\n")] + module.functions.map { text($0, owner: module.path + ".") })
      .joined(separator: "\n\n")
  }

  private static func text(_ function: APIFunction, owner: String) -> String {
    let signature = function.signature
    let need = function.capability.map { "Needs `--allow-\($0.rawValue)`." } ?? ""
    let names = signature.parameters.map(\.name).joined(separator: ", ")
    return
      (comment(function.summary, [function.details, need].filter { !$0.isEmpty }.joined(separator: " "))
      + example(function.example) + (function.waits ? ["---@async"] : [])
      + signature.parameters.map { "---@param \($0.name)\($0.isOptional ? "?" : "") \(qualified($0.type))" }
      + signature.results.map(result) + ["function \(owner)\(signature.name)(\(names)) end"])
      .joined(separator: "\n")
  }

  private static func comment(_ summary: String, _ details: String) -> [String] {
    ["--- \(summary)"] + (details.isEmpty ? [] : ["---", "--- \(details)"])
  }

  private static func example(_ text: String) -> [String] {
    guard !text.isEmpty else { return [] }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return ["---", "--- ```lua"] + lines.map { $0.isEmpty ? "---" : "--- \($0)" } + ["--- ```"]
  }

  private static func field(_ field: APIField, _ meaning: String) -> String {
    "---@field \(field.name)\(field.isOptional ? "?" : "") \(qualified(field.type)) \(meaning)"
  }

  private static func result(_ result: APIParameter) -> String {
    let isMany = result.type.hasSuffix("...")
    let type = qualified(isMany ? String(result.type.dropLast(3)) : result.type)
    let name = isMany ? "..." : result.name
    return "---@return \(type)\(result.isOptional ? "?" : "")" + (name.isEmpty ? "" : " \(name)")
  }

  private static func function(_ signature: APISignature) -> String {
    let given = signature.parameters.map { "\($0.name)\($0.isOptional ? "?" : ""): \(qualified($0.type))" }
    return
      "fun(\(given.joined(separator: ", "))): \(signature.results.map { qualified($0.type) }.joined(separator: ", "))"
  }

  /// `[integer]: any` as a field.
  private static func element(_ text: String) -> String {
    let parts = text.parts(between: ":")
    return "\(parts[0]) \(qualified(parts[1]))"
  }

  /// A type with full class names: capitalized words outside quotes.
  private static func qualified(_ type: String) -> String {
    var text = ""
    var isQuoted = false
    var last: Character = " "
    for character in type {
      if character == "\"" { isQuoted.toggle() }
      let begins = !isQuoted && character.isUppercase && !last.isLetter && last != "."
      text += begins ? "lookahead.\(character)" : String(character)
      last = character
    }
    return text
  }
}
