-- A line of a file of 20 GB was read whole
print(pcall(function() for row in lookahead.csv.rows("sparse.bin") do print(row) end end))
print(pcall(function() for line in lookahead.fs.lines("sparse.bin") do print(#line) end end))
print(pcall(lookahead.fs.read, "sparse.bin"))
