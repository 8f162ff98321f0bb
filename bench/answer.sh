#!/usr/bin/env bash
# How long the answer of the README's drill takes, and what each second of it is for: on no cluster, which is started and stopped, and on one that is
# up. The parts are those of the section time of summary.json; "outside" is the launcher, the JVM and the stop of the cluster.
# usage: bench/answer.sh [rounds [drill]]     (default: 3, node-restart)
# On the embedded cluster, in a state directory of its own; the jars are built first and their build is not counted. Exit code 1 when a drill gave no
# verdict.
set -euo pipefail
cd "$(dirname "$0")/.."
rounds=${1:-3}
drill=${2:-node-restart}
unset NDB_HOME
out=$(mktemp -d)
export YCSB_DRILL_STATE=$out/state
up=false
finish() {
    code=$?
    if [ "$up" = true ] && ! bin/ycsb cluster down embedded >"$out/down" 2>&1; then
        cat "$out/down" >&2
        echo "bench/answer.sh: its cluster may still be up; stop it with: YCSB_DRILL_STATE=$YCSB_DRILL_STATE bin/ycsb cluster down embedded" >&2
        exit 1
    fi
    rm -rf "$out"
    exit "$code"
}
trap finish EXIT

# parts FILE: "name seconds" of each part, a line each.
parts() {
    sed -n '/"time" *:/,/^  }/s/^ *"\([a-z-]*\)" *: *\([0-9.]*\),*$/\1 \2/p' "$1" | grep -v '^seconds '
}

# answer WHERE: the same drill, as often as asked; prints a line for each.
answer() {
    for round in $(seq "$rounds"); do
        rm -rf "$out/run"
        from=$(date +%s.%N)
        code=0
        bin/ycsb drill native -P workloads/workloadb -D "$drill" -threads 4 --audit --out "$out/run" >"$out/text" 2>"$out/err" || code=$?
        whole=$(echo "$(date +%s.%N) $from" | awk '{ printf "%.1f", $1 - $2 }')
        verdict=$(sed -n 's/^Verdict: \([A-Z ]*\).*/\1/p' "$out/text")
        [ -n "$verdict" ] || { tail -n 5 "$out/err" >&2; echo "bench/answer.sh: no verdict, exit code $code" >&2; exit 1; }
        parts "$out/run/summary.json" | awk -v where="$1" -v round="$round" -v whole="$whole" -v verdict="$verdict" '
            { line = line sprintf("  %s %.1f", $1, $2); sum += $2 }
            END { printf "%-10s %d  %.1f s  %s: %s  outside %.1f\n", where, round, whole, verdict, line, whole - sum }'
    done
}

bin/ycsb --version >/dev/null # builds what is missing
answer "no cluster"
up=true # also when it is stopped half-way
bin/ycsb cluster up embedded >"$out/text" 2>&1 || { cat "$out/text" >&2; exit 1; }
answer "up"
