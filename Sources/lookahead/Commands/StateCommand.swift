import ArgumentParser
import Hosting
import JSON
import Paging
import Text

/// `lookahead state OUTPUT`: what is remembered of an output.
struct StateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "state", _superCommandName: Release.name,
    abstract: "Show what is remembered of an output: readings, positions, bookmarks, steps.",
    discussion: """
      EXAMPLES
        lookahead state items.db
        lookahead state items.ndjson --format json
        lookahead state items.db --reset
        lookahead state items.db --reset --source 'items{"account":"2"}'
        lookahead state items.db --source items --set-bookmark '"2026-11-01"'

      A database has its state in tables of its own (_lookahead_…), a text in a file
      beside it (OUTPUT.state) as long as there is anything to remember. A run on the
      same output goes on with a reading that is open.
      """)

  /// How readings are written.
  enum Format: String, CaseIterable, ExpressibleByArgument { case table, json }

  @Argument(help: "A file, a folder or a database that a run has written.", completion: .file())
  var output: String

  @OptionGroup var secrets: SecretOptions

  @Option(help: "Readings and steps as tables, or as a JSON array.")
  var format = Format.table

  @Flag(help: "Forget the readings and steps, or the readings of --source: the next run begins anew.")
  var reset = false

  @Option(help: "A source, or one part of it, as items{\"account\":\"2\"}.")
  var source: String?

  @Option(help: ArgumentHelp("Set the bookmark of --source, as JSON.", valueName: "value"))
  var setBookmark: String?

  func validate() throws {
    guard let setBookmark else { return }
    if reset { throw ValidationError("--reset and --set-bookmark: say one of them") }
    guard (try? JSONTree(setBookmark)) != nil else {
      throw ValidationError("--set-bookmark \(setBookmark): expected JSON, as 42 or '\"2026-11-01\"'")
    }
  }

  func run() throws {
    let secrets = try secrets.values
    do throws(HostFailure) {
      guard let state = try RememberedState(of: output, secrets: secrets) else {
        StandardOutput.show("nothing is remembered of \(HarmlessText.line(OutputName.shown(output)))")
        return
      }
      let selection = RememberedState.Selection(source ?? "")
      if reset {
        return tell(try state.reset(selection), "forgotten", source == nil ? "reading or step" : "reading")
      }
      if let setBookmark {
        return tell(try state.setBookmark(setBookmark, of: selection), "set", "bookmark")
      }
      show(try state.readings(), try state.steps())
    } catch {
      standardError("error: \(error.message)")
      switch error.code {
      case .notFound: throw RunExit.noInput
      case .invalid: throw RunExit.usage
      case .io where reset || setBookmark != nil: throw RunExit.output
      default: throw RunExit.failed
      }
    }
  }

  private func tell(_ count: Int, _ what: String, _ name: String) {
    let names = name.split(separator: " or ").map { count == 1 ? "\($0)" : "\($0)s" }.joined(
      separator: " or ")
    StandardOutput.show("\(Amount.count(count)) \(names) \(what)")
  }

  private func show(_ readings: [RememberedReading], _ steps: [RememberedStep]) {
    switch format {
    case .table:
      let rows = readings.map { reading in
        [
          reading.stream + reading.partition, "\(reading.number)", reading.state, Amount.count(reading.items),
          reading.next.map { "page \($0.page)\($0.key.isEmpty ? "" : " (\($0.key))")" } ?? "",
          reading.bookmark ?? "",
        ]
      }
      if !rows.isEmpty || steps.isEmpty {
        table(
          ["source", "reading", "state", "items", "next", "bookmark"], rows,
          [.left, .right, .left, .right, .left, .left])
      }
      guard !steps.isEmpty else { return }
      if !rows.isEmpty { StandardOutput.show("") }
      table(
        ["step", "state", "result"],
        steps.map { [$0.key, $0.result == nil ? "open" : "ended", $0.result ?? ""] }, [.left, .left, .left])
    case .json:
      let lines = readings.map(line) + steps.map(line)
      StandardOutput.show("[\n" + lines.joined(separator: ",\n") + "\n]")
    }
  }

  private func table(_ titles: [String], _ rows: [[String]], _ alignments: [Alignment]) {
    StandardOutput.show(TextTable(titles, rows: rows, alignments: alignments).text)
  }

  private func line(_ step: RememberedStep) -> String {
    var line = JSONLine()
    line.add("step", step.key)
    line.add("state", step.result == nil ? "open" : "ended")
    line.add(raw: "result", step.result ?? "null")
    return line.text
  }

  private func line(_ reading: RememberedReading) -> String {
    var line = JSONLine()
    line.add("source", reading.stream)
    line.add(raw: "partition", reading.partition.isEmpty ? "null" : reading.partition)
    line.add("reading", reading.number)
    line.add("state", reading.state)
    line.add("items", reading.items)
    if let next = reading.next {
      line.add("nextPage", next.page)
      line.add("nextKey", next.key)
    }
    line.add(raw: "bookmark", reading.bookmark ?? "null")
    return line.text
  }
}
