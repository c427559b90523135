import Items
import Lua
import Paging

/// A script's prefetcher: details by id, and the handler that fetches them. Shared by the script and the readers of a
/// source.
final class ScriptPrefetcher {
  let id: Int
  /// The script's function(id, context).
  let handler: LuaReference
  /// Its location, such as `feed.lua:12`.
  let place: String
  /// The settings of its HTTP requests: those of its source.
  let settings: RequestSettings
  /// The parameters of the source's partition.
  let parameters: LuaReference?

  var prefetcher: Prefetcher<LuaReference>
  /// Running handlers, by fetch.
  var tasks: [PrefetchID: ScriptTask] = [:]
  /// Tasks that wait for details.
  var waiting: [PrefetchToken: ScriptTask] = [:]
  /// Work to do, in order: doing it may add more.
  var work: [Work] = []
  var isWorking = false

  /// An effect, and the error passed to readers.
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
