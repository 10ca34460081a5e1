#!/usr/bin/env bash
# Rebuilds the jars from java/: the same sources and javac give the same bytes. With an argument, into that folder.
# JAVAC names another compiler than the one on the path.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
out=$(realpath -m "${1:-$here/jars}")
cd "$here"
mkdir -p "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
sources() { find "$1" -name '*.java' | LC_ALL=C sort; }
compile() { "${JAVAC:-javac}" --release 8 -nowarn -Xlint:-options -g:source,lines -encoding UTF-8 "$@"; }
mkdir "$work/junit" "$work/stubs" "$work/shim" "$work/hand" "$work/compiler"
compile -d "$work/junit" $(sources java/junit)
compile -d "$work/stubs" $(sources java/stubs)
compile -cp "$work/junit:$work/stubs" -d "$work/shim" $(sources java/shim)
compile -cp "$work/stubs:$work/shim" -d "$work/hand" $(sources java/hand)
compile -cp "$work/junit:$work/stubs" -d "$work/compiler" $(sources java/compiler)
cp "$(find "$work/hand" -name '*.class')" "$out/hand.class"
for name in junit shim compiler; do
    rm -f "$out/$name.jar"
    find "$work/$name" -exec touch -h -d '2000-01-01T00:00:00Z' {} +
    (cd "$work/$name" && find . -type f | sed 's|^\./||' | LC_ALL=C sort | TZ=UTC zip -q -0 -X -D "$out/$name.jar" -@)
done
