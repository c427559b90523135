#!/usr/bin/env bash
# Installs what building Lookahead needs on Debian 12 with a Swift toolchain; with --tests, what its tests need too;
# with --ray, Ray and lookahead-ray (scripts/ray), which reads partitions on many machines, and what its tests need.
# Says nothing and changes nothing when all of it is there; before the first build it names the completions for shells.
set -euo pipefail

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
packages=(
  ca-certificates g++ libcurl4-openssl-dev libdeflate-dev libedit-dev libexpat1-dev liblua5.4-dev libncurses-dev libsimdjson-dev libsqlite3-dev libssl-dev libutf8proc-dev libzstd-dev pkg-config zlib1g-dev
)
test_packages=(chromium groff-base libpython3.11 lua-check parallel postgresql python3 python3-venv sqlite3 tmux zstd)
# The tests page real servers over loopback; these ranges of them are known to work.
requirements="Tests/requirements.txt"
environment="Tests/.venv"
ray="scripts/ray"

say() { printf 'bootstrap: %s\n' "$*" >&2; }

fail() {
  say "$@"
  exit 1
}

missing_packages() {
  local installed package
  installed="$(dpkg-query --show --showformat '${db:Status-Abbrev} ${binary:Package}\n' "$@" 2>/dev/null || true)"
  installed="$(sed -n 's/^ii \+\([^: ]*\).*/\1/p' <<<"$installed")"
  for package in "$@"; do
    grep -qxF "$package" <<<"$installed" || printf '%s\n' "$package"
  done
}

install_packages() {
  local as_root=() command=(apt-get install --yes --no-install-recommends "$@")
  if ((EUID != 0)); then
    command -v sudo >/dev/null || fail "these packages are missing and there is no sudo; as root, run: ${command[*]}"
    as_root=(sudo)
  fi
  say "installing $*"
  "${as_root[@]}" apt-get update --quiet=2 >&2 || say "the package lists could not be updated; trying with what is there"
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive "${command[@]}" >&2 \
    || fail "installing failed; with a working package source, run as root: ${command[*]}"
}

ensure_packages() {
  local missing
  command -v dpkg-query >/dev/null \
    || fail "this is not Debian; install the equivalents of these packages: $*"
  mapfile -t missing < <(missing_packages "$@")
  if ((${#missing[@]} > 0)); then install_packages "${missing[@]}"; fi
}

# Makes a virtual environment of what a file of requirements lists, and of more arguments for pip. It counts when its note says
# that these very versions were installed completely.
ensure_environment() {
  local place="$root/$1" list="$root/$2" weight="$3" note="$root/$1/installed"
  if [[ -x "$place/bin/python" ]] && cmp --silent "$list" "$note"; then return; fi
  say "making a Python environment with what $2 lists in $1 ($weight)"
  rm -rf "$place"
  python3 -m venv "$place" >&2 || fail "python3 -m venv failed"
  "$place/bin/python" -m pip install --quiet --disable-pip-version-check --requirement "$list" "${@:4}" >&2 \
    || fail "pip could not install what $2 lists; it needs the network once"
  cp "$list" "$note"
}

# What a shell needs to complete commands, options, scripts and policies; a line of its own start file loads it.
name_completions() {
  local program="$root/scripts/lookahead"
  say "once it is built, completions for your shell:"
  case "${SHELL##*/}" in
    zsh) say "  $program --generate-completion-script zsh > ~/.zfunc/_lookahead   (with fpath+=~/.zfunc before compinit)" ;;
    fish) say "  $program --generate-completion-script fish > ~/.config/fish/completions/lookahead.fish" ;;
    *) say "  source <($program --generate-completion-script bash)   (in ~/.bashrc)" ;;
  esac
  say "and the manual page: $program manual | man -l -"
}

with_tests=false
with_ray=false
case "${1-}" in
  '') ;;
  --tests) with_tests=true ;;
  --ray) with_ray=true ;;
  *) fail "unknown argument '$1'; usage: scripts/bootstrap.sh [--tests | --ray]" ;;
esac

command -v swift >/dev/null || fail "no Swift toolchain in PATH; install Swift 6.1 or newer and run this again"
if $with_tests; then
  ensure_packages "${packages[@]}" "${test_packages[@]}"
  ensure_environment "$environment" "$requirements" "600 MB, a minute"
elif $with_ray; then
  ensure_packages python3 python3-venv
  ensure_environment "$ray/.venv" "$ray/requirements.txt" "360 MB, a minute" --editable "$root/$ray"
else
  ensure_packages "${packages[@]}"
  [[ -x "$root/.build/release/lookahead" ]] || name_completions
fi
