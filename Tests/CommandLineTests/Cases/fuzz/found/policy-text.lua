-- A policy as a text nested 20,000 deep overflowed the reader's stack
local text = ("notWhile("):rep(20000) .. "ramp" .. (",ramp)"):rep(20000)
print(pcall(lookahead.policy.anyOf, text))
print(pcall(lookahead.experiment, { policies = text }))
