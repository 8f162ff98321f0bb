#!/bin/sh
# How long `cluster up` takes, and how much memory the processes of a cluster then have (resident, in MB, shared pages counted for each).
# usage: bench/cluster-up.sh [repeats [engine...]]     (default: 3 repeats of cratedb harper faunadb)
# What an engine needs is found as `bin/ycsb doctor` says. Nothing else should run on the machine. UP_OPTIONS is added to each `cluster up`.
# Prints one line for each repeat: engine, seconds, number of processes, MB. Exit code 1 when a cluster does not come up, or is not gone after `cluster down`.
set -eu
cd "$(dirname "$0")/.."
repeats=${1:-3}
[ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- cratedb harper faunadb
YCSB_DRILL_STATE=$(mktemp -d)
export YCSB_DRILL_STATE
chmod o+x "$YCSB_DRILL_STATE" # as root, another user runs CrateDB
trap 'bin/ycsb cluster down all >/dev/null 2>&1 || true; rm -rf "$YCSB_DRILL_STATE"' EXIT
trap 'exit 143' INT TERM

bin/ycsb --version >/dev/null # builds the jars when they are not there or old
printf 'engine\tseconds\tprocesses\tMB\n'
for engine in "$@"; do
  for _ in $(seq "$repeats"); do
    start=$(date +%s%N)
    # shellcheck disable=SC2086
    bin/ycsb cluster up "$engine" ${UP_OPTIONS:-} >"$YCSB_DRILL_STATE/out" 2>&1 || { cat "$YCSB_DRILL_STATE/out" >&2; exit 1; }
    end=$(date +%s%N)
    pids=$(find "$YCSB_DRILL_STATE" -name '*.pid' -path '*/run/*' -exec cut -d ' ' -f 1 {} +)
    memory=$(for pid in $pids; do awk '/^VmRSS/ { print $2 }' "/proc/$pid/status" 2>/dev/null || true; done |
      awk '{ kb += $1; n++ } END { printf "%d\t%d", n, kb / 1024 }')
    printf '%s\t%s\t%s\n' "$engine" "$(awk "BEGIN { printf \"%.1f\", ($end - $start) / 1e9 }")" "$memory"
    bin/ycsb cluster down "$engine" >/dev/null
    for pid in $pids; do # one that has ended may still wait for its parent to collect it
      ! grep -q '^State:[[:space:]]*[A-Y]' "/proc/$pid/status" 2>/dev/null || { echo "process $pid of $engine is left" >&2; exit 1; }
    done
  done
done
