-- A FIFO without a peer held up the host
print(pcall(lookahead.fs.read, "pipe"))
print(pcall(lookahead.fs.write, "pipe", "text"))
print(pcall(lookahead.sqlite.open, "pipe"))
