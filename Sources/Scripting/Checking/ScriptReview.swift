import Lua

/// What a check can say about a script without running it.
///
/// There are no false positives by design: whatever is computed, passed on or tested for is left alone. Invalid Lua has
/// no findings; loading it reports the error.
///
/// ```swift
/// let review = ScriptReview(text, name: "feed.lua", names: names)
/// for finding in review.findings { print(finding.place, finding.message) }
/// ```
public struct ScriptReview {
  /// In source order.
  public let findings: [ScriptFinding]
  /// The permissions the script needs, in source order.
  public let needs: [ScriptNeed]

  /// The line of what the script returns at its end; nil if it returns nothing there.
  public let returnLine: Int?

  /// `name` is the displayed file name; `names` are those scripts can see.
  public init(_ text: String, name: String, names: NameTree) {
    guard let script = ScriptText(text, name: name) else {
      findings = []
      needs = []
      returnLine = nil
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
    if case .return(let values)? = script.statements.last, let value = values.first {
      returnLine = script.tokens[value.token].line
    } else {
      returnLine = nil
    }
  }
}
