import Lua
public import Paging

/// A source of a script that a person explores at a prompt: how it is read, and who fetches its pages.
public final class ExploredSource {
  /// As the script calls it.
  public let name: String
  /// How it is read: as in a run, but that what was passed is kept.
  public let configuration: FeedConfiguration
  let definition: SourceDefinition
  let reader: ExplorationReader

  /// Items that are held at most, where the source does not say.
  private static let mostItems = 10_000

  init(_ definition: SourceDefinition, maxItems: Int?, id: Int) throws(InvalidConfiguration) {
    name = definition.name
    self.definition = definition
    reader = ExplorationReader(id: id, definition: definition)
    var options = definition.configuration.options
    options.releasesPassedItems = false
    options.checksTotal = false
    options.maxItems =
      maxItems ?? max(Self.mostItems, options.pageSize + 2 * (options.prefetchDistance ?? 0))
    configuration = try FeedConfiguration(options)
  }
}

extension Workflow {
  /// The source that a value of the session is, ready to be explored. Nil where it is something else; an error where the
  /// source cannot be read. Where it takes the place of another, its items are told apart from those of that.
  public func exploredSource(
    _ value: PromptValue, insteadOf old: ExploredSource? = nil
  ) throws -> ExploredSource? {
    let stack = prelude.state.stack
    let top = stack.count
    defer { stack.truncate(to: top) }
    limits.renew()
    stack.push(value.reference)
    guard stack.isTable(at: -1), try definitions.isSource(stack, at: stack.count) else { return nil }
    let definition = try definitions.sealed(stack, at: stack.count)
    stack.push(definition.table)
    let fields = DefinitionFields(stack: stack, table: stack.count)
    do throws(InvalidConfiguration) {
      let source = try ExploredSource(
        definition, maxItems: try fields.count("maxItems"), id: turn.nextNumber())
      if let old { source.reader.countOn(after: old.reader) }
      return source
    } catch {
      throw LuaError(.runtime, "source '\(definition.name)': \(error.text)")
    }
  }
}
