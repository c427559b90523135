import Items
import Paging

/// Writes streams to a text output.
protocol SinkStream: AnyObject {
  var file: SinkFile { get }

  /// Writes a delivery; with a tag, each item names its stream.
  func write(_ delivery: Delivery, tag: SinkTag?) throws(SinkError)

  /// What completes the text written so far.
  var closing: StaticString { get }

  /// Writes what makes the text complete.
  func finish() throws(SinkError)

  /// What has to be known, besides its length, to go on with the text.
  var layout: String? { get }

  /// Goes on with a text of that layout, whose file goes on already; false if the layout makes no sense.
  func goOn(with layout: String?) -> Bool
}

extension SinkStream {
  var closing: StaticString { "" }
  var layout: String? { nil }
}

extension Delivery {
  /// The items for a text, which has no place for removals and moves: new items and updates, in order.
  var broughtItems: [Item] { operations.isEmpty ? items : items + operations.compactMap(\.item) }
}
