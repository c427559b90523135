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

local pageKeys = { at = checks.string, key = checks.table, size = checks.atLeast(1) }

--- A page of the list in a file, with the key of the next: what a fetch handler returns.
function json.page(file, given)
  host.checkArgument("json.page", 1, file, checks.string)
  given = host.check("json.page", pageKeys, given or {})
  local at, path = {}, given.at or ""
  if path:sub(1, 1) == "/" then
    -- A JSON Pointer (RFC 6901), for names with dots.
    for name in path:gmatch("/([^/]*)") do at[#at + 1] = (name:gsub("~1", "/"):gsub("~0", "~")) end
  else
    for name in path:gmatch("[^.]+") do at[#at + 1] = name end
  end
  local items, nextKey = host.listPage(file, at, given.key, given.size or 1000)
  return { items = items, nextKey = nextKey }
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

local function isTable(value) if type(value) ~= "table" then return "a table" end end

--- The members of a table under other names, as those of a row under its columns': numbers keep the digits that they came with.
function json.renamed(given, names)
  host.checkArgument("json.renamed", 1, given, isTable)
  host.checkArgument("json.renamed", 2, names, isTable)
  local renamed, wrong = host.renamed(given, names)
  if not renamed then host.misuse("json.renamed: names: expected texts, got %s", host.shown(wrong)) end
  return renamed
end

-- An iterator over the elements of portions: `portion` waits and returns a list and whether it was the last.
local function elements(call, portion)
  local list, position, count = nil, 0, 0
  local isEnd, isWaiting = false, false
  return function()
    while position >= count do
      if isEnd then return nil end
      if isWaiting then host.misuse("%s: another task waits in this loop: give each task a loop of its own", call) end
      isWaiting = true
      local isRight
      isRight, list, isEnd = pcall(portion)
      isWaiting = false
      if not isRight then error(list, 0) end
      position, count = 0, #list
    end
    position = position + 1
    return list[position]
  end
end

-- What a for loop gets: the iterator, and the closing of a handle when the loop ends, however it ends.
local function loop(iterator, handle)
  return iterator, nil, nil, setmetatable({}, { __close = function() host.closeHandle(handle) end })
end

local Database = { __name = "lookahead.database", __metatable = false }
local databaseMethods = {}

-- What is behind each database: its path, and the host's handle; false when it is closed.
local opened = setmetatable({}, { __mode = "k" })

function Database.__index(database, key)
  if key == "path" then return opened[database].path end
  return databaseMethods[key]
end

function Database.__newindex() host.misuse("a database cannot be changed by its fields") end
function Database.__tostring(database) return "database: " .. opened[database].path end

local function behind(what, database)
  host.checkSelf(database ~= nil and opened[database], what, "a database")
  return opened[database]
end

local sqlite = {}
lookahead.sqlite = sqlite

--- Opens a database file; read-only unless told otherwise.
function sqlite.open(path, given)
  host.checkArgument("sqlite.open", 1, path, checks.string)
  given = host.check("sqlite.open", { readOnly = checks.boolean }, given or {})
  local database = setmetatable({}, Database)
  opened[database] = { handle = host.openDatabase(path, given.readOnly ~= false), path = path }
  return database
end

local connect = { readOnly = checks.boolean, timeout = checks.positive }

local database = {}
lookahead.database = database

--- Opens a database by its address; read-only unless told otherwise.
function database.open(address, given)
  host.checkArgument("database.open", 1, address, checks.string)
  given = host.check("database.open", connect, given or {})
  local handle = host.connectDatabase(address, given.readOnly ~= false, given.timeout)
  local shown = address:gsub("//.*@", "//"):gsub("^(adbc:[^?]*).*", "%1")
  local made = setmetatable({}, Database)
  opened[made] = { handle = handle, path = shown }
  return made
end

local function statement(what, database, sql, parameters)
  local held = behind(what, database)
  if not held.handle then host.misuse("%s: the database %s is closed", what, held.path) end
  host.checkArgument(what, 1, sql, checks.string)
  if parameters ~= nil then host.checkArgument(what, 2, parameters, checks.table) end
  return held.handle, sql, parameters
end

--- All rows of a query.
function databaseMethods:query(sql, parameters)
  return host.query(statement("db:query", self, sql, parameters))
end

--- Iterates over the rows of a query.
function databaseMethods:rows(sql, parameters)
  local cursor = host.openRows(statement("db:rows", self, sql, parameters))
  return loop(elements("db:rows", function() return host.nextRows(cursor, 500) end), cursor)
end

--- Runs a statement; returns the number of rows changed.
function databaseMethods:execute(sql, parameters)
  return host.execute(statement("db:execute", self, sql, parameters))
end

--- Closes the database; a second time is harmless.
function databaseMethods:close()
  local held = behind("db:close", self)
  local handle = held.handle
  held.handle = false
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

--- Iterates over the lines of a file, without their ends.
function fs.lines(file)
  host.checkArgument("fs.lines", 1, file, path)
  local handle = host.openLines(file)
  return loop(elements("fs.lines", function() return host.nextLines(handle, 1000) end), handle)
end

local csv = {}
lookahead.csv = csv
local csvKeys = { separator = checks.string, header = checks.boolean, columns = checks.table }
local csvReadKeys = {
  separator = checks.string, header = checks.boolean, columns = checks.table, encoding = checks.string, ragged = checks.boolean,
}

-- A reader with the options that were given; names that were given take the place of a first line only where there is one.
local function csvReader(what, given)
  local hasHeader = given.header
  if hasHeader == nil then hasHeader = given.columns == nil end
  return host.csvReader(
    given.separator or ",", hasHeader, given.columns, given.encoding or "utf-8", given.ragged, what)
end

--- A text to rows: tables by the names of the first line, or lists with `header = false`.
function csv.decode(text, given)
  host.checkArgument("csv.decode", 1, text, checks.string)
  given = host.check("csv.decode", csvReadKeys, given or {})
  return host.csvRead(csvReader("csv.decode", given), text, true)
end

--- Iterates over the rows of a file.
function csv.rows(file, given)
  host.checkArgument("csv.rows", 1, file, path)
  given = host.check("csv.rows", csvReadKeys, given or {})
  local reader = csvReader("csv.rows: " .. file, given)
  local handle = host.openLines(file, true)
  local function portion()
    local lines, isEnd = host.nextLines(handle, 1000)
    return host.csvRead(reader, table.concat(lines), isEnd), isEnd
  end
  return loop(elements("csv.rows", portion), handle)
end

--- Rows to a text with a first line of names; `columns` sets their order.
function csv.encode(rows, given)
  host.checkArgument("csv.encode", 1, rows, checks.list)
  given = host.check("csv.encode", csvKeys, given or {})
  return host.csvEncode(rows, given.separator or ",", given.header ~= false, given.columns)
end

lookahead.url = {
  encode = host.urlEncode, decode = host.urlDecode, join = host.urlJoin, parse = host.urlParse,
}
lookahead.base64 = { encode = host.base64Encode, decode = host.base64Decode }

local hash = {}
lookahead.hash = hash
local hashKeys = { raw = checks.boolean }

-- A digest in hexadecimal, or its bytes, and its HMAC, which may be the key of another.
local function digest(name, algorithm, isKeyed, key, bytes, given)
  if isKeyed then host.checkArgument(name, 1, key, checks.string) end
  host.checkArgument(name, isKeyed and 2 or 1, bytes, checks.string)
  return host.digest(algorithm, key, bytes, host.check(name, hashKeys, given or {}).raw)
end

for algorithm, keyed in next, { md5 = "hmacMd5", sha1 = "hmacSha1", sha256 = "hmacSha256", sha384 = "hmacSha384", sha512 = "hmacSha512" } do
  hash[algorithm] = function(bytes, given) return digest("hash." .. algorithm, algorithm, false, nil, bytes, given) end
  hash[keyed] = function(key, bytes, given) return digest("hash." .. keyed, algorithm, true, key, bytes, given) end
end

lookahead.time = { iso = host.timeISO, parse = host.timeParse }

lookahead.log = {}
for _, level in ipairs { "debug", "info", "warn", "error" } do
  lookahead.log[level] = function(message, fields)
    if fields ~= nil then host.checkArgument("log." .. level, 2, fields, checks.table) end
    host.log(level, host.plainText(message), fields)
  end
end

lookahead.env = {}

--- A variable of the environment, or nil.
function lookahead.env.get(name)
  host.checkArgument("env.get", 1, name, checks.string)
  return host.environment(name)
end
