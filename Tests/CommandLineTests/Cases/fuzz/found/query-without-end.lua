-- A query that never ends passed the limit of processor time
local database = lookahead.sqlite.open("small.db")
print(pcall(database.query, database, [[
  with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n]]))
