#!/bin/sh
# What --audit costs a run: one workload with and without it, in turn, on the cluster that is up.
# usage: bench/audit.sh [binding [workload [pairs [seconds [threads]]]]]     (default: native, workloada, 5 pairs of 8 seconds, 4 threads)
# The cluster is one that `bin/ycsb cluster up` has started; ROWS (default 5000) rows are loaded when its table is empty. Client and cluster share the
# machine. WRITES=all lets updates write all fields, which is ten times the bytes to stamp. The read-back after a run is not counted.
# WARM=30 is the seconds before each measurement, in which Java compiles: the more there is to run, the more there is to compile. CPU time is of the measurement only.
# Exit code 1 when the audit costs 3 % or more of the operations per second (median of the ratios of the pairs), or finds anything lost.
set -eu
cd "$(dirname "$0")/.."
binding=${1:-native}
workload=${2:-workloada}
pairs=${3:-5}
seconds=${4:-8}
threads=${5:-4}
warm=${WARM:-30}
all=$([ "${WRITES:-one}" = all ] && echo true || echo false)
. bench/common/pairs.sh
out=$(mktemp -d)
client=
trap '[ -z "$client" ] || kill "$client" 2>/dev/null || :; rm -rf "$out"' EXIT
trap 'exit 143' INT TERM

# CPU time of the client in us, and the clock in s.
cpu() {
    sed 's/.*) //' "/proc/$client/stat" | awk -v t="$(getconf CLK_TCK)" '{ printf "%.0f ", ($12 + $13) * 1e6 / t }'
    cut -d' ' -f1 /proc/uptime
}

# measure CLASS [--audit]: a line "CLASS run op/s us-of-client-CPU-per-operation"
measure() {
    class=$1
    shift
    bin/ycsb run "$binding" -P "workloads/$workload" -p table=auditbench -p recordcount="${ROWS:-5000}" -p writeallfields="$all" \
        -threads "$threads" --warmup "${warm}s" --duration $((seconds + warm + 2))s --out "$out/run" "$@" >"$out/text" 2>"$out/err" &
    client=$!
    # What is measured lies within the run, whose start takes a second or two.
    sleep $((warm + 3))
    before=$(cpu)
    sleep $((seconds - 2))
    after=$(cpu)
    wait "$client" || { cat "$out/err" >&2; exit 1; }
    client=
    rate=$(sed -n 's/^ *"throughputOpsPerSecond" *: *\([0-9.E]*\),*$/\1/p' "$out/run/summary.json" | head -1)
    echo "$before $after" | awk -v c="$class" -v r="$rate" '{ printf "%s run %.0f %.2f\n", c, r, ($3 - $1) / ($4 - $2) / r }' | tee -a "$out/results"
    rm -rf "$out/run"
}
measure Warm >/dev/null
: >"$out/results"
pair=1
while [ "$pair" -le "$pairs" ]; do
    if [ $((pair % 2)) -eq 1 ]; then
        measure OurClient --audit; measure Plain
    else
        measure Plain; measure OurClient --audit
    fi
    pair=$((pair + 1))
done
awk -v w="$binding $workload" -v t="$threads" \
    -v d="$(median_of "$out/results" Plain run 3)" -v a="$(median_of "$out/results" OurClient run 3)" -v r="$(ratio_of "$out/results" Plain run 3)" \
    -v e="$(median_of "$out/results" Plain run 4)" -v b="$(median_of "$out/results" OurClient run 4)" -v s="$(ratio_of "$out/results" Plain run 4)" 'BEGIN {
    printf "%s, %d threads: %.0f op/s without, %.0f op/s with --audit, ratio %.3f; client CPU %.1f us per operation without, %.1f us with, ratio %.3f\n",
        w, t, d, a, r, e, b, s; exit r <= 0.97 }'
