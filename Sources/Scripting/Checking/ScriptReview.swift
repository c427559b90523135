/// What can be said of a script without running it.
///
/// It says nothing that is not so: what is computed, handed on or tested for is left alone. A text that is no Lua has no
/// findings; loading it says what is wrong.
public struct ScriptReview {
  /// In the order of their places.
  public let findings: [ScriptFinding]
  /// What the script asks of the world, in the order of the places where it does.
  public let needs: [ScriptNeed]

  /// `name` is the file as it is shown to people; `names` are those that scripts find.
  public init(_ text: String, name: String, names: NameTree) {
    guard let script = ScriptText(text, name: name) else {
      findings = []
      needs = []
      return
    }
    let types = TypedLocals(script)
    let all =
      NameRules(script, names: names).findings + UsageRules(script: script).findings
      + SourceRules(script: script).findings + ObjectRules(script: script, types: types).findings
      + PolicyRules(script: script, types: types).findings + VerdictRules(script: script).findings
      + CallStyleRules(script: script, types: types).findings
    findings = all.sorted { ($0.line, $0.column ?? 0, $0.message) < ($1.line, $1.column ?? 0, $1.message) }
    needs = ScriptNeed.all(in: script)
  }
}
