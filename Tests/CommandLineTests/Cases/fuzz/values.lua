-- Values that nobody expects, by name. The fuzzer writes one into each place where the API takes a value;
-- each call makes a new one.
local nasty = {}

nasty["nil"] = function() return nil end
nasty["false"] = function() return false end
nasty["true"] = function() return true end
nasty["0"] = function() return 0 end
nasty["-1"] = function() return -1 end
nasty["1"] = function() return 1 end
nasty["2^31 - 1"] = function() return 0x7fffffff end
nasty["2^31"] = function() return 0x80000000 end
nasty["2^32"] = function() return 1 << 32 end
nasty["2^53"] = function() return 1 << 53 end
nasty["2^53 + 1"] = function() return (1 << 53) + 1 end
nasty["2^62"] = function() return 1 << 62 end
nasty["maxinteger"] = function() return math.maxinteger end
nasty["maxinteger - 1"] = function() return math.maxinteger - 1 end
nasty["mininteger"] = function() return math.mininteger end
nasty["mininteger + 1"] = function() return math.mininteger + 1 end
nasty["a half"] = function() return 0.5 end
nasty["minus nothing"] = function() return -0.0 end
nasty["1e-320"] = function() return 1e-320 end
nasty["1e-9"] = function() return 1e-9 end
nasty["2.0^63"] = function() return 2.0 ^ 63 end
nasty["-2.0^63"] = function() return -2.0 ^ 63 end
nasty["1e15"] = function() return 1e15 end
nasty["1e308"] = function() return 1e308 end
nasty["-1e308"] = function() return -1e308 end
nasty["huge"] = function() return math.huge end
nasty["-huge"] = function() return -math.huge end
nasty["nan"] = function() return 0 / 0 end

nasty["empty text"] = function() return "" end
nasty["NUL"] = function() return "\0" end
nasty["text with NUL"] = function() return "a\0b" end
nasty["wrong UTF-8"] = function() return "\xff\xfe\x80 \xed\xa0\x80 \xf4\x90\x80\x80" end
nasty["half a letter"] = function() return "caf\xc3" end
nasty["combining marks"] = function() return ("e" .. ("\u{301}"):rep(300)) end
nasty["escape sequences"] = function() return "\27]52;c;aGVsbG8=\7\27[2J\u{9b}31m\u{202e}\r\8" end
nasty["1 MB"] = function() return ("x"):rep(1 << 20) end
nasty["1 MB of brackets"] = function() return ("["):rep(1 << 20) end
nasty["64 KB of quotes"] = function() return ("\""):rep(1 << 16) end
nasty["a number as text"] = function() return "9223372036854775808" end
nasty["22 digits"] = function() return "1111111111111111111111" end
nasty["nan as text"] = function() return "nan" end
nasty["a way up"] = function() return "../../../../../../etc/passwd" end
nasty["an absolute path"] = function() return "/etc/passwd" end
nasty["a device"] = function() return "/dev/zero" end
nasty["a process"] = function() return "/proc/self/mem" end
nasty["a folder"] = function() return "." end
nasty["a sparse file"] = function() return "sparse.bin" end
nasty["a pipe"] = function() return "pipe" end
nasty["a memory database"] = function() return ":memory:" end
nasty["a database URL"] = function() return "file:small.db?mode=memory&cache=shared" end
nasty["formats"] = function() return "%s%n%p%99999999d%c%%%" end
nasty["a hostile pattern"] = function() return ("a?"):rep(28) .. ("a"):rep(28) end
nasty["an unclosed pattern"] = function() return "%f[%b(" end
nasty["a file URL"] = function() return "file:///etc/passwd" end
nasty["a URL without host"] = function() return "http://" end
nasty["a URL with a huge port"] = function() return "http://127.0.0.1:99999999999/" end
nasty["a URL with a login"] = function() return "http://user:pass@[::1]:0/%00?#\r\nX: y" end
nasty["a gopher URL"] = function() return "gopher://127.0.0.1:25/_HELO" end
nasty["SQL that never ends"] = function() return "with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n" end
nasty["SQL of rows without end"] = function() return "with recursive n(i) as (select 1 union all select i + 1 from n) select i, zeroblob(100000) from n" end
nasty["SQL of one huge value"] = function() return "select zeroblob(1000000000), randomblob(500000000)" end
nasty["SQL with a pragma"] = function() return "pragma temp_store_directory = '/etc'" end
nasty["SQL that attaches"] = function() return "attach '/etc/passwd' as p" end
nasty["SQL with many names"] = function() return "select ?, ?1, :a, @b, $c, ?999999" end
nasty["SQL nested deeply"] = function() return "select " .. ("("):rep(50000) .. "1" .. (")"):rep(50000) end
nasty["two statements"] = function() return "select 1; drop table items; select 2" end
nasty["a policy by name"] = function() return "anyOf(anyOf(leadingScreens(1e-320),ramp),atMost(-1,ramp))" end
nasty["a policy nested deeply"] = function() return ("notWhile("):rep(20000) .. "ramp" .. (",ramp)"):rep(20000) end
nasty["a huge law"] = function() return "fling:items=9223372036854775807,speed=1e308,far=nan" end
nasty["a law of latencies"] = function() return "lognormal:1e308,-1e308,bandwidth=0,bytesPerItem=1e308" end
nasty["a time"] = function() return "999999999999-99-99T99:99:99.999999999999999999999+99:99" end
nasty["JSON of numbers"] = function() return "[1e999, -1e999, 123456789012345678901234567890, -0, 1E-999]" end
nasty["CSV"] = function() return "a,a,,\"\n\"\"x\",\0,\r\r\n" end

