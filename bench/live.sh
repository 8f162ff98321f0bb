#!/bin/sh
# What --live costs a run, with a page that is open and a scrape of the metrics each second: runs with and without, in turn, on a database that
# does nothing (YCSB's BasicDB, silent), where every microsecond of the client shows.
# usage: bench/live.sh [pairs [seconds [threads]]]     (default: 5 pairs of 8 seconds, 2 threads)
# Needs curl. Exit code 1 when it costs 3 % or more of the operations per second (median of the ratios of the pairs).
set -eu
cd "$(dirname "$0")/.."
pairs=${1:-5}
seconds=${2:-8}
threads=${3:-2}
. bench/common/pairs.sh
out=$(mktemp -d)
watchers=
trap 'kill $watchers 2>/dev/null || :; rm -rf "$out"' EXIT

# watch FILE: opens the page named in FILE as soon as it is, and scrapes until it is gone.
watch() {
    until address=$(sed -n 's/^live: \(http[^ ]*\).*/\1/p' "$1" 2>/dev/null) && [ -n "$address" ]; do sleep 0.2; done
    curl -sN "${address}events" >"$out/events" &
    while curl -sf "${address}metrics" >"$out/scraped"; do mv "$out/scraped" "$out/metrics"; sleep 1; done
    wait
}

# measure CLASS [--live]: a line "CLASS run op/s"
measure() {
    class=$1
    shift
    : >"$out/err"
    [ $# -eq 0 ] || { watch "$out/err" & watchers=$!; }
    bin/ycsb run basic -P workloads/workloada -p basicdb.verbose=false -threads "$threads" --warmup 2s --duration $((seconds + 2))s \
        --window 1s --out "$out/run" "$@" >"$out/text" 2>"$out/err" || { cat "$out/err" >&2; exit 1; }
    [ $# -eq 0 ] || { wait "$watchers" || :; watchers=; grep -q ycsb_drill_operations_total "$out/metrics"; grep -q '^data: ' "$out/events"; }
    awk -v c="$class" -F'[:,]' '/throughputOpsPerSecond/ { printf "%s run %.0f\n", c, $2; exit }' "$out/run/summary.json" | tee -a "$out/results"
    rm -rf "$out/run"
}
measure Warm >"$out/warm"
: >"$out/results"
pair=1
while [ "$pair" -le "$pairs" ]; do
    if [ $((pair % 2)) -eq 1 ]; then measure OurClient --live; measure Plain; else measure Plain; measure OurClient --live; fi
    pair=$((pair + 1))
done
record live "operations per second to those without" more "$(ratio_of "$out/results" Plain run 3)"
awk -v d="$(median_of "$out/results" Plain run 3)" -v a="$(median_of "$out/results" OurClient run 3)" -v r="$(ratio_of "$out/results" Plain run 3)" 'BEGIN {
    printf "%.0f op/s without, %.0f op/s with --live, ratio %.3f\n", d, a, r; exit r <= 0.97 }'
