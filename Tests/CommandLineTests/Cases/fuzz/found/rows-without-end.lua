-- A query of rows without end took all memory
local database = lookahead.sqlite.open("small.db")
print(pcall(database.query, database, [[
  with recursive n(i) as (select 1 union all select i + 1 from n) select i, zeroblob(100000) from n]]))
