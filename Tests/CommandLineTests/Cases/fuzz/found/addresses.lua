-- Addresses of Lua's objects were shown
for _, value in ipairs { {}, print, coroutine.create(print), lookahead, lookahead.http.get, lookahead.null } do
  print(value, tostring(value), pcall(string.format, "%p", value), pcall(string.format, "%s", value))
  print(pcall(error, value), pcall(lookahead.log.warn, "value", { value = value }))
end
