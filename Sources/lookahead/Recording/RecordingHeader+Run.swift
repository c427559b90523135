import Hosting
import Scripting

extension RecordingHeader {
  /// The header of a run. Of its parameters only those are named with their values that the script declares and calls no
  /// secret; `hidden` are values that the person calls secret.
  init(_ script: ScriptFile, _ options: WorkflowOptions, _ declared: [DeclaredParameter], hidden: [String]) {
    let open = Set(declared.filter { !$0.isSecret }.map(\.name))
    let closed = Set(declared.filter(\.isSecret).map(\.name))
    let given = options.parameters
    self.init(
      script: script.path, scriptDigest: script.digest, seed: options.seed, startedAt: options.startedAt ?? 0,
      parameters: given.filter { open.contains($0.key) && !hidden.contains($0.value) },
      secrets: given.filter { closed.contains($0.key) || hidden.contains($0.value) }.keys.sorted())
  }
}

extension ScriptFile {
  /// SHA-256 of the text, in hexadecimal.
  var digest: String {
    sha256(key: nil, data: Array(text.utf8)).map { byte in
      String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
    }.joined()
  }
}
