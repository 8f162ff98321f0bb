#!/bin/sh
# Runs one workload through `native` and through `jdbc` on the same rows of the same NDB cluster, in turn, and prints the ratio of throughputs.
# usage: bench/native-vs-jdbc.sh [workload [pairs [seconds [threads]]]]     (default: workloade, 3 pairs of 20 seconds, 8 threads)
# The cluster is the one that `bin/ycsb cluster up ndb` has started; ROWS (default 5000) rows of 1 KB are loaded when its table is empty.
# Inserts are left out (workload E becomes scans alone): those of one run would meet the rows of the run before.
# Exit code 1 when a run failed, 2 without a cluster.
set -eu
cd "$(dirname "$0")/.."
workload=${1:-workloade}
pairs=${2:-3}
seconds=${3:-20}
threads=${4:-8}
rows=${ROWS:-5000}
. bench/common/pairs.sh
[ -n "$(from_state ndb.connectstring)" ] || { echo "bench/native-vs-jdbc.sh: no cluster: run 'bin/ycsb cluster up ndb'" >&2; exit 2; }
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

measure() {
    bin/ycsb run "$1" -P "workloads/$workload" -p table=nativevsjdbc -p recordcount="$rows" -p insertproportion=0 \
        -threads "$threads" --warmup 5s --duration "$seconds"s --out "$out/run" >"$out/text" 2>"$out/err" ||
        { cat "$out/err" >&2; exit 1; }
    rm -rf "$out/run"
    sed -n "s/^\[OVERALL\], Throughput(ops\/sec), \([0-9.]*\).*/$1 run \1/p" "$out/text" | tee -a "$out/results"
}
: >"$out/results"
pair=1
while [ "$pair" -le "$pairs" ]; do
    # In turn, and each first as often as the other.
    if [ $((pair % 2)) -eq 1 ]; then order="native jdbc"; else order="jdbc native"; fi
    for binding in $order; do
        measure "$binding"
    done
    pair=$((pair + 1))
done

native=$(median_of "$out/results" native run 3)
jdbc=$(median_of "$out/results" jdbc run 3)
ratio=$(awk -v n="$native" -v j="$jdbc" 'BEGIN { print n / j }')
record native-vs-jdbc "$workload: operations per second, native to jdbc" more "$ratio"
awk -v w="$workload" -v n="$native" -v j="$jdbc" -v r="$ratio" \
    'BEGIN { printf "%s, medians: native %.0f op/s, jdbc %.0f op/s, native/jdbc %.2f\n", w, n, j, r }'
