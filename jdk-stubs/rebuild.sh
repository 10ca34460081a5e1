#!/usr/bin/env bash
# Rebuilds patches.jar from java/: the same sources and javac give the same bytes. With an argument, into that folder.
# JAVAC names another compiler than the one on the path.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
out=$(realpath -m "${1:-$here}")
cd "$here"
mkdir -p "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for module in $(cd java && ls | LC_ALL=C sort); do
    mkdir "$work/$module"
    "${JAVAC:-javac}" -source 17 -target 17 -nowarn -Xlint:-options -g:source,lines -encoding UTF-8 \
        --patch-module "$module=java/$module" -d "$work/$module" $(find "java/$module" -name '*.java' | LC_ALL=C sort)
done
rm -f "$out/patches.jar"
find "$work" -exec touch -h -d '2000-01-01T00:00:00Z' {} +
(cd "$work" && find . -type f | sed 's|^\./||' | LC_ALL=C sort | TZ=UTC zip -q -0 -X -D "$out/patches.jar" -@)
