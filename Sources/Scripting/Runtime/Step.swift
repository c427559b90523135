/// A step of a workflow that is under way: what its tasks emit belongs together.
final class Step {
  let id: Int
  let key: String
  /// Whether it has ended: nothing more belongs to it.
  var isOver = false

  init(id: Int, key: String) { (self.id, self.key) = (id, key) }
}
