import Experiments
import Lua
import Paging
import Scripting

/// The policies a browsing user can cycle through; the first is the source's own.
struct PolicyChoice {
  static let own = "of the source"
  private static let builtIn = [
    "leadingScreens(1)", "leadingScreens(5)", "remainingTime(1)", "ramp", "majority", "everything",
    "onDemand",
  ]
  private(set) var name = own
  /// Those of files that were named, which come behind the built-in ones.
  private var files: [PolicyFile] = []

  /// Why a text stands for no policy, and how the command ends for it.
  struct Fault: Error {
    let words: String
    let exit: RunExit
  }

  /// The next one.
  mutating func next() -> (any FetchPolicy)? {
    let names = [Self.own] + Self.builtIn + files.map(\.path)
    let index = names.firstIndex(of: name).map { ($0 + 1) % names.count } ?? 0
    name = names[index]
    return name == Self.own ? nil : try? policy(name)
  }

  /// The one of a text: a built-in one, or that of a script, which is read now unless it is given.
  mutating func choose(_ text: String, of script: ScriptFile? = nil) throws(Fault) -> any FetchPolicy {
    if Self.isFile(text), !files.contains(where: { $0.path == text }) {
      let script = if let script { script } else { try Self.script(text) }
      files.append(try PolicyFile(script))
    }
    let policy = try policy(text)
    name = text
    return policy
  }

  private func policy(_ text: String) throws(Fault) -> any FetchPolicy {
    if let file = files.first(where: { $0.path == text }) { return try file.policy() }
    do throws(PolicyTextError) {
      return try BuiltInPolicies.policy(text)
    } catch {
      throw Fault(words: Self.words(error), exit: .usage)
    }
  }

  static func isFile(_ text: String) -> Bool { text.hasSuffix(".lua") }

  private static func script(_ path: String) throws(Fault) -> ScriptFile {
    do throws(TextFileError) {
      return ScriptFile(text: try TextFile.read(path), path: path, folder: ScriptFile.folder(of: path))
    } catch {
      throw Fault(words: "can't read it: \(error.reason)", exit: .noInput)
    }
  }

  private static func words(_ error: PolicyTextError) -> String {
    switch error.problem {
    case .unknownName(let known): "there is no such policy\(NearestName.hint(error.text, in: known))"
    case .syntax(let expected, _), .arguments(let expected): "expected \(expected)"
    }
  }
}

/// A script that returns a policy, loaded into a Lua state of its own, as the lab loads it.
private struct PolicyFile {
  private let file: ScriptFile
  private let script: LabScript
  private let declared: ExperimentPolicy
  var path: String { file.path }

  init(_ file: ScriptFile) throws(PolicyChoice.Fault) {
    self.file = file
    do {
      script = try LabScript(text: file.text, options: file.options)
    } catch {
      throw Self.fault(error, of: file)
    }
    guard let policy = script.policies.first ?? script.sources.first?.policy else {
      throw PolicyChoice.Fault(words: "expected a script that returns a policy", exit: .script)
    }
    declared = policy
  }

  func policy() throws(PolicyChoice.Fault) -> any FetchPolicy {
    do {
      return try declared.make([:])
    } catch {
      throw Self.fault(error, of: file)
    }
  }

  private static func fault(_ error: any Error, of file: ScriptFile) -> PolicyChoice.Fault {
    guard let error = error as? LuaError else {
      return PolicyChoice.Fault(words: "\(error)", exit: .script)
    }
    let words = Wording(error, of: file).text.trimmingPrefix("error: ")
    return PolicyChoice.Fault(words: String(words), exit: RunExit(error))
  }
}
