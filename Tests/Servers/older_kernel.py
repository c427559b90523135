"""Runs a command as a kernel would that has neither Landlock nor filters: python3 older_kernel.py CALLS COMMAND…

CALLS is `landlock` or `all`. Their numbers are the same on x86-64 and aarch64, but for seccomp's.
"""
import ctypes
import os
import struct
import sys

NO_SUCH_CALL = 0x00050000 | 38
ALLOWED = 0x7FFF0000

calls = [444, 445, 446]
if sys.argv[1] == "all":
    calls.append(317 if os.uname().machine == "x86_64" else 277)

steps = [struct.pack("HBBI", 0x20, 0, 0, 0)]
for call in calls:
    steps.append(struct.pack("HBBI", 0x15, 0, 1, call))
    steps.append(struct.pack("HBBI", 0x06, 0, 0, NO_SUCH_CALL))
steps.append(struct.pack("HBBI", 0x06, 0, 0, ALLOWED))
program = ctypes.create_string_buffer(b"".join(steps))
filter = ctypes.create_string_buffer(struct.pack("HxxxxxxP", len(steps), ctypes.addressof(program)))
libc = ctypes.CDLL(None, use_errno=True)
libc.prctl(38, 1, 0, 0, 0)
if libc.prctl(22, 2, ctypes.c_void_p(ctypes.addressof(filter)), 0, 0) != 0:
    sys.exit("no filter: " + os.strerror(ctypes.get_errno()))
os.execvp(sys.argv[2], sys.argv[2:])
