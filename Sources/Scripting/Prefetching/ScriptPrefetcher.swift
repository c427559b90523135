import Items
import Lua
import Paging

/// A prefetcher of a script: details by id, and the handler that gets them. The script and the readers of a source share it.
final class ScriptPrefetcher {
  let id: Int
  /// The script's function(id, context).
  let handler: LuaReference
  /// Where it is, as `feed.lua:12`.
  let place: String
  /// How its HTTP requests are treated; as those of the source that it belongs to.
  let settings: RequestSettings
  /// Those of the source's partition.
  let parameters: LuaReference?

  var prefetcher: Prefetcher<LuaReference>
  /// Handlers that run, by the fetch that they answer.
  var tasks: [PrefetchID: ScriptTask] = [:]
  /// Who waits for details.
  var waiting: [PrefetchToken: ScriptTask] = [:]
  /// What is to be done, in order: doing it may bring more.
  var work: [Work] = []
  var isWorking = false

  /// An effect, and the error that it tells readers of.
  struct Work {
    let effect: PrefetchEffect<LuaReference>
    let error: LuaError?
  }

  init(
    id: Int, handler: LuaReference, place: String, settings: RequestSettings, parameters: LuaReference?,
    options: PrefetcherOptions
  ) {
    self.id = id
    self.handler = handler
    self.place = place
    self.settings = settings
    self.parameters = parameters
    prefetcher = Prefetcher(options: options)
  }
}