nasty["null"] = function() return lookahead.null end
nasty["the library"] = function() return lookahead end
nasty["a host function"] = function() return lookahead.http.get end
nasty["a function of Lua"] = function() return string.rep end
nasty["a plain function"] = function() return function(...) return ... end end
nasty["a function of nothing"] = function() return function() end end
nasty["a waiting function"] = function() return function(...) lookahead.sleep(0.001) return ... end end
nasty["an erring function"] = function() return function() error(setmetatable({}, { __tostring = function() error("twice") end })) end end
nasty["a function that raises nil"] = function() return function() error(nil) end end
nasty["a function that raises itself"] = function() local function f() error(f) end return f end
nasty["a recursing function"] = function() local function f(...) return 1 + f(...) end return f end
nasty["a function that never ends"] = function() return function() while true do end end end
nasty["a function of many values"] = function() return function() return table.unpack({}, 1, 200000) end end
nasty["a coroutine"] = function() return coroutine.create(function() coroutine.yield(1) end) end
nasty["a dead coroutine"] = function() local c = coroutine.create(function() end) coroutine.resume(c) return c end
nasty["the running coroutine"] = function() return (coroutine.running()) end
nasty["a wrapped coroutine"] = function() return coroutine.wrap(function(...) while true do coroutine.yield(...) end end) end

