#!/bin/sh
# Runs suites and puts their tables of claims into docs/suites.md:
# bench/suites.sh [--on ENGINE] [--scale SCALE] [--only EXPERIMENT] [--sample] [NAME...]
# Without names all of them. Results are kept in results/suites/NAME-ENGINE, of other scales than small in
# NAME-ENGINE-SCALE; one that is there is continued, so a
# complete one only gives its table again, and --only, which may be repeated, does a long one in parts. Tables of suites that were not run here stay as they are;
# a test refuses those whose suite file has changed since (DocumentedClaimsTest): remove them, or run the suite again. With --sample the files that a table
# is made of become a sample for the tests of `report`, which make it again.
set -eu
cd "$(dirname "$0")/.."
engine=embedded
scale=small
sample=
only=
while [ $# -gt 0 ]; do
    case $1 in
        --on) engine=$2; shift 2 ;;
        --scale) scale=$2; shift 2 ;;
        --only) only="$only --only $2"; shift 2 ;;
        --sample) sample=yes; shift ;;
        *) break ;;
    esac
done
[ $# -gt 0 ] || set -- $(ls workloads/suites/*.yaml | sed 's:.*/::; s:\.yaml$::')
mkdir -p results/suites
for name in "$@"; do
    table=$name-$engine
    [ "$scale" = small ] || table=$table-$scale
    out=results/suites/$table
    if [ -f "$out/suite-plan.json" ]; then
        bin/ycsb suite --resume "$out" $only
    else
        bin/ycsb suite "$name" --on "$engine" --scale "$scale" --out "$out" $only
    fi
    if [ -n "$sample" ]; then
        files=$(mktemp -d)
        (cd "$out" && find . -path '*/interrupted' -prune -o -type f \( -name suite-plan.json -o -name plan.json -o -name cell.json -o -path '*/run/run.json' \
            -o -path '*/run/summary.json' -o -path '*/run/audit.json' -o -path '*/run/consistency.json' -o -path '*/run/client.csv' \
            -o -path '*/run/totals.jsonl' -o -path '*/run/windows.csv' \) -print | tar -cf - -T -) | tar -xf - -C "$files"
        # Folders of this machine are nobody's business.
        for folder in $(sed -n 's/.*"workingDirectory" : "\(.*\)".*/\1/p' "$files"/*/plan.json | sort -u) "${NDB_HOME:-}" "${GALERA_HOME:-}" "${CRATEDB_HOME:-}" \
            "${HARPER_HOME:-}" "${FAUNADB_HOME:-}"; do
            [ -n "$folder" ] || continue
            find "$files" -name '*.json' -exec sed -i "s:$folder\([/\"]\):/somewhere\1:g" {} +
        done
        rm -f "report/src/test/resources/suites/$table.zip"
        jar --create --no-manifest --file "report/src/test/resources/suites/$table.zip" -C "$files" .
        rm -rf "$files"
    fi
done
# Each table replaces that of the same suite and engine between the two markers; the others stay.
tables=$(mktemp -d)
trap 'rm -rf "$tables"' EXIT
awk -v to="$tables" '
    /^<!-- claims: end/ { inside = 0 }
    inside && /^<!-- table: / { file = to "/" $3 }
    inside && file { print >file }
    /^<!-- claims: begin/ { inside = 1 }
' docs/suites.md
for result in results/suites/*/suite.md; do
    table=$(basename "$(dirname "$result")")
    { echo "<!-- table: $table -->"; echo; cat "$result"; echo; } >"$tables/$table"
done
awk -v from="$tables" '
    /^<!-- claims: begin/ {
        print; print ""
        while ((("ls " from) | getline table) > 0) while ((getline line < (from "/" table)) > 0) print line
        skip = 1
    }
    /^<!-- claims: end/ { skip = 0 }
    !skip { print }
' docs/suites.md >docs/suites.md.new
mv docs/suites.md.new docs/suites.md
