-- A header with 200,000 values took the host half a minute
local values = {}
for i = 1, 200000 do values[i] = i end
print(pcall(lookahead.http.get, "http://127.0.0.1:1/", { headers = { a = values } }))
print(pcall(lookahead.http.get, "http://127.0.0.1:1/", { query = { a = values } }))
