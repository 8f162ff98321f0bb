#!/bin/sh
# Runs the TPC-C-like workload in its three modes with 8 and with 48 threads on a cluster of its own, three times each, interleaved, and
# prints a table: transactions and new-orders per second, latency of each type, attempts that were aborted; below it the ratios.
# usage: bench/tpcc-modes.sh embedded|ndb|galera [DIR]     (default: results/tpcc-modes-ENGINE; about 12 minutes)
# A DIR that is there already is continued.
set -eu
cd "$(dirname "$0")/.."
engine=${1:-}
case $engine in
    embedded|ndb) binding=native ;;
    galera) binding=jdbc ;;
    *) echo "usage: bench/tpcc-modes.sh embedded|ndb|galera [DIR]" >&2; exit 2 ;;
esac
out=${2:-results/tpcc-modes-$engine}
YCSB_DRILL_STATE=$(mktemp -d)
export YCSB_DRILL_STATE
stop() { bin/ycsb cluster down "$engine" >&2; rm -rf "$YCSB_DRILL_STATE"; }
trap stop EXIT
trap 'exit 130' INT TERM
bin/ycsb cluster up "$engine" >&2
for mode in none tx 2pc; do
    bin/ycsb load "$binding" -P workloads/tpcc -p "table=tpcc_$mode" -threads 8 --out "$YCSB_DRILL_STATE/load-$mode" >&2
done
file=$YCSB_DRILL_STATE/modes.yaml
sed "s/BINDING/$binding/" bench/tpcc/modes.yaml >"$file"
if [ -d "$out" ]; then
    bin/ycsb experiment --resume "$out" >&2
else
    bin/ycsb experiment "$file" --out "$out" >&2
fi
awk -f bench/tpcc/modes.awk "$out/cells.csv"
sed -n '/Claim/,$p' "$out/experiment.md"
