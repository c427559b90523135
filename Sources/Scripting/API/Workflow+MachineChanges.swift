import Items
import Listing
import Lua
import Paging

/// Differences and ranges under glass; the prelude has checked what it passes.
extension Workflow {
  /// difference(id, old data…, new data…) → the operations
  func machineDifference(_ call: HostFunctionCall) throws -> HostFunctionAnswer {
    try raising(call.name, on: call.stack) {
      let identity = itemIdentity(call, at: 1)
      let old = try identifiedSections(collectionSource(call, at: 2), identity)
      let new = try identifiedSections(collectionSource(call, at: 6), identity)
      call.stack.push(operations: try difference(old, new))
    }
    return .results(1)
  }

  /// ranges(settings) → visible, display, preload and measure, each as its first and its last item
  static func machineRanges(_ call: HostFunctionCall) throws -> HostFunctionAnswer {
    let fields = DefinitionFields(stack: call.stack, table: 1)
    let axis = Axis(rawValue: fields.text("axis") ?? "") ?? .vertical
    let mode = RangeMode(rawValue: fields.text("mode") ?? "") ?? .full
    let isVisible = fields.boolean("isVisible") ?? true
    var controller = RangeController(lengths: try lengths(fields), axis: axis, isVisible: isVisible)
    controller.moveViewport(to: viewport(fields), direction: fields.directions("direction"))
    let ranges = controller.members(in: mode).states(isContainerVisible: isVisible, mode: mode)
    for range in [ranges.visible, ranges.display, ranges.preload, ranges.measure] {
      call.stack.push(range.isEmpty ? 1 : range.lowerBound + 1)
      call.stack.push(range.isEmpty ? 0 : range.upperBound)
    }
    return .results(8)
  }

  private static func lengths(_ fields: DefinitionFields) throws(InvalidConfiguration) -> ItemLengths {
    guard let list = fields.table("itemLengths") else {
      return ItemLengths(
        count: try fields.count("itemCount") ?? 0, length: limited(fields.number("itemLength") ?? 0))
    }
    defer { list.end() }
    return ItemLengths(list.numbers.map(limited))
  }

  /// A length as the machine can add it up, whatever it was.
  private static func limited(_ length: Double) -> Double { length > 0 ? min(length, 1e12) : 0 }

  private static func viewport(_ fields: DefinitionFields) -> Rect {
    guard let viewport = fields.table("viewport") else { return .zero }
    defer { viewport.end() }
    func number(_ name: String) -> Double { viewport.number(name) ?? 0 }
    return Rect(x: number("x"), y: number("y"), width: number("width"), height: number("height"))
  }
}
