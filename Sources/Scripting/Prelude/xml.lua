-- XML as data: elements with their names, attributes, texts and children.
local host, lookahead = ...
local checks = host.checks

local Element = { __name = "lookahead.element", __metatable = false }
local methods = {}
Element.__index = methods

local function check(call, element, name)
  host.checkSelf(type(element) == "table" and host.metatable(element) == Element, call, "an element")
  host.checkArgument(call, 1, name, checks.string)
end

--- The children of that name, in order; none, one or many are a list.
function methods:all(name)
  check("element:all", self, name)
  local found = {}
  for _, child in ipairs(self.children) do
    if child.name == name then found[#found + 1] = child end
  end
  return found
end

--- The first child of that name, or nil.
function methods:first(name)
  check("element:first", self, name)
  for _, child in ipairs(self.children) do
    if child.name == name then return child end
  end
end

--- The text of the first child of that name, or nil.
function methods:value(name)
  check("element:value", self, name)
  for _, child in ipairs(self.children) do
    if child.name == name then return child.text end
  end
end

local function element(parts)
  local children = parts[4]
  for position, child in ipairs(children) do children[position] = element(child) end
  return setmetatable({ name = parts[1], attributes = parts[2], text = parts[3], children = children }, Element)
end

lookahead.xml = {}

--- The root element of a text.
function lookahead.xml.decode(text)
  host.checkArgument("xml.decode", 1, text, checks.string)
  local parts, message, line, column = host.xmlDecode(text)
  if not message then return element(parts) end
  error(host.failure {
    code = "parse", line = line, column = column,
    message = "xml.decode: " .. host.jsonPlace(message, line, column),
  }, 0)
end
