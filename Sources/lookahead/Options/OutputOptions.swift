public import ArgumentParser
public import Hosting
import Paging

/// Where items go, and in which form.
struct OutputOptions: ParsableArguments {
  @Option(
    name: [.short, .long],
    help: "A file, a folder (ends in /), postgresql://user:{secret}@host/db, adbc:NAME?…, or - for stdout.",
    completion: .file())
  var output = "-"

  @Option(
    help:
      "ndjson, csv, json, sqlite, duckdb, parquet; by default by extension, else ndjson.")
  var format: SinkFormat?

  @Option(
    help: ArgumentHelp(
      "Pack the texts of a folder or standard output; a file's ending says it: items.ndjson.gz, .zst.",
      valueName: "gzip|zstd"))
  var compress: Packing?

  @Flag(help: "Add the name of its stream to each item, as _stream.")
  var tag = false

  @Flag(help: "Write the changes to the items, one operation a line, instead of the items (NDJSON, JSON).")
  var changes = false

  @Flag(help: "Write into tables of a database that lookahead did not make; their columns keep their types.")
  var adopt = false

  @Option(
    help: ArgumentHelp(
      "text: dates and times stay texts in PostgreSQL, DuckDB and Parquet; auto recognizes ISO 8601.",
      valueName: "auto|text"))
  var types = TimeTypes.auto

  @Flag(help: "In a CSV, put an apostrophe before texts that a spreadsheet would calculate.")
  var csvSafe = false

  func validate() throws {
    if let mistake = configuration(stream: "").mistake { throw ValidationError(mistake.message) }
  }

  /// The names of secrets in the address of a server: they are not the script's.
  var secretNames: [String] { SinkConfiguration(path: output).address?.secretNames ?? [] }

  /// What no message may show of that address.
  func hidden(_ secrets: [String: String]) -> [String] {
    SinkConfiguration(path: output, secrets: secrets).address?.secrets ?? []
  }

  /// The sink's configuration; `idField` and `stream` come from the script.
  func configuration(stream: String, secrets: [String: String]? = nil) -> SinkConfiguration {
    var configuration = SinkConfiguration(path: output, format: format, secrets: secrets)
    configuration.isTagged = tag
    configuration.writesChanges = changes
    configuration.isCSVSafe = csvSafe
    configuration.adopts = adopt
    configuration.recognizesTimes = types == .auto
    configuration.defaultStream = stream
    if let compress { configuration.packing = compress }
    return configuration
  }
}

/// What becomes of texts that are days or moments.
enum TimeTypes: String, CaseIterable, ExpressibleByArgument { case auto, text }

extension SinkFormat: ExpressibleByArgument {}
extension Packing: ExpressibleByArgument {}
