#!/bin/bash
# Reads the partitions of a script with several workers of this machine, by GNU parallel, and collects the parts.
#
#   scripts/engines/parallel.sh feed.lua all/ 4 -e days=30 --allow-net
#
# Each worker gets sixteen partitions, then another one the next sixteen; a worker that fails is tried three times in all, and what was
# done before is not read again. Started once more, it goes on. With machines in ~/.parallel/sshloginfile, and all/ and the script
# on a file system that they share, `parallel --sshloginfile ..` spreads the same work over them.
set -euo pipefail

if [ $# -lt 3 ]; then
  echo "usage: $0 SCRIPT FOLDER/ WORKERS [OPTIONS of lookahead work and partitions]" >&2
  exit 64
fi
script=$1 folder=${2%/}/ workers=$3
shift 3
lookahead=${LOOKAHEAD:-lookahead}

mkdir -p "$folder"
# The list is the order of the work, and what `collect` looks for.
"$lookahead" partitions "$script" "$@" > "$folder/partitions.new"
mv "$folder/partitions.new" "$folder/partitions.ndjson"

status=0
parallel --pipe -N 16 --jobs "$workers" --retries 3 --line-buffer --halt soon,fail=1 --quote \
  "$lookahead" work "$script" -o "$folder" --parts "$@" < "$folder/partitions.ndjson" || status=$?

"$lookahead" collect "$folder" && exit "$status"
