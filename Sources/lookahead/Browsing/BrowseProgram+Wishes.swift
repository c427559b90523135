import Paging
import Scripting
import Terminal

/// Keys, and what they ask for.
extension BrowseProgram {
  func press(_ key: Key, _ list: BrowsedList, at now: Instant) {
    frames.key(at: now)
    carryOut(model.handle(key, list, at: now), at: now)
  }

  func carryOut(_ commands: [BrowseWish], at now: Instant) {
    for command in commands {
      switch command {
      case .refresh: ask(.refresh)
      case .retry: ask(.retry)
      case .nextPolicy:
        ask(.policy(choice.next()))
        model.say("policy: \(choice.name)")
      case .policy(let text): take(text)
      case .searchOn: searchesOn = true
      case .suspend:
        device?.suspend()
        frames.forget()
      case .redraw: device?.forget()
      case .quit: leave()
      }
    }
  }

  private func take(_ text: String) {
    do throws(PolicyTextError) {
      ask(.policy(try choice.take(text)))
      model.say("policy: \(text)")
    } catch {
      model.say("policy \(text): \(PolicyChoice.words(error))")
    }
  }

  func ask(_ request: BrowseRequest) {
    workflow.browse(request)
    hasAsked = true
  }

  func leave() { ask(.leave) }
}
