#!/bin/sh
# The newest section of NEWS.md as a Debian changelog: changelog.sh VERSION CONTACT DATE <NEWS.md
set -eu
printf 'surety (%s) unstable; urgency=medium\n\n' "$1"
sed -n "/^## $1/,/^## /{/^##/d;p}" | awk '
  function flush() { if (text != "") print text; text = "" }
  /^- / { flush(); text = substr($0, 3); next }
  /^  / && text != "" { text = text " " substr($0, 3); next }
  { flush() }
  END { flush() }' | while read -r line; do
  printf '%s\n' "$line" | fold -s -w 74 | sed '1s/^/  * /; 2,$s/^/    /; s/ *$//'
done
printf '\n -- %s  %s\n' "$2" "$3"
