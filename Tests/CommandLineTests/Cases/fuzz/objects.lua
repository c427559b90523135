-- How scripts get hold of an object of each class of the API description. Each maker hands it to a function while it
-- lives; a test says so when a class has none.
local function page() return { items = { { id = 1 }, { id = 2 } }, nextKey = nil, total = 2 } end

function make.Source(use)
  use(lookahead.source { name = "made", keys = "page", fetch = page, prefetchItem = function(id) return { id = id } end })
end

function make.Partitions(use)
  make.Source(function(source) use(source:partitions({ 1, 2 }, function(n) return { n = n } end)) end)
end

function make.Context(use)
  local source = lookahead.source { name = "context", fetch = function(context) use(context) return page() end }
  source:itemSet():fetchNextPage()
end

function make.View(use)
  local isUsed = false
  local source = lookahead.source { name = "view", fetch = page, shouldBatchFetch = function(view)
    if not isUsed then isUsed = true use(view) end
    return true
  end }
  for _ in source:items() do end
end

function make.Latency(use) make.View(function(view) use(view.latency) end) end

function make.Error(use)
  local _, failure = lookahead.try(lookahead.json.decode, "[")
  use(failure)
end

function make.Null(use) use(lookahead.null) end

function make.Policy(use) use(lookahead.policy { name = "made", shouldBatchFetch = function() return true end }) end

function make.ItemSet(use)
  local set = lookahead.source({ name = "set", keys = "page", pageSize = 2, fetch = page }):itemSet()
  set:fetchNextPage()
  use(set)
end

function make.Prefetcher(use) use(lookahead.prefetcher { fetch = function(id) return { id = id } end }) end

function make.PrefetcherStats(use) make.Prefetcher(function(details) use(details.stats) end) end

function make.PrefetchContext(use)
  lookahead.prefetcher({ fetch = function(_, context) use(context) return 1 end }):get(1)
end

function make.Task(use) use(lookahead.spawn(function() lookahead.sleep(0.001) return 1 end)) end

function make.Collection(use)
  use(lookahead.collection { id = "id", data = { { { id = 1 }, { id = 2 }, { id = 3 } }, { { id = 4 } } } })
end

function make.Updates(use)
  make.Collection(function(list) list:performBatchUpdates(use) end)
end

function make.ChangeSet(use)
  make.Collection(function(list)
    list:apply { { { id = 2 }, { id = 1 } }, { { id = 5 } } }
    list:wait()
    use(list:lastChangeSet())
  end)
end

function make.Operations(use) use(lookahead.machine.difference({ 1, 2, 3 }, { 3, 1, 4 })) end

function make.ItemMove(use) use(lookahead.machine.difference({ 1, 2 }, { 2, 1 }).movedItems[1]) end

function make.SectionMove(use)
  local first, second = { 1, id = 1 }, { 2, id = 2 }
  use(lookahead.machine.difference({ first, second }, { second, first }).movedSections[1])
end

function make.Response(use) use(lookahead.http.get(server .. "/items?per_page=3")) end

function make.URLParts(use) use(lookahead.url.parse("https://example.com:8080/a?b=1#c")) end

function make.Database(use)
  local database = lookahead.sqlite.open("small.db", { readOnly = false })
  use(database)
  database:close()
end

function make.Element(use) use(lookahead.xml.decode("<a b='c'>d<e>f</e></a>")) end

function make.Login(use)
  use(lookahead.oauth2 { tokenURL = server .. "/token", clientID = "a", clientSecret = "b" })
end

function make.Workload(use) use(lookahead.workload { items = 50 }) end

function make.Network(use) use(lookahead.network { latency = 0.1 }) end

function make.Experiment(use)
  use(lookahead.experiment { sessions = 2, policies = { "onDemand" }, workloads = lookahead.workload { items = 50 } })
end

function make.Result(use) make.Experiment(function(experiment) use(lookahead.lab.run(experiment)) end) end

function make.BatchContext(use) use(lookahead.machine.batchContext()) end

function make.IndexMap(use) use(lookahead.machine.indexMap(5, { 2 }, { 1, 3 })) end

function make.Ranges(use)
  use(lookahead.machine.ranges { itemLength = 10, itemCount = 20, viewport = { width = 10, height = 30 } })
end

function make.Bound(use) use(lookahead.machine.bound { deadlines = { 0, 1, 2 }, latency = 0.5 }) end
