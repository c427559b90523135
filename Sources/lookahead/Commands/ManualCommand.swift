import ArgumentParser
import Paging

/// `lookahead manual`: the manual, for a terminal or as pages.
struct ManualCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "manual", _superCommandName: Release.name,
    abstract: "Print the manual: the help of all commands, and all chapters.",
    discussion: """
      EXAMPLES
        lookahead manual | man -l -
        lookahead manual > ~/.local/share/man/man1/lookahead.1
        lookahead manual watch
        lookahead manual --pages scripts/manual

      Without an option it is one page in the macros of man(7); with --pages it
      is a folder of pages in Markdown, one for each chapter; with the name of a
      chapter it is that one, as lookahead help CHAPTER prints it too.
      """)

  @Argument(help: "The chapter to print; all of them by default.")
  var chapter: String?

  @Option(
    help: ArgumentHelp("Write the pages into this folder, over those that are there.", valueName: "folder"),
    completion: .directory)
  var pages: String?

  func validate() throws {
    if pages == "" { throw ValidationError("--pages: expected a folder, got nothing") }
    guard let chapter else { return }
    if pages != nil { throw ValidationError("--pages writes all chapters: expected it or a chapter") }
    if ManualChapter.named(chapter) == nil { throw ValidationError(ManualChapter.unknown(chapter)) }
  }

  func run() throws {
    if let chapter = chapter.flatMap(ManualChapter.named) {
      return StandardOutput.show(ManualPages(Lookahead.self).text(of: chapter))
    }
    guard let pages else { return StandardOutput.write(ManualPage(Lookahead.self).text) }
    for page in ManualPages(Lookahead.self).all {
      let path = "\(pages)/\(page.name)"
      try EditorFile.makeFolders(above: path)
      if let failure = OutputFile.write(page.text, to: path) {
        standardError("error: \(failure.message)")
        throw RunExit.output
      }
    }
  }
}
