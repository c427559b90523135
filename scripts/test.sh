#!/usr/bin/env bash
# Installs what is missing, builds, and runs every test. Arguments go to swift test: scripts/test.sh --filter PagingTests
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
scripts/bootstrap.sh --tests
swift test "$@"
