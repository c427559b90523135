-- Several things at once: tasks, all of them, a bounded number of them.
local host, lookahead = ...

local Task = { __name = "lookahead.task", __metatable = false }
local methods = {}

-- What is behind each task: the host's handle.
local held = setmetatable({}, { __mode = "k" })

function Task.__index(task, key) return held[task] and methods[key] end
function Task.__newindex() host.misuse("a task cannot be changed") end
function Task.__tostring() return "task" end

local function handle(task, call)
  host.checkSelf(task ~= nil and held[task], call, "a task")
  return held[task].handle
end

--- Starts a function beside the caller. Errors come out of task:wait().
function lookahead.spawn(f, ...)
  host.checkArgument("lookahead.spawn", 1, f, host.checks.callable)
  local task = setmetatable({}, Task)
  held[task] = { handle = host.spawn(f, f, ...) }
  return task
end

--- Waits for the end and returns the results, or raises the error.
function methods:wait()
  return host.join(handle(self, "task:wait"))
end

--- Ends the task, itself at its next wait, and what it waits for of its own; a wait for it raises an error with the code "cancelled".
function methods:cancel()
  host.cancelTask(handle(self, "task:cancel"))
end

-- Waits for tasks in order; the first failure in time cancels the rest.
local function gather(tasks)
  local results = {}
  local failed = host.joinAll(tasks)
  if failed then
    for _, task in ipairs(tasks) do host.cancelTask(task) end
    return host.join(failed)
  end
  for position, task in ipairs(tasks) do results[position] = host.join(task) end
  return results
end

--- Runs functions at once; results in order. One failure cancels the rest.
function lookahead.all(functions)
  host.checkArgument("lookahead.all", 1, functions, host.checks.list)
  functions = host.list(functions)
  local tasks = {}
  for position = 1, functions.n do
    local f = functions[position]
    if type(f) ~= "function" then
      host.misuse("lookahead.all: element %d: expected a function, got %s", position, host.typeName(f))
    end
  end
  for position, f in ipairs(functions) do tasks[position] = host.spawn(f, f) end
  return gather(tasks)
end

-- Calls f for each element; its tasks are known by the script's function.
local function map(list, limit, f, named)
  local results, position, count = {}, 0, host.length(list)
  local function worker()
    while position < count do
      position = position + 1
      local mine = position
      results[mine] = f(list[mine])
    end
  end
  local tasks = {}
  for number = 1, math.min(limit, count) do tasks[number] = host.spawn(named, worker) end
  gather(tasks)
  return results
end

--- Calls f for each element, at most `limit` at once; results in order.
function lookahead.map(list, limit, f)
  host.checkArgument("lookahead.map", 1, list, host.checks.list)
  host.checkArgument("lookahead.map", 2, limit, host.checks.atLeast(1))
  host.checkArgument("lookahead.map", 3, f, host.checks.callable)
  return map(list, limit, f, f)
end

-- Where the step of a key is written, and whether that is a number: keys are those of the whole run, so two pieces of work with the
-- same one would be taken for one. So many are looked at.
local places, numbers, unseen = {}, {}, 100000

local function step(key, f, place)
  local text, isNumber = tostring(key), type(key) == "number" or nil
  local secret = host.secretIn(text, "") or host.secretIn(key, "")
  if secret then
    host.misuse(
      "lookahead.step: a key has the secret %s in it, but a step is remembered and shown by its key: name it by something else",
      secret)
  end
  local other = places[text]
  if other and other ~= place then
    host.misuse(
      "the step %s is done at %s already, and a step is done once in a run: give it another key, as \"order \" .. id",
      host.shown(key), other)
  elseif other and numbers[text] ~= isNumber then
    host.misuse(
      "lookahead.step: the keys %s and %s are one, so the second step would be taken for the first and left out: name each by what no other has",
      host.shown(isNumber and text or tonumber(text)), host.shown(key))
  elseif not other and unseen > 0 then
    places[text], numbers[text], unseen = place, isNumber, unseen - 1
  end
  local isDone, result
  -- Nil where another task was doing it.
  repeat isDone, result = host.beginStep(key) until isDone ~= nil
  if isDone then return result end
  local isRight, value = pcall(f)
  local secret, found
  if isRight then secret, found = host.secretIn(value, "it") end
  if secret then
    host.endStep(false)
    host.misuse(
      "lookahead.step: the result of the step %s has the secret %s in it (%s), but it is remembered and shown: return something else, and let the script use the secret itself",
      host.shown(key), secret, found)
  end
  if isRight then return host.endStep(true, value) end
  host.endStep(false)
  error(value, 0)
end

--- A piece of a workflow that is done once: what it emits and what it returns are kept together when it has ended, and a
--- run that goes on skips it. What it returns is what JSON carries of it, the first time too.
function lookahead.step(key, f)
  host.checkArgument("lookahead.step", 1, key, host.checks.key)
  host.checkArgument("lookahead.step", 2, f, host.checks.callable)
  return step(key, f, host.place(f))
end

--- A step for each element of a list, so many at a time.
function lookahead.each(list, options, f)
  host.checkArgument("lookahead.each", 1, list, host.checks.list)
  options = host.check("lookahead.each", { key = host.checks.callable, limit = host.checks.atLeast(1) }, options)
  host.checkArgument("lookahead.each", 3, f, host.checks.callable)
  if not options.key then host.misuse("lookahead.each: key is missing: a function that names the step of an element") end
  local place, keys, positions = host.place(f), {}, {}
  for position = 1, host.length(list) do
    local key = options.key(list[position])
    host.checkArgument("lookahead.each: key", 1, key, host.checks.key)
    local text = tostring(key)
    if positions[text] then
      host.misuse(
        "lookahead.each: the elements %d and %d have the same key %s, so the second would be taken for the first and left out: name each by what no other has",
        positions[text], position, host.shown(key))
    end
    keys[position], positions[text] = key, position
  end
  local position = 0
  return map(list, options.limit or 8, function(element)
    position = position + 1
    return step(keys[position], function() return f(element) end, place)
  end, f)
end

--- Begins the random numbers of a copy of the script that reads partitions beside it, by its number.
function host.reseed(number)
  math.randomseed(math.random(0), number)
end

--- Waits; the host's clock, real or virtual.
function lookahead.sleep(seconds)
  host.checkArgument("lookahead.sleep", 1, seconds, host.checks.seconds)
  host.sleep(seconds)
end

--- Seconds since the run began.
function lookahead.now()
  return host.now()
end

--- An item for the sink; waits while the sink is behind.
function lookahead.emit(item, stream)
  if item == nil then host.misuse("lookahead.emit: argument 1: expected an item, got nothing") end
  if stream ~= nil then host.checkArgument("lookahead.emit", 2, stream, host.checks.string) end
  return host.emit(item, stream)
end
