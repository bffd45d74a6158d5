#!/bin/sh
# The program and what belongs to it as an archive that needs no installation, from a build with SURETY_STATIC:
# archive.sh BUILD VERSION FOLDER. The same sources make the same bytes, if SOURCE_DATE_EPOCH says so.
set -eu
name=surety-$2-linux-$(uname -m)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$1" --prefix "$work/$name" --component Unspecified --strip >/dev/null
cp LICENSE "$work/$name/"
(cd "$work/$name" && find . -type f ! -name SHA256SUMS | LC_ALL=C sort | sed 's|^\./||' | xargs sha256sum >SHA256SUMS)
mkdir -p "$3"
tar -C "$work" --sort=name --mtime="@${SOURCE_DATE_EPOCH:-$(date +%s)}" --owner=0 --group=0 --numeric-owner -c "$name" |
  gzip -9n >"$3/$name.tar.gz"
