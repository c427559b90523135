import Items
import Listing
import Lua
import Paging

/// Arguments passed by the prelude for collections, and collection faults as scripts see them.
struct CollectionValues {
  private let prelude: Prelude
  private let scheduler: Scheduler

  init(_ prelude: Prelude, _ scheduler: Scheduler) {
    self.prelude = prelude
    self.scheduler = scheduler
  }

  /// The four data functions, starting at `index`.
  func source(_ call: HostFunctionCall, at index: Int) -> CollectionSource {
    func function(_ offset: Int) -> LuaReference {
      call.stack.pushCopy(of: index + offset)
      return call.stack.popReference(in: prelude.state)
    }
    let functions = CollectionSource.Functions(
      numberOfSections: function(0), numberOfItems: function(1), item: function(2), sectionID: function(3))
    return CollectionSource(state: prelude.state, title: call.name, content: .asked(functions))
  }

  /// A field name, a function, or nothing for the field `id`.
  func identity(_ call: HostFunctionCall, at index: Int) -> ItemIdentity {
    ItemIdentity(
      state: prelude.state, field: call.stack.string(at: index) ?? "id",
      function: call.stack.isFunction(at: index) ? prelude.reference(at: index, of: call.stack) : nil,
      title: call.name)
  }

  /// All sections of a source.
  func sections(_ source: CollectionSource, _ identity: ItemIdentity) throws -> [IdentifiedSection] {
    try (0..<source.sectionCount()).map { section in
      let values = try (0..<source.itemCount(ofSection: section)).compactMap {
        try source.model(at: ItemPath(section: section, item: $0))
      }
      return IdentifiedSection(
        id: try source.context(ofSection: section), elements: try identity.identify(values, section: section))
    }
  }

  /// How one list of sections becomes another; items with the same id and other contents are reloaded.
  ///
  /// Sections are matched by id if all have one, else by position.
  func difference(_ old: [IdentifiedSection], _ new: [IdentifiedSection]) throws -> PathChanges {
    prelude.pushEntry("haveSameContents", on: prelude.state.stack)
    let comparison = prelude.state.stack.popReference(in: prelude.state)
    var failure: LuaError?
    func isContentEqual(_ left: IdentifiedValue, _ right: IdentifiedValue) -> Bool {
      let stack = prelude.state.stack
      stack.push(comparison)
      stack.push(left.value)
      stack.push(right.value)
      if stack.areSame(-1, -2) || failure != nil {
        stack.pop(3)
        return true
      }
      do throws(LuaError) {
        try prelude.state.call(arguments: 2, results: 1)
      } catch {
        failure = error
        return true
      }
      defer { stack.pop() }
      return stack.truth(at: -1)
    }
    let hasIDs = (old + new).allSatisfy { $0.id != nil }
    let changes =
      hasIDs
      ? new.difference(from: old, id: { $0.id }, isContentEqual: isContentEqual)
      : new.placed.difference(from: old.placed, id: { $0.id }, isContentEqual: isContentEqual)
    if let failure { throw failure }
    return changes
  }

  /// Raises a fault in the script, at its line: `title` is the called function.
  func raise(_ fault: CollectionFault, _ title: String, on stack: LuaStack) -> HostFunctionError {
    var fields = fault.fields
    fields["where"] = .string(stack.scriptPlace(in: scheduler.running))
    prelude.push(
      LuaError(.runtime, "\(title): \(fault.message)", code: fault.code, fields: fields), on: stack)
    stack.push(list: fault.operations) { $0.push($1) }
    stack.setField("operations", of: -2)
    return .value
  }

  /// Runs `body` and converts its errors for the script.
  func raising<Result>(_ title: String, on stack: LuaStack, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as UpdateError {
      throw raise(CollectionFault(error), title, on: stack)
    } catch let error as CollectionFault {
      throw raise(error, title, on: stack)
    } catch let error as LuaError where error.kind == .runtime {
      prelude.push(error, on: stack)
      throw HostFunctionError.value
    }
  }
}
