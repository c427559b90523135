/// The tasks that work for a page: its handler, and whatever that has started, directly or not. The page counts as read, and a step that
/// has read it as done, once all of them have ended.
final class PageTasks {
  /// The page whose tasks have asked for this one.
  private let outer: PageTasks?
  /// The step that reads it.
  private let step: Step?
  private weak var handler: ScriptTask?
  private var open = 0
  /// Whether none has failed with an error that nobody handles.
  private var areWell = true
  /// Called once, when all have ended.
  private var onEnd: ((_ areWell: Bool) -> Void)?

  init(within outer: PageTasks?, of step: Step?) {
    (self.outer, self.step) = (outer, step)
    outer?.open += 1
    step?.openPages += 1
  }

  /// Whether others go on when one of them ends.
  var haveOthers: Bool { open > 1 }

  /// The first of them is the handler; `onEnd` is told whether all ended well.
  func begin(_ handler: ScriptTask, onEnd: @escaping (_ areWell: Bool) -> Void) {
    (self.handler, self.onEnd) = (handler, onEnd)
  }

  /// One more works for the page.
  func started() { open += 1 }

  /// One of them has ended.
  func ended(_ task: ScriptTask) {
    // A handler that fails before its answer fails its fetch only.
    if task.state.hasFailed, !task.isHandler, task === handler || !task.isJoined { fail() }
    leave()
  }

  private func fail() {
    areWell = false
    outer?.fail()
  }

  private func leave() {
    open -= 1
    guard open == 0 else { return }
    let ended = onEnd
    onEnd = nil
    ended?(areWell)
    step?.pageEnded()
    outer?.leave()
  }

  /// Nobody is told of the end any more.
  func forget() { onEnd = nil }
}