nasty["empty table"] = function() return {} end
nasty["a list"] = function() return { 1, 2, 3 } end
nasty["a list with holes"] = function() return { 1, nil, 3, nil, nil, 6 } end
nasty["a list of nasty numbers"] = function() return { math.mininteger, -1, 0, 0.5, 1e308, 0 / 0, math.maxinteger } end
nasty["a list of nasty values"] = function() return { false, "", "\0", {}, print, lookahead.null, coroutine.create(print) } end
nasty["a list of lists"] = function() return { { 1, 1 }, { 1, 1 }, { math.maxinteger, math.mininteger }, { 1 }, {}, { 1, 2, 3 } } end
nasty["odd keys"] = function() return { [-1] = 1, [0] = 2, [math.mininteger] = 3, [0.5] = 4, [true] = 5, ["\0"] = 6, [""] = 7 } end
nasty["keys that are tables"] = function() return { [{}] = {}, [print] = print } end
nasty["a sparse table"] = function() return { [1] = 1, [1 << 20] = 2, [math.maxinteger] = 3 } end
nasty["a huge list"] = function() local t = {} for i = 1, 200000 do t[i] = i end return t end
nasty["many keys"] = function() local t = {} for i = 1, 50000 do t["k" .. i] = i end return t end
nasty["many equal items"] = function() local t = {} for i = 1, 20000 do t[i] = { id = i // 2 } end return t end
nasty["a cyclic table"] = function() local t = { id = 1 } t.t = t t[1] = t return t end
nasty["a doubly linked table"] = function() local t = { id = 1 } for _ = 1, 40 do t = { a = t, b = t, id = 1 } end return t end
nasty["a doubly linked list"] = function() local t = { 1 } for _ = 1, 40 do t = { t, t } end return t end
nasty["a deep table"] = function() local t = { id = 1 } for _ = 1, 200000 do t = { t } end return t end
nasty["a deep table of names"] = function() local t = { id = 1 } for _ = 1, 200000 do t = { items = t, id = 1 } end return t end
nasty["a forged item"] = function() return { id = 0x41414141, type = 0x42424242, parts = { 1, 2, 0x43434343 } } end
nasty["keys without end"] = function() return setmetatable({}, { __index = function(_, key) return key end }) end
nasty["an __index that errs"] = function() return setmetatable({}, { __index = function() error("no") end }) end
nasty["an __index that waits"] = function() return setmetatable({}, { __index = function() lookahead.sleep(0.001) return 1 end }) end
nasty["an __index that is itself"] = function() local t = {} return setmetatable(t, { __index = function(_, key) return t[key] end }) end
nasty["a __newindex that errs"] = function() return setmetatable({}, { __newindex = function() error("no") end }) end
nasty["a huge __len"] = function() return setmetatable({ 1 }, { __len = function() return math.maxinteger end }) end
nasty["a negative __len"] = function() return setmetatable({ 1 }, { __len = function() return -1 end }) end
nasty["a long __len"] = function() return setmetatable({ 1 }, { __len = function() return 10000000 end, __index = function(_, i) return i end }) end
nasty["a __len that is text"] = function() return setmetatable({ 1 }, { __len = function() return "three" end }) end
nasty["a __len that grows"] = function() local n = 0 return setmetatable({ 1 }, { __len = function() n = n + 1 return n end }) end
nasty["a __pairs that changes its mind"] = function()
  local turn = 0
  return setmetatable({ id = 1 }, { __pairs = function(t)
    turn = turn + 1
    local other = turn % 2 == 1 and { name = "a", id = "id" } or { name = 0x41414141, fetch = 7, seed = 0x42424242, parts = { 3 } }
    return next, other, nil
  end })
end
nasty["a __pairs without end"] = function() return setmetatable({}, { __pairs = function() return function(_, n) return (n or 0) + 1, n end end }) end
nasty["a __pairs that errs"] = function() return setmetatable({}, { __pairs = function() error("no") end }) end
nasty["a __tostring that errs"] = function() return setmetatable({}, { __tostring = function() error("no") end }) end
nasty["a __tostring that waits"] = function() return setmetatable({}, { __tostring = function() lookahead.sleep(0.001) return "late" end }) end
nasty["a __tostring that is a number"] = function() return setmetatable({}, { __tostring = function() return 5 end }) end
nasty["a __tostring that changes the table"] = function()
  local t = {}
  for i = 1, 40 do
    t["k" .. i] = setmetatable({}, { __tostring = function()
      for k in next, t do t[k] = nil end
      for j = 1, 200 do t["new" .. i .. "-" .. j] = j end
      return "x"
    end })
  end
  return t
end
nasty["metamethods that wait"] = function()
  local function late() lookahead.sleep(0.001) return 1 end
  return setmetatable({}, { __index = late, __len = late, __eq = late, __lt = late, __le = late, __call = late, __concat = late, __unm = late })
end
nasty["a callable table"] = function() return setmetatable({}, { __call = function(self, ...) return self, ... end }) end
nasty["a table that calls itself"] = function() local t = {} return setmetatable(t, { __call = t }) end
nasty["a chain of __call"] = function() local t = print for _ = 1, 300 do t = setmetatable({}, { __call = t }) end return t end
nasty["a __name"] = function() return setmetatable({}, { __name = "Source", __metatable = "Source" }) end
nasty["a __name that is a table"] = function() return setmetatable({}, { __name = {}, __metatable = false }) end
nasty["a __mode"] = function() return setmetatable({ {}, {}, id = {} }, { __mode = "kv" }) end
nasty["a __gc"] = function() return select(2, pcall(setmetatable, {}, { __gc = function() error("gc") end })) end
nasty["a late __gc"] = function() local m = {} local t = setmetatable({}, m) pcall(function() m.__gc = function() while true do end end end) return t end
nasty["a __close"] = function() return setmetatable({}, { __close = function() error("closing") end }) end
nasty["a table with the string's metatable"] = function() return setmetatable({}, getmetatable("") or {}) end
nasty["a stolen metatable"] = function() local ok, t = pcall(function() return setmetatable({}, getmetatable(lookahead.source { fetch = print })) end) return ok and t or {} end
