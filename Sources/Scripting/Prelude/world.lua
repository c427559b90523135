-- The world besides HTTP: JSON, databases, files, CSV, texts, time, the log, the environment.
local host, lookahead = ...
local checks = host.checks

local function raise(code, message, fields)
  fields = fields or {}
  fields.code, fields.message = code, message
  error(host.failure(fields), 0)
end

function host.jsonPlace(message, line, column)
  if line then return ("line %d, column %d: %s"):format(line, column or 1, message) end
  return message
end

local json = {}
lookahead.json = json

--- A text to a value; 64-bit integers stay integers.
function json.decode(text)
  host.checkArgument("json.decode", 1, text, checks.string)
  local value, message, line, column = host.jsonDecode(text)
  if message then
    raise("parse", "json.decode: " .. host.jsonPlace(message, line, column), { line = line, column = column })
  end
  return value
end

--- A value to a text; `{ pretty = true }` writes lines.
function json.encode(value, given)
  given = host.check("json.encode", { pretty = checks.boolean }, given or {})
  return host.jsonEncode(value, given.pretty)
end

--- Marks a table as a list, so that an empty one is written as [].
function json.array(list)
  host.checkArgument("json.array", 1, list, checks.table)
  return host.jsonArray(list)
end

local Database = { __name = "lookahead.database", __metatable = false }
Database.__index = Database

local sqlite = {}
lookahead.sqlite = sqlite

--- Opens a database file; read-only unless told otherwise.
function sqlite.open(path, given)
  host.checkArgument("sqlite.open", 1, path, checks.string)
  given = host.check("sqlite.open", { readOnly = checks.boolean }, given or {})
  return setmetatable({ handle = host.openDatabase(path, given.readOnly ~= false), path = path }, Database)
end

local function statement(what, database, sql, parameters)
  if not rawget(database, "handle") then host.misuse("%s: the database %s is closed", what, database.path) end
  host.checkArgument(what, 1, sql, checks.string)
  if parameters ~= nil then host.checkArgument(what, 2, parameters, checks.table) end
  return database.handle, sql, parameters
end

--- All rows of a query.
function Database:query(sql, parameters)
  return host.query(statement("db:query", self, sql, parameters))
end

--- Iterates over the rows of a query.
function Database:rows(sql, parameters)
  local cursor = host.openRows(statement("db:rows", self, sql, parameters))
  local rows, position, count, isEnd = nil, 0, 0, false
  local function advance()
    while position >= count do
      if isEnd then return nil end
      rows, isEnd = host.nextRows(cursor, 500)
      count, position = #rows, 0
    end
    position = position + 1
    return rows[position]
  end
  return advance, nil, nil, setmetatable({}, { __close = function() host.closeHandle(cursor) end })
end

--- Runs a statement; returns the number of rows changed.
function Database:execute(sql, parameters)
  return host.execute(statement("db:execute", self, sql, parameters))
end

--- Closes the database; a second time is harmless.
function Database:close()
  local handle = rawget(self, "handle")
  self.handle = false
  if handle then host.closeHandle(handle) end
end

local fs = {}
lookahead.fs = fs
local path = checks.string

for name, call in pairs { read = host.readFile, exists = host.fileExists, list = host.listFiles } do
  fs[name] = function(file)
    host.checkArgument("fs." .. name, 1, file, path)
    return call(file)
  end
end

--- Replaces a file.
function fs.write(file, text)
  host.checkArgument("fs.write", 1, file, path)
  host.checkArgument("fs.write", 2, text, checks.string)
  host.writeFile(file, text)
end

-- Lines in portions, as an iterator with its closer.
local function portions(file)
  local handle = host.openLines(file)
  local isEnd = false
  local function advance()
    if isEnd then return nil end
    local lines
    lines, isEnd = host.nextLines(handle, 1000)
    return lines
  end
  return advance, setmetatable({}, { __close = function() host.closeHandle(handle) end })
end

--- Iterates over the lines of a file, without their ends.
function fs.lines(file)
  host.checkArgument("fs.lines", 1, file, path)
  local following, closer = portions(file)
  local lines, position, count = nil, 0, 0
  local function advance()
    while position >= count do
      lines = following()
      if not lines then return nil end
      position, count = 0, #lines
    end
    position = position + 1
    return lines[position]
  end
  return advance, nil, nil, closer
end

local csv = {}
lookahead.csv = csv
local csvKeys = { separator = checks.string, header = checks.boolean, columns = checks.table }

--- A text to rows: tables by the names of the first line, or lists with `header = false`.
function csv.decode(text, given)
  host.checkArgument("csv.decode", 1, text, checks.string)
  given = host.check("csv.decode", csvKeys, given or {})
  local reader = host.csvReader(given.separator or ",", given.header ~= false, given.columns)
  return host.csvRead(reader, text, true)
end

--- Iterates over the rows of a file.
function csv.rows(file, given)
  host.checkArgument("csv.rows", 1, file, path)
  given = host.check("csv.rows", csvKeys, given or {})
  local reader = host.csvReader(given.separator or ",", given.header ~= false, given.columns)
  local following, closer = portions(file)
  local rows, position, count, isEnd = nil, 0, 0, false
  local function advance()
    while position >= count do
      if isEnd then return nil end
      local lines = following()
      isEnd = lines == nil
      rows = host.csvRead(reader, lines and table.concat(lines, "\n") .. "\n" or "", isEnd)
      position, count = 0, #rows
    end
    position = position + 1
    return rows[position]
  end
  return advance, nil, nil, closer
end

--- Rows to a text with a first line of names; `columns` sets their order.
function csv.encode(rows, given)
  host.checkArgument("csv.encode", 1, rows, checks.table)
  given = host.check("csv.encode", csvKeys, given or {})
  return host.csvEncode(rows, given.separator or ",", given.header ~= false, given.columns)
end

lookahead.url = {
  encode = host.urlEncode, decode = host.urlDecode, join = host.urlJoin, parse = host.urlParse,
}
lookahead.base64 = { encode = host.base64Encode, decode = host.base64Decode }
lookahead.hash = { sha256 = host.sha256, hmacSha256 = host.hmacSha256 }
lookahead.time = { iso = host.timeISO, parse = host.timeParse }

lookahead.log = {}
for _, level in ipairs { "debug", "info", "warn", "error" } do
  lookahead.log[level] = function(message, fields)
    if fields ~= nil then host.checkArgument("log." .. level, 2, fields, checks.table) end
    host.log(level, tostring(message), fields)
  end
end

lookahead.env = {}

--- A variable of the environment, or nil.
function lookahead.env.get(name)
  host.checkArgument("env.get", 1, name, checks.string)
  return host.environment(name)
end
