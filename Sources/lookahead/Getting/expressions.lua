-- Parts of an answer as expressions of a script.
local places = require "get.places"

local expressions = {}

--- A text as a Lua string.
function expressions.quoted(text)
  return '"' .. text:gsub('[%c"\\\128-\255]', function(character)
    if character == '"' or character == "\\" then return "\\" .. character end
    return ("\\%03d"):format(character:byte())
  end) .. '"'
end
local quoted = expressions.quoted

local function argument(name) return math.type(name) == "integer" and tostring(name) or quoted(tostring(name)) end

local reserved = " and break do else elseif end false for function goto if in local nil not or repeat return then true until while "

--- Whether a text can be a name of the language.
function expressions.isName(text)
  return type(text) == "string" and text:find("^[%a_][%w_]*$") ~= nil and not reserved:find(" " .. text .. " ", 1, true)
end

--- A name behind a table.
function expressions.step(name)
  return expressions.isName(name) and "." .. name or ("[%s]"):format(argument(name))
end

--- The value at a path, where anything on the way may be missing.
function expressions.at(path)
  local names = { "answer" }
  for position, name in ipairs(path) do names[position + 1] = argument(name) end
  return ("at(%s)"):format(table.concat(names, ", "))
end

--- The value at a path that has to be there.
function expressions.chain(path)
  local text = "answer"
  for _, name in ipairs(path) do text = text .. expressions.step(name) end
  return text
end

-- The same where what is around it may be missing: an answer of another kind is told of in words.
local function guarded(path)
  local parts, text = {}, "answer"
  for _, name in ipairs(path) do
    text = text .. expressions.step(name)
    parts[#parts + 1] = text
  end
  return #parts > 0 and table.concat(parts, " and ") or text
end

-- What only pages have, beside the list that an empty one may leave out: what leads on, or the object around it.
local function envelope(way) return way and way.path and expressions.chain { way.path[1] } end

--- The lines that find the items.
function expressions.items(spec, way)
  if spec.kind == "missing" then
    return { ("if %s ~= 0 then"):format(expressions.at(spec.zero)), '  error("there are items now: have this script made again", 0)',
      "end", "local items = {}" }
  end
  local value = guarded(spec.path)
  local place = quoted(places.shown(spec.path))
  if spec.kind == "map" then return { ("local items = values(%s, %s)"):format(value, place) } end
  local page = (spec.isGiven or #spec.path == 1 and spec.kind == "list") and envelope(way)
  -- Where a person says where the list is, an answer that leads nowhere may say that there is nothing.
  if spec.isGiven then page = page and page .. " or answer" or "answer" end
  local list = ("list(%s, %s%s)"):format(value, place,
    (#spec.path > 0 and ", answer" or "") .. (page and page ~= value and ", " .. page or ""))
  if spec.kind == "edges" then return { ("local items = nodes(%s)"):format(list) } end
  if spec.kind ~= "rows" then return { "local items = " .. list } end
  if spec.columns == "first" then
    return { "local rows = " .. list, "local items = named(table.move(rows, 2, #rows, 1, {}), rows[1])" }
  end
  return { ("local items = named(%s%s)"):format(list, spec.columns and ", " .. expressions.at(spec.columns) or "") }
end

--- The number of all items.
function expressions.total(spec)
  if not spec then return nil end
  if spec.isRange then return '(response.headers["content-range"] or ""):match("/(%d+)%s*$")' end
  if spec.header then return ("response.headers[%s]"):format(quoted(spec.header:lower())) end
  return #spec.path == 1 and expressions.chain(spec.path) or expressions.at(spec.path)
end

--- The same as a number, where it is written as a text.
function expressions.number(spec)
  local text = expressions.total(spec)
  if spec.isText then return ('tonumber((tostring(%s):gsub(",", "")))'):format(text) end
  return (spec.header or spec.isRange) and ("tonumber(%s)"):format(text) or text
end

return expressions
