import Glibc
import Hosting
import Terminal
import Text

/// What this machine provides for lookahead and its scripts.
struct Examination {
  private let kernel: CageKernel

  init(_ kernel: CageKernel) { self.kernel = kernel }

  /// All findings, the kernel's first. The cage is tried last, as nothing can be examined afterwards.
  static func findings() -> [Finding] {
    let examination = Examination(.current)
    let surroundings = examination.surroundings
    return examination.ofKernel + [examination.trial()] + surroundings
  }

  /// What the kernel offers to confine scripts.
  var ofKernel: [Finding] { [landlock, filter, privileges] }

  private var landlock: Finding {
    let lacks = kernel.lacks.filter { $0.contains("Landlock") }
    guard lacks.isEmpty else {
      return Finding(name: "landlock", state: .missing, text: lacks.joined(separator: "; "))
    }
    return Finding(
      name: "landlock", state: .ok,
      text: "version \(kernel.landlock): files, ports of TCP, devices, signals and abstract sockets")
  }

  private var filter: Finding {
    let lacks = kernel.lacks.filter { $0.contains("seccomp") }
    guard let lack = lacks.first else {
      return Finding(name: "seccomp", state: .ok, text: "calls of the kernel are filtered")
    }
    return Finding(name: "seccomp", state: .missing, text: lack)
  }

  private var privileges: Finding {
    kernel.hasNoNewPrivileges
      ? Finding(name: "no_new_privs", state: .ok, text: "privileges are dropped permanently")
      : Finding(name: "no_new_privs", state: .missing, text: "privileges can't be dropped permanently")
  }

  private func trial() -> Finding {
    if ScriptCage.isLeftOut {
      return Finding(
        name: "cage", state: .missing, text: "left out: LOOKAHEAD_CAGE is off; unset it to have scripts held")
    }
    do throws(CageFailure) {
      let possible = try CageTrial.run()
      guard !possible.isEmpty else {
        return Finding(
          name: "cage", state: .ok,
          text: "tried: it opens no file, makes no socket, starts no program and signals nobody")
      }
      return Finding(
        name: "cage", state: .missing,
        text: "tried, and from inside one can \(possible.joined(separator: ", "))")
    } catch {
      return Finding(
        name: "cage", state: .missing, text: "it can't be entered: \(error.step): \(error.reason)")
    }
  }

  private var surroundings: [Finding] {
    [roots, http, Finding(name: "sqlite", state: .ok, text: SQLiteLibrary.version), terminal, locale]
  }

  private var roots: Finding {
    guard let roots = TrustedRoots.current else {
      return Finding(
        name: "tls roots", state: .absent,
        text: "none, so no server can be trusted: install ca-certificates, or set SSL_CERT_FILE")
    }
    let count = roots.count.map { ": \($0) certificates" } ?? ""
    return Finding(name: "tls roots", state: .ok, text: roots.path + count)
  }

  private var http: Finding {
    switch HTTPLibrary.version {
    case .success(let version): Finding(name: "http", state: .ok, text: version)
    case .failure(let missing):
      Finding(
        name: "http", state: .absent,
        text: "\(missing.reason), so no server can be asked: install the package libcurl4")
    }
  }

  private var terminal: Finding {
    guard let kind = TerminalKind.current else {
      return Finding(name: "terminal", state: .absent, text: "standard output is none")
    }
    let name = getenv("TERM").map { String(cString: $0) } ?? ""
    let size = "\(kind.columns) × \(kind.rows)"
    guard let colors = kind.colors else {
      return Finding(
        name: "terminal", state: .absent,
        text: "nothing is known of TERM=\(name) (\(size)): set it to what the terminal is, as xterm-256color")
    }
    return Finding(
      name: "terminal", state: .ok, text: "\(name), \(size), \(colors == 0 ? "no" : "\(colors)") colours")
  }

  private var locale: Finding {
    let codes = String(cString: nl_langinfo(nl_item(CODESET)))
    guard codes == "UTF-8" else {
      return Finding(
        name: "locale", state: .absent,
        text: "\(codes): names of files and what is typed may be shown wrong; set LC_ALL=C.UTF-8")
    }
    let name = setlocale(LC_CTYPE, nil).map { String(cString: $0) } ?? ""
    return Finding(name: "locale", state: .ok, text: name)
  }
}

/// One thing that this machine has or lacks.
struct Finding: Equatable {
  /// What a finding means.
  enum State: String {
    case ok
    /// A protection is missing.
    case missing
    /// A feature is unavailable.
    case absent
  }

  let name: String
  let state: State
  /// What was found, or what to do.
  let text: String

  var json: String {
    var object = JSONLine()
    object.add("name", name)
    object.add("state", state.rawValue)
    object.add("text", text)
    return object.text
  }

  /// Findings in columns.
  static func table(_ findings: [Finding]) -> String {
    let names = findings.map(\.name.cellWidth).max() ?? 0
    let states = findings.map(\.state.rawValue.cellWidth).max() ?? 0
    return findings.map { finding in
      finding.name.padded(to: names) + "  " + finding.state.rawValue.padded(to: states) + "  " + finding.text
    }.joined(separator: "\n")
  }
}
