#!/bin/sh
# An installed tree can be moved, and what is in it works: install.sh BUILD SOURCE VERSION
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$1" --prefix "$work/before" >"$work/log"
mv "$work/before" "$work/after"
root=$work/after

test "$("$root/bin/surety" --version)" = "surety $3"
"$root/bin/surety" check --quiet "$root/share/surety/examples/fsp/lights.lts"
gzip -t "$root/share/man/man1/surety.1.gz"
for file in bash-completion/completions/surety zsh/vendor-completions/_surety fish/vendor_completions.d/surety.fish \
  doc/surety/manual.md; do
  test -s "$root/share/$file"
done
# What others wrote comes with its licences.
for word in libcadical CLI11 codemirror Graphviz; do
  grep -q "$word" "$root/share/doc/surety/others.txt"
done
if grep "^missing:" "$root/share/doc/surety/others.txt"; then exit 1; fi
# The page: its server is found from the program, wherever the tree lies.
"$root/bin/surety" serve "$root/share/surety/examples" --no-open --port 0 >"$work/line" &
server=$!
until test -s "$work/line"; do kill -0 "$server"; sleep 0.1; done
python3 -c 'import sys, urllib.request; print(urllib.request.urlopen(sys.argv[1]).read())' "$(sed 's|#.*||' "$work/line")" |
  grep -q "<title>"
kill "$server"
if grep -rF -e "$1" -e "$2" -e "$work" "$root/lib" --include='*.cmake' --include='*.pc'; then
  echo "a path of this machine is installed" >&2
  exit 1
fi

# The Python package, as Debian's Python finds it.
PYTHONPATH=$root/lib/python3/dist-packages SURETY=$root/bin/surety python3 -B -c \
  'import surety, sys; sys.exit(0 if surety.fsp("A = (a -> A).").check() else 1)'

# A program of somebody else, by CMake and by pkg-config.
cmake -S "$2/doc/library" -B "$work/build" -DCMAKE_PREFIX_PATH="$root" >>"$work/log"
cmake --build "$work/build" >>"$work/log"
test "$("$work/build/deadlocks" "$root/share/surety/examples/fsp/lights.lts")" = "SAFE: holds"
PKG_CONFIG_PATH=$(dirname "$(find "$root/lib" -name surety.pc)")
export PKG_CONFIG_PATH
test "$(pkg-config --modversion surety)" = "$3"
c++ -std=c++20 -c $(pkg-config --cflags surety) "$2/doc/library/deadlocks.cpp" -o "$work/d.o"
c++ "$work/d.o" $(pkg-config --libs surety) -o "$work/d"
test "$("$work/d" "$root/share/surety/examples/fsp/lights.lts")" = "SAFE: holds"
echo "all is there"
