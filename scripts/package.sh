#!/usr/bin/env bash
# Makes what installs Lookahead on Debian 12 without a toolchain: a package (.deb) and a tarball of the same files.
#   scripts/package.sh [FOLDER]          builds what is not built, and writes both into the folder (.build/packages)
#   scripts/package.sh --try [FOLDER]    as root: also installs, tries and removes each in a fresh Debian 12
# LOOKAHEAD_BINARY is another program to pack than that of this checkout.
set -euo pipefail

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
release="bookworm"

say() { printf 'scripts/package.sh: %s\n' "$*" >&2; }

fail() {
  say "$@"
  exit 1
}

need() {
  command -v "$1" >/dev/null || fail "$1 is missing; as root, run: apt-get install --yes $2"
}

# The files as they are to be below a prefix such as /usr.
stage() {
  local prefix="$1" name
  local share="$prefix/share" doc="$prefix/share/doc/lookahead"
  mkdir -p "$prefix/bin" "$share/man/man1" "$share/bash-completion/completions" "$share/zsh/vendor-completions" \
    "$share/fish/vendor_completions.d" "$doc/examples"
  install -m 755 "$program" "$prefix/bin/lookahead"
  strip --strip-unneeded "$prefix/bin/lookahead"
  "$program" manual | gzip -9n >"$share/man/man1/lookahead.1.gz"
  "$program" --generate-completion-script bash >"$share/bash-completion/completions/lookahead"
  "$program" --generate-completion-script zsh >"$share/zsh/vendor-completions/_lookahead"
  "$program" --generate-completion-script fish >"$share/fish/vendor_completions.d/lookahead.fish"
  install -m 644 "$root/LICENSE" "$doc/copyright"
  for name in quickstart.lua data sources policies experiments workflows nightly; do
    cp -r "$root/scripts/$name" "$doc/examples/"
  done
  find "$prefix" -name '*.py' -delete
  find "$prefix" -type f ! -path '*/bin/*' -exec chmod 644 {} +
  find "$prefix" -type d -exec chmod 755 {} +
}

# The packages of the system that the program needs: those it is linked with, and libcurl, which it loads when it is used first.
dependencies() {
  local work="$1"
  mkdir -p "$work/debian"
  printf 'Source: lookahead\nMaintainer: x <x@localhost>\nPackage: lookahead\nArchitecture: any\n' >"$work/debian/control"
  (cd "$work" && dpkg-shlibdeps -O --ignore-missing-info usr/bin/lookahead 2>/dev/null) | sed -n 's/^shlibs:Depends=//p'
}

make_package() {
  local work="$1" target="$2" depends size
  stage "$work/usr"
  depends="$(dependencies "$work"), libcurl4, ca-certificates"
  rm -rf "$work/debian"
  size="$(du -sk "$work/usr" | cut -f1)"
  mkdir -p "$work/DEBIAN"
  cat >"$work/DEBIAN/control" <<CONTROL
Package: lookahead
Version: $version
Architecture: $(dpkg --print-architecture)
Maintainer: The Lookahead authors <lookahead@localhost>
Installed-Size: $size
Depends: $depends
Section: utils
Priority: optional
Description: runs Lua scripts that page through data
 A script says where data is: an API, a database, files. Lookahead pages through
 it, fetches ahead of the reader, retries, keeps what is new, and writes NDJSON,
 CSV, JSON or SQLite; it goes on exactly where it was killed.
CONTROL
  dpkg-deb --root-owner-group --build "$work" "$target" >/dev/null
  printf '%s\n' "$depends"
}

make_tarball() {
  local folder="$1" target="$2" depends="$3" package
  stage "$folder"
  local packages=()
  while read -r package; do packages+=("$package"); done < <(sed 's/ *([^)]*)//g; s/, */\n/g' <<<"$depends")
  cat >"$folder/README" <<README
Lookahead $version for Debian 12

Copy bin and share over a prefix such as /usr/local or ~/.local, or run bin/lookahead where it is. It needs these packages:

  apt-get install --no-install-recommends ${packages[*]}

Then: bin/lookahead run share/doc/lookahead/examples/quickstart.lua --limit 3
README
  tar --create --gzip --file "$target" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" \
    --directory "$(dirname "$folder")" "$(basename "$folder")"
}

