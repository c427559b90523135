-- One value of a gigabyte was made by a query, whatever the limits said
local database = lookahead.sqlite.open("small.db", { readOnly = false })
print(pcall(database.query, database, "select zeroblob(1000000000), randomblob(500000000)"))
print(pcall(database.execute, database, "select zeroblob(1000000000), randomblob(500000000)"))
