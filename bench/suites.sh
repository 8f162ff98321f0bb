#!/bin/sh
# Runs suites, and writes a page of claims for each into docs/suites/ and its line into docs/suites.md:
# bench/suites.sh [--on ENGINE|all] [--scale SCALE] [--only EXPERIMENT] [--sample] [NAME...]
# Without names all of them; --on all is every engine that a suite names and whose ..._HOME is set, and the embedded cluster. Needs a quiet
# machine. Results are kept in results/suites/NAME-ENGINE, of other scales than small in NAME-ENGINE-SCALE; one that is there is continued,
# so a complete one only gives its page again, and --only, which may be repeated, does a long one in parts. A page of a suite file that has
# changed since is removed, whoever made it (DocumentedClaimsTest would refuse it). With --sample the files that a page is made of become a
# sample for the tests of `report`, which make it again.
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
if [ "$engine" = all ]; then
    for name in "$@"; do
        for each in $(sed -n '/^engines:/,/^scale:/s/^  \([a-z]*\):.*/\1/p' "workloads/suites/$name.yaml"); do
            eval "home=\${$(echo "$each" | tr a-z A-Z)_HOME:-}"
            if [ "$each" = embedded ] || [ -n "$home" ]; then
                "$0" --on "$each" --scale "$scale" $only ${sample:+--sample} "$name"
            fi
        done
    done
    exit
fi
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
        for folder in $(sed -n 's/.*"workingDirectory" : "\(.*\)".*/\1/p' "$files"/*/plan.json | sort -u) "${NDB_HOME:-}" "${GALERA_HOME:-}" "${PATRONI_HOME:-}" "${CRATEDB_HOME:-}" \
            "${HARPER_HOME:-}" "${FAUNADB_HOME:-}"; do
            [ -n "$folder" ] || continue
            find "$files" -name '*.json' -exec sed -i "s:$folder\([/\"]\):/somewhere\1:g" {} +
        done
        rm -f "report/src/test/resources/suites/$table.zip"
        jar --create --no-manifest --file "report/src/test/resources/suites/$table.zip" -C "$files" .
        rm -rf "$files"
    fi
done
# What is known of a file that has changed is not known of the one that is there.
hash() { sed -n 's/.*, suite file \([0-9a-f]*\).*/\1/p' "$1" | head -1; }
mkdir -p docs/suites
for result in results/suites/*/suite.md; do
    table=$(basename "$(dirname "$result")")
    name=$table
    while [ ! -f "workloads/suites/$name.yaml" ]; do
        [ "$name" != "${name%-*}" ] || continue 2
        name=${name%-*}
    done
    if [ "$(hash "$result")" = "$(sha256sum "workloads/suites/$name.yaml" | cut -c1-12)" ]; then
        cp "$result" "docs/suites/$table.md"
    fi
done
lines=$(mktemp)
for page in docs/suites/*.md; do
    [ -f "$page" ] || continue
    table=$(basename "$page" .md)
    claims=$(sed -n 's/.*\. \([0-9]* reproduced, .* not measured\).*/\1/p' "$page" | head -1)
    run=$(sed -n 's/^\(.*\)\. [0-9]* reproduced,.*, begun \([0-9-]*\).*/\1, \2/p' "$page" | head -1)
    echo "| [$table](suites/$table.md) | $claims | $run |" >>"$lines"
done
# What the suite `failover` has shown, one row for each engine and fault.
rows=$(mktemp)
trap 'rm -f "$lines" "$rows"' EXIT
for page in docs/suites/failover-*.md; do
    [ -f "$page" ] || continue
    engine=$(basename "$page" .md)
    engine=${engine#failover-}
    case $engine in *-*) continue ;; esac
    [ -s "$rows" ] || sed -n '/^| Variant /,/^| ---/p' "$page" | sed 's/^| Variant/| Engine | Fault/; s/^| ---/| --- | ---/' >>"$rows"
    sed -n "s/^| fault=/| $engine | /p" "$page" >>"$rows"
done
awk -v from="$lines" -v rows="$rows" '
    /^<!-- failovers: begin/ {
        print
        while ((getline line < rows) > 0) print line
        skip = 1
    }
    /^<!-- failovers: end/ { skip = 0 }
    /^<!-- verdicts: begin/ {
        print; print "| Suite | Claims | Run |"; print "| --- | --- | --- |"
        while ((getline line < from) > 0) print line
        skip = 1
    }
    /^<!-- verdicts: end/ { skip = 0 }
    !skip { print }
' docs/suites.md >docs/suites.md.new
mv docs/suites.md.new docs/suites.md