# What a person does first, in the fresh Debian.
first_steps() {
  local fresh="$1" program="$2" script="$3/quickstart.lua" rows said
  rows="$(chroot "$fresh" "$program" run "$script" | wc -l)"
  ((rows > 100)) || fail "the quick start wrote $rows rows"
  chroot "$fresh" "$program" run "$script" -o /tmp/zones.db
  chroot "$fresh" "$program" browse "$script" --script "settle G wait:1s settle" --size 72x8 | grep -q "$rows of $rows" \
    || fail "browse does not come to row $rows"
  # Nothing listens there: libcurl is found, and says so.
  said="$(chroot "$fresh" "$program" get http://127.0.0.1:9/ --retries 0 2>&1 || true)"
  [[ "$said" == *"could not connect"* ]] || fail "get could not use libcurl: $said"
  chroot "$fresh" "$program" doctor >/dev/null || fail "doctor found something wrong"
}

try() {
  local package="$1" tarball="$2" fresh="$3" name installer=(apt-get install --yes --no-install-recommends)
  ((EUID == 0)) || fail "--try makes a file system of its own, as root"
  need debootstrap debootstrap
  say "making a fresh Debian 12"
  debootstrap --variant=minbase "$release" "$fresh" >/dev/null || fail "debootstrap failed"
  mount --bind /proc "$fresh/proc"
  trap 'umount "$scratch/fresh/proc" 2>/dev/null || true; rm -rf "$scratch"' EXIT

  say "trying $(basename "$package")"
  cp "$package" "$fresh/tmp/lookahead.deb"
  chroot "$fresh" env DEBIAN_FRONTEND=noninteractive "${installer[@]}" /tmp/lookahead.deb >/dev/null
  first_steps "$fresh" lookahead /usr/share/doc/lookahead/examples
  chroot "$fresh" apt-get remove --yes lookahead >/dev/null
  [[ ! -e "$fresh/usr/bin/lookahead" ]] || fail "lookahead is there after it was removed"

  say "trying $(basename "$tarball")"
  name="$(basename "$tarball" .tar.gz)"
  tar --extract --gzip --file "$tarball" --directory "$fresh/opt"
  chroot "$fresh" rm -rf /tmp/zones.db
  first_steps "$fresh" "/opt/$name/bin/lookahead" "/opt/$name/share/doc/lookahead/examples"
  say "both work in a fresh Debian 12"
}

is_tried=false
if [[ "${1-}" == --try ]]; then
  is_tried=true
  shift
fi
folder="$(realpath -m "${1-$root/.build/packages}")"
need dpkg-shlibdeps dpkg-dev
need strip binutils
program="${LOOKAHEAD_BINARY-}"
if [[ -z "$program" ]]; then
  "$root/scripts/lookahead" --version >/dev/null
  program="$root/.build/release/lookahead"
fi
version="$("$program" --version)"
SOURCE_DATE_EPOCH="$(git -C "$root" log -1 --format=%ct 2>/dev/null || date +%s)"
export SOURCE_DATE_EPOCH
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
umask 022
mkdir -p "$folder" "$scratch/package"
chmod 755 "$scratch/package"

package="$folder/lookahead_${version}_$(dpkg --print-architecture).deb"
tarball="$folder/lookahead-$version-$(uname -m).tar.gz"
depends="$(make_package "$scratch/package" "$package")"
make_tarball "$scratch/lookahead-$version-$(uname -m)" "$tarball" "$depends"
if $is_tried; then try "$package" "$tarball" "$scratch/fresh"; fi
du -h "$package" "$tarball"
