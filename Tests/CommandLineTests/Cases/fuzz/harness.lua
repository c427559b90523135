-- What the fuzzer's scripts do with a call: it is made in a task of its own, its results are looked at, and it is given
-- up where it waits too long. The number of each step is in the log before it begins.
local log = lookahead.log.error
local make = {}
-- What can be done with an object of each class, as functions of it with the class of what they give: its methods, and
-- the calls that take it.
local uses = {}
local canWait = pcall(lookahead.sleep, 0)
-- How often a step that waits is looked after before it is given up.
local turns = 10

-- Shows a value in every way there is; none may tell an address.
local function show(value)
  for _, format in ipairs { "%s", "%q", "%p" } do
    local ok, text = pcall(string.format, format, value)
    print(ok, text:sub(1, 200))
  end
  local ok, text = pcall(tostring, value)
  print(ok, tostring(text):sub(1, 200))
  pcall(lookahead.log.warn, "value", { value = value })
  pcall(lookahead.json.encode, value)
end

-- Looks at what a call gave: its fields, its length, its metatable; a function is called.
local function poke(value, depth)
  local kind = type(value)
  if kind == "table" or kind == "userdata" then
    pcall(function() return #value end)
    pcall(function() return value == {} , value.name, value[1], value[math.mininteger], value[0.5], value[""] end)
    pcall(function() print(type(getmetatable(value))) end)
    pcall(function()
      local count = 0
      for key, element in pairs(value) do
        count = count + 1
        if count > 8 then break end
        if depth > 0 then poke(element, depth - 1) else pcall(tostring, key) end
      end
    end)
  elseif kind == "function" then
    for _ = 1, 3 do
      local ok, result = pcall(value)
      if not ok or result == nil then break end
      if depth > 0 then poke(result, depth - 1) end
    end
  end
  if depth > 1 then show(value) end
end

-- Makes an object of a class and hands it to a function, as long as it lives.
local function with(class, use)
  local ok, failure = pcall(make[class], function(object) use(object) end)
  if not ok then print("cannot make", class, (tostring(failure))) end
end

-- An object of a class that may be past its end.
local function kept(class)
  local object
  with(class, function(made) object = made end)
  return object
end

local function try(f, ...)
  local results = table.pack(pcall(f, ...))
  for index = 1, math.min(results.n, 4) do pcall(poke, results[index], 2) end
  return table.unpack(results, 2, math.min(results.n, 4))
end

-- Does with an object all that can be done, and the same with what comes of it.
local function exercise(class, object, depth)
  if type(object) ~= "table" and type(object) ~= "userdata" then return end
  for _, use in ipairs(uses[class] or {}) do
    local result = try(use.call, object)
    if use.result and (depth or 1) > 0 then exercise(use.result, result, (depth or 1) - 1) end
  end
end

-- Puts a value into every field of an object that scripts can reach, one after the other, and uses the object each time.
local function spoil(class, object, value, part, depth)
  part, depth = part or object, depth or 2
  local keys = {}
  pcall(function() for key in next, part do keys[#keys + 1] = key end end)
  for index = 1, math.min(#keys, 12) do
    local old = rawget(part, keys[index])
    pcall(rawset, part, keys[index], value())
    exercise(class, object, 1)
    pcall(rawset, part, keys[index], old)
    if depth > 0 and type(old) == "table" then spoil(class, object, value, old, depth - 1) end
  end
end

local function step(number, f)
  log("#" .. number)
  if not canWait then return try(f) end
  local isOver = false
  local task = lookahead.spawn(function()
    try(f)
    isOver = true
  end)
  for _ = 1, turns do
    if not isOver then lookahead.sleep(0.002) end
  end
  if not isOver then task:cancel() end
end
