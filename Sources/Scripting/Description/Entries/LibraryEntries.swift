/// The fields of `lookahead` itself.
extension APIDescription {
  static let library = APIModule(
    "lookahead",
    "Pages through data, and fetches ahead of the reader; `require \"lookahead\"` returns it too.",
    functions: declaring + running,
    values: [APIField("null: Null", "JSON's null; nil would omit the field.")])

  private static let declaring = [
    APIFunction(
      "source(keys: SourceKeys): Source", "Declares a source of paged data.",
      details: "Functions can be set afterwards, until the source is read: `function items.fetch(context)`.",
      example: """
        local numbers = lookahead.source { name = "numbers", keys = "offset", pageSize = 10 }

        function numbers.fetch(context)
          local items = {}
          for id = context.key + 1, math.min(context.key + context.size, 25) do items[#items + 1] = { id = id } end
          return { items = items, total = 25 }
        end

        return numbers
        """),
    APIFunction(
      "parameters(declarations: table<string, ParameterKeys|string|number|boolean>): table<string, any>",
      "Declares the run's parameters and returns their values; `--param name=value` gives them.",
      example: """
        local parameters = lookahead.parameters { repo = "apple/swift", days = { default = 7, help = "how far back" } }
        print(parameters.repo, parameters.days)
        """),
    APIFunction(
      "collection(keys: CollectionKeys): Collection",
      "Creates a collection: sections of items whose changes are submitted or computed.",
      example: """
        local list = lookahead.collection { data = { { "a", "b" } } }
        list:apply { { "b", "a", "c" } }
        list:wait()
        print(#list.visible[1])
        """),
    APIFunction(
      "oauth2(keys: LoginKeys): Login",
      "Logs in at an OAuth 2 server: its tokens go with requests, and are asked for again before they end.",
      details:
        "With `clientSecret` alone the client has tokens for itself (client credentials); with `refreshToken` they stand "
        + "for a person. One task asks, however many requests wait; a request that is answered with 401 is sent once more "
        + "with a new token. Tokens stay in memory.",
      example: """
        local parameters = lookahead.parameters { id = "reader", secret = { default = "", secret = true } }
        local login = lookahead.oauth2 {
          tokenURL = "https://login.example.com/token", clientID = parameters.id, clientSecret = parameters.secret,
        }
        print(lookahead.http.get("https://api.example.com/items", { auth = login }).status)
        """),
    APIFunction(
      "prefetcher(keys: PrefetcherKeys): Prefetcher",
      "Creates a prefetcher: details of items by id, fetched before they are needed, once for all readers.",
      example: """
        local squares = lookahead.prefetcher { fetch = function(id) return { square = id * id } end }
        squares:prefetch { 1, 2, 3 }
        print(squares:get(2).square)
        """),
    APIFunction(
      "workload(keys: WorkloadKeys): Workload", "Declares how simulated readers scroll.",
      example: """
        local workload = lookahead.workload { name = "long feed", kind = "fling", items = 2000 }
        return lookahead.experiment { workloads = workload, policies = { "leadingScreens", "remainingTime" } }
        """),
    APIFunction(
      "network(keys: NetworkKeys): Network", "Declares the network between a simulated reader and a source.",
      example: """
        return lookahead.network { name = "slow", latency = { median = 0.9, sigma = 0.6 }, loss = 0.01 }
        """),
    APIFunction(
      "experiment(keys: ExperimentKeys): Experiment",
      "Declares what to compare: every policy over every source, workload and network.",
      example: """
        return lookahead.experiment {
          policies = { "onDemand", "leadingScreens" }, set = { screens = { 1, 2, 4 } }, sessions = 50,
        }
        """),
  ]

  private static let running = [
    APIFunction(
      "emit(item: any, stream?: string)", waits: true,
      "Sends an item to the sink, or to one of several streams; waits while the sink is behind.",
      example: """
        lookahead.emit { id = 1, name = "one" }
        lookahead.emit({ id = 2 }, "others")
        """),
    APIFunction(
      "all(functions: (async fun(): any)[]): any[]", waits: true,
      "Runs functions concurrently; results in order. One failure cancels the rest.",
      example: """
        local results = lookahead.all { function() return 1 end, function() lookahead.sleep(1) return 2 end }
        print(results[1], results[2])
        """),
    APIFunction(
      "spawn(f: async fun(...: any): any, ...: any): Task", "Starts a function concurrently.",
      details: "Tasks that are not waited for end with the script; an error is raised by `task:wait()`.",
      example: """
        local task = lookahead.spawn(function(n) lookahead.sleep(1) return n * 2 end, 21)
        print(task:wait())
        """),
    APIFunction(
      "map(list: any[], limit: integer, f: async fun(element: any): any): any[]", waits: true,
      "Calls f for each element, at most `limit` at once; results in order.",
      example: """
        local doubled = lookahead.map({ 1, 2, 3 }, 2, function(n) lookahead.sleep(0.1) return n * 2 end)
        print(doubled[3])
        """),
    APIFunction(
      "step(key: ID, f: async fun(): any): any", waits: true,
      "A piece of a workflow that is done once: a run that goes on skips it, and returns what it returned.",
      details:
        "What it emits, and its result, are kept together once it has ended. The result is what JSON carries of it.",
      example: """
        local count = lookahead.step("counting", function()
          lookahead.emit { id = 1 }
          return 1
        end)
        print(count)
        """),
    APIFunction(
      "each(list: any[], options: EachKeys, f: async fun(element: any): any): any[]", waits: true,
      "A step for each element of a list, several at a time; results in order.",
      example: """
        lookahead.each({ "a", "b" }, { key = function(name) return name end, limit = 2 }, function(name)
          lookahead.emit { id = name }
        end)
        """),
    APIFunction(
      "sleep(seconds: number)", waits: true, "Waits by the host's clock, real or virtual.",
      example: "lookahead.sleep(0.5)"),
    APIFunction(
      "now(): number", "Seconds since the run began, by the host's clock.", example: "print(lookahead.now())"),
    APIFunction(
      "try(f: async fun(...: any): any, ...: any): value: any, error?: Error", waits: true,
      "Calls f; an external failure becomes nil and the error, misuse is still raised.",
      example: """
        local value, failure = lookahead.try(lookahead.json.decode, "[1, 2")
        if failure then print(failure.code, failure.message) end
        """),
  ]
}
