#!/bin/sh
# Runs suites and puts their tables of claims into docs/suites.md: bench/suites.sh [--on ENGINE] [--scale SCALE] [NAME...]
# Without names all of them. Results are kept in results/suites/NAME-ENGINE; one that is there is continued, so a
# complete one only gives its table again.
set -eu
cd "$(dirname "$0")/.."
engine=embedded
scale=small
while [ $# -gt 0 ]; do
    case $1 in
        --on) engine=$2; shift 2 ;;
        --scale) scale=$2; shift 2 ;;
        *) break ;;
    esac
done
[ $# -gt 0 ] || set -- $(ls workloads/suites/*.yaml | sed 's:.*/::; s:\.yaml$::')
mkdir -p results/suites
for name in "$@"; do
    out=results/suites/$name-$engine
    if [ -f "$out/suite-plan.json" ]; then
        bin/ycsb suite --resume "$out"
    else
        bin/ycsb suite "$name" --on "$engine" --scale "$scale" --out "$out"
    fi
done
# Every table that there is, of whatever engine, between the two markers.
tables=$(mktemp)
trap 'rm -f "$tables"' EXIT
for table in results/suites/*/suite.md; do
    cat "$table"
    echo
done >"$tables"
awk -v tables="$tables" '
    /^<!-- claims: begin/ { print; print ""; while ((getline line < tables) > 0) print line; skip = 1 }
    /^<!-- claims: end/ { skip = 0 }
    !skip { print }
' docs/suites.md >docs/suites.md.new
mv docs/suites.md.new docs/suites.md
