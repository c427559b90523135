/* The yardstick: a policy called from C with nothing in between. */
#ifndef RAW_LUA_H
#define RAW_LUA_H

/* Nanoseconds for one decision of `source` (a chunk that returns the policy function), the six fields set with lua_setfield
 * in a table that is reused, the function kept in the registry, called with lua_pcall. */
double raw_lua_decision(const char *source, long rounds);

#endif
