-- Parameters of SQL at odd places trapped, or were as many as their last place says
local database = lookahead.sqlite.open("small.db")
for _, parameters in ipairs { { [-1] = 1 }, { [1] = 1, [1 << 20] = 2 }, { [1] = 1, [math.maxinteger] = 3 } } do
  print(pcall(database.query, database, "select ?", parameters))
end
