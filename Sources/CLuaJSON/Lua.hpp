#pragma once

extern "C" {
#include <lua5.4/lauxlib.h>
#include <lua5.4/lua.h>
}
