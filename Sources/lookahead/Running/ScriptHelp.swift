import Items
import Paging
import Scripting
import Text

/// A script's own help: its parameters, sources and needs, found by loading it without running it.
struct ScriptHelp {
  private let path: String
  private let declarations: Declarations

  init(_ file: ScriptFile) throws {
    path = file.path
    declarations = try ScriptCheck(file).declarations()
  }

  var text: String {
    var lines = ["Parameters of \(HarmlessText.line(path)):"]
    if declarations.parameters.isEmpty { lines.append("  (none)") }
    for parameter in declarations.parameters.sorted(by: { $0.name < $1.name }) {
      var facts = [parameter.type]
      if parameter.isRequired { facts.append("required") }
      if parameter.isSecret { facts.append("secret") }
      if !parameter.defaultText.isEmpty && !parameter.isSecret {
        facts.append("default \(Self.line(parameter.defaultText))")
      }
      lines.append("  --param \(Self.line(parameter.name))=…  \(facts.joined(separator: ", "))")
      if !parameter.help.isEmpty {
        // A separate line would look like one of ours.
        let help = HarmlessText.cut(parameter.help, to: Self.longest).split(separator: "\n")
        lines += help.map { "      \(HarmlessText.line($0))" }
      }
    }
    let needs = declarations.sources.flatMap { $0.needs }.flatMap { kind, names in
      names.map { "--allow-\(kind)=\(Self.line($0))" }
    }
    if !needs.isEmpty { lines += ["Needs:"] + Set(needs).sorted().map { "  \($0)" } }
    return lines.joined(separator: "\n")
  }

  /// Maximum bytes shown of a parameter's help.
  private static let longest = 1000

  private static func line(_ text: String) -> String {
    HarmlessText.line(HarmlessText.cut(text, to: longest))
  }
}
