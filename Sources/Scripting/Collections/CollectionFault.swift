import Items
import Listing
import Lua

/// Why a change set of a script can't be, as the script sees it: positions count from 1.
struct CollectionFault: Error {
  let code: String
  let message: String
  var fields: [String: LuaValue] = [:]
  /// What was submitted, in order, as texts.
  var operations: [String] = []

  /// A fault of a place that is none.
  init(invalidIndex message: String) {
    code = UpdateError.Code.invalidIndex.rawValue
    self.message = message
  }

  /// A fault of a batch.
  init(_ error: UpdateError) {
    code = error.code.rawValue
    message = error.wording
    func set(_ name: String, _ value: Int?) { fields[name] = value.map { .integer(Int64($0)) } }
    set("section", error.section.map { $0 + 1 })
    set("item", error.path.map { $0.item + 1 })
    set("old", error.old)
    set("new", error.new)
    set("inserted", error.inserted)
    set("deleted", error.deleted)
    operations = error.operations.prefix(Self.operationLimit).map(\.wording)
  }

  private static let operationLimit = 100
}

extension Workflow {
  /// Raises a fault in the script, at its line: `title` is what was called.
  func raise(_ fault: CollectionFault, _ title: String, on stack: LuaStack) -> HostFunctionError {
    var fields = fault.fields
    fields["where"] = .string(stack.scriptPlace(in: running))
    library.push(
      LuaError(.runtime, "\(title): \(fault.message)", code: fault.code, fields: fields), on: stack)
    stack.pushTable(elements: fault.operations.count)
    for (index, operation) in fault.operations.enumerated() {
      stack.push(operation)
      stack.setElement(index + 1, of: -2)
    }
    stack.setField("operations", of: -2)
    return .value
  }

  /// Runs `body` and turns what it throws into what the script sees.
  func raising<Result>(_ title: String, on stack: LuaStack, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as UpdateError {
      throw raise(CollectionFault(error), title, on: stack)
    } catch let error as CollectionFault {
      throw raise(error, title, on: stack)
    } catch let error as LuaError where error.kind == .runtime {
      library.push(error, on: stack)
      throw HostFunctionError.value
    }
  }
}
