import Scripting

/// A chapter of the manual: its file in `Chapters`, and the help of its commands. Source of both the man page and the
/// Markdown pages.
struct ManualChapter {
  /// The name of its page, without the extension.
  let name: String
  let title: String
  /// In Markdown: headings of the second level, paragraphs, lists, tables and fenced blocks, which `ManualMarkup` reads.
  let text: String
  /// By name.
  let commands: [String]

  private init(_ name: String, _ title: String, _ bytes: [UInt8], _ commands: [String] = []) {
    self.name = name
    self.title = title
    text = String(decoding: bytes, as: UTF8.self).replacing("<!-- names -->\n", with: APITable.text)
    self.commands = commands
  }

  /// The chapter of that name; nil if there is none.
  static func named(_ name: String) -> ManualChapter? { all.first { $0.name == name.lowercased() } }

  /// Why there is no such chapter, and which ones there are.
  static func unknown(_ name: String, besides commands: [String] = []) -> String {
    let names = all.map(\.name)
    let nearest = NearestName.of(name, in: commands + names).map { "; did you mean '\($0)'?" } ?? ""
    let list = commands.isEmpty ? "" : "\n  commands: \(commands.joined(separator: ", "))"
    return "there is no \(commands.isEmpty ? "chapter" : "topic") '\(name)'\(nearest)\(list)\n  chapters: "
      + names.joined(separator: ", ")
  }

  static let all = [
    ManualChapter("first-source", "Your first source", PackageResources.first_source_md),
    ManualChapter("scripts", "What a script may say", PackageResources.scripts_md),
    ManualChapter("api", "Every name of the script API", PackageResources.api_md),
    ManualChapter("databases", "Databases", PackageResources.databases_md, ["drivers"]),
    ManualChapter("run", "Run", PackageResources.run_md, ["run"]),
    ManualChapter("output", "Output", PackageResources.output_md),
    ManualChapter("remember", "Going on, and nightly copies", PackageResources.remember_md, ["state"]),
    ManualChapter(
      "beyond", "Beyond one machine", PackageResources.beyond_md, ["partitions", "work", "collect"]),
    ManualChapter("refresh", "Keep a copy up to date", PackageResources.refresh_md),
    ManualChapter("record", "Record and replay", PackageResources.record_md),
    ManualChapter("watch", "Watch a run", PackageResources.watch_md, ["watch", "report"]),
    ManualChapter("get", "Get", PackageResources.get_md, ["get"]),
    ManualChapter("repl", "Explore", PackageResources.repl_md, ["repl"]),
    ManualChapter("browse", "Browse", PackageResources.browse_md, ["browse"]),
    ManualChapter("lab", "Lab", PackageResources.lab_md, ["lab"]),
    ManualChapter("check", "Check", PackageResources.check_md, ["check"]),
    ManualChapter(
      "tools", "New scripts, editors, this machine, this manual", [],
      ["new", "types", "doctor", "manual"]),
    ManualChapter("permissions", "Permissions", PackageResources.permissions_md),
    ManualChapter("security", "Security", PackageResources.security_md),
    ManualChapter("environment", "Environment", PackageResources.environment_md),
    ManualChapter("how-it-works", "How it works", PackageResources.how_it_works_md),
  ]
}
