import Foundation
import Scripting

/// Somebody who presses Ctrl-C as soon as a script prints `ready`, from another thread.
final class Stopper: @unchecked Sendable {
  private let isReady = DispatchSemaphore(value: 0)
  private let hasStopped = DispatchSemaphore(value: 0)

  init(_ rig: PromptRig) {
    rig.onPrint = { [isReady] in if $0 == "ready" { isReady.signal() } }
    nonisolated(unsafe) let workflow = rig.workflow
    Thread { [isReady, hasStopped] in
      isReady.wait()
      workflow.stopScript()
      hasStopped.signal()
    }.start()
  }

  /// Waits until it was pressed.
  func end() { hasStopped.wait() }
}
