#!/bin/sh
# What others wrote of the programs, and their licences, as Debian's packages tell them: licences.sh PAGE PACKAGE...
# PAGE is the file of those of the page, or empty.
set -eu
page=$1
shift
echo "What others wrote of the programs of surety, which are linked with it, and their licences."
for package; do
  printf '\n== %s %s\n\n' "$package" "$(dpkg-query -W -f='${source:Version}' "$package" 2>/dev/null || true)"
  cat "/usr/share/doc/$package/copyright" 2>/dev/null || echo "missing: its licence is not on the machine that built this."
done
[ -z "$page" ] || { echo && cat "$page"; }
