import Paging
import Scripting

/// What a script says of itself: its parameters, sources and needs, found by loading it without running it.
struct ScriptHelp {
  private let path: String
  private let declarations: Declarations

  init(_ file: ScriptFile) throws {
    path = file.path
    declarations = try ScriptCheck(file).declarations()
  }

  var text: String {
    var lines = ["Parameters of \(path):"]
    if declarations.parameters.isEmpty { lines.append("  (none)") }
    for parameter in declarations.parameters.sorted(by: { $0.name < $1.name }) {
      var facts = [parameter.type]
      if parameter.isRequired { facts.append("required") }
      if parameter.isSecret { facts.append("secret") }
      if !parameter.defaultText.isEmpty && !parameter.isSecret {
        facts.append("default \(parameter.defaultText)")
      }
      lines.append("  --param \(parameter.name)=…  \(facts.joined(separator: ", "))")
      if !parameter.help.isEmpty { lines.append("      \(parameter.help)") }
    }
    let needs = declarations.sources.flatMap { $0.needs }.flatMap { kind, names in
      names.map { "--allow-\(kind)=\($0)" }
    }
    if !needs.isEmpty { lines += ["Needs:"] + Set(needs).sorted().map { "  \($0)" } }
    return lines.joined(separator: "\n")
  }
}
