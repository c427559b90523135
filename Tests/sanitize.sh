#!/usr/bin/env bash
# Runs tests with AddressSanitizer and UndefinedBehaviorSanitizer over all C and C++ targets, and the fuzzer's short form
# under valgrind: Tests/sanitize.sh [address|memcheck] [what --filter takes]
# Both runtimes come with the Swift toolchain; memcheck needs the package valgrind.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
kind="${1-address}"
export FUZZ_SANITIZED=1

case "$kind" in
  address)
    # A finding ends the process by a signal, so that every test that runs the program sees it.
    export ASAN_OPTIONS=detect_leaks=0:abort_on_error=1:detect_stack_use_after_return=0
    export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
    swift test --scratch-path .build/asan --disable-xctest --sanitize=address \
      -Xcc -fsanitize=undefined -Xcc -fno-sanitize=vptr,function -Xcc -fno-sanitize-recover=undefined \
      -Xcc -fno-omit-frame-pointer \
      --filter "${2-LuaTests|ScriptingTests|HostingTests|TerminalTests|APIFuzzTests}"
    ;;
  memcheck)
    command -v valgrind >/dev/null || { echo "valgrind is missing: apt-get install valgrind" >&2; exit 1; }
    swift build --build-tests
    # Valgrind cannot read the debugging information of Swift, so it gets a copy without.
    plain="$(swift build --show-bin-path)/lookahead-plain"
    objcopy --strip-debug "$(swift build --show-bin-path)/lookahead" "$plain"
    export FUZZ_BINARY="$plain"
    export FUZZ_BELOW="valgrind --quiet --error-exitcode=70 --suppressions=$PWD/Tests/valgrind.supp"
    swift test --skip-build --filter "${2-APIFuzzTests}"
    ;;
  *)
    echo "usage: Tests/sanitize.sh [address|memcheck] [filter]" >&2
    exit 64
    ;;
esac
