-- What most scripts never use: each of these chunks is loaded when something of it is first called, and no script can tell.
-- Until then a function of ours stands for each of its own, and for scripts it stays.
local host, lookahead = ...

local loadCompiled = host.loadCompiled
local chunks = {
  prefetcher = { members = { "prefetcher" }, entries = { "prefetcherOf", "runPrefetch", "sourcePrefetcher" } },
  demand = { members = {}, entries = { "itemSetOf" } },
  links = { members = {}, entries = { "linksIn" } },
  lists = { members = {}, entries = { "addAll", "noList" } },
  elsewhere = { members = {}, entries = { "harmless" } },
  rounding = { members = {}, entries = { "noteRounding", "refuseRounding" } },
  oauth2 = { members = { "oauth2" }, entries = { "isLogin", "loginToken" } },
  xml = { library = "xml", members = { "decode" }, entries = {} },
  machine = {
    library = "machine", members = { "shouldFetchBatch", "batchContext", "indexMap", "difference", "ranges", "bound" },
    entries = { "indexMap" },
  },
  collection = { members = { "collection" }, entries = { "haveSameContents", "sectionReaders" } },
  tuning = { members = {}, entries = { "ownPolicy", "policyFields" } },
  worlds = { members = { "network", "workload" }, entries = { "numberText", "valueType", "worldOf", "worldWord" } },
  lab = {
    members = { "experiment" }, entries = { "experimentFields", "labValue", "labWord", "sourceFields" },
  },
  experiments = { library = "lab", members = { "run" }, entries = {}, isIn = "lab" },
}

-- Puts a chunk's functions in the place of what stands for them. One that was stopped meanwhile is loaded again.
local function fill(name)
  local code = host.lateChunks[name]
  if not code then return end
  loadCompiled(code)(host, lookahead)
  host.lateChunks[name] = nil
end

-- What stands for the function `key` of the table that `find` finds.
local function standIn(chunk, key, find)
  return function(...)
    fill(chunk)
    return find()[key](...)
  end
end

for name, chunk in next, chunks do
  local file, library = chunk.isIn or name, chunk.library
  local function entries() return host end
  local function members() return library and lookahead[library] or lookahead end
  for _, key in ipairs(chunk.entries) do host[key] = standIn(file, key, entries) end
  local standing = library and {} or lookahead
  for _, key in ipairs(chunk.members) do standing[key] = standIn(file, key, members) end
  if library then lookahead[library] = standing end
end

-- What is asked of every source and request is answered without them, where it can be.
local prefetcherOf, labWord, isLogin = host.prefetcherOf, host.labWord, host.isLogin

function host.prefetcherOf(source) return source.prefetchItem and prefetcherOf(source) or nil end

function host.labWord(value)
  if type(value) ~= "table" or host.isSource(value) or host.isSource(rawget(value, 1)) then return nil end
  return labWord(value)
end

function host.isLogin(value) return not host.lateChunks.oauth2 and isLogin(value) end
