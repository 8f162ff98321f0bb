#!/bin/sh
# What an idle fault proxy costs a run: one workload through `jdbc` on the first SQL server of a cluster, directly and through the proxy, in turn.
# usage: bench/proxy-jdbc.sh [workload [pairs [seconds [threads]]]]     (default: workloadb, 5 pairs of 8 seconds, 8 threads)
# The cluster is the one that `bin/ycsb cluster up ndb` (or `galera`; set ENGINE=galera) has started; ROWS (default 5000) rows are loaded when its
# table is empty. Client, proxy, servers and data nodes share the machine, as in a drill on a cluster of one's own.
# Exit code 1 when the proxy costs 5 % or more of the operations per second (median of the ratios of the pairs), 2 without a cluster.
set -eu
cd "$(dirname "$0")/.."
workload=${1:-workloadb}
pairs=${2:-5}
seconds=${3:-8}
threads=${4:-8}
rows=${ROWS:-5000}
state=${YCSB_DRILL_STATE:-${XDG_STATE_HOME:-$HOME/.local/state}/ycsb-drill}/${ENGINE:-ndb}/cluster.json
server=$([ -f "$state" ] && sed -n 's/.*"db.hosts" *: *"127.0.0.1:\([0-9]*\).*/\1/p' "$state" | head -1)
[ -n "$server" ] || { echo "bench/proxy-jdbc.sh: no cluster: run 'bin/ycsb cluster up ndb'" >&2; exit 2; }
./mvnw -q -B -pl faultinject -am test-compile dependency:build-classpath \
    -Dmdep.outputFile=target/bench.classpath -Dmdep.includeScope=runtime
classes=faultinject/target/bench
mkdir -p "$classes"
classpath="faultinject/target/classes:$(cat faultinject/target/bench.classpath)"
javac -d "$classes" -cp "$classpath" bench/proxy/Bench.java
. bench/common/pairs.sh

out=$(mktemp -d)
mkfifo "$out/stop"
java -cp "$classes:$classpath" Bench before "$server" <"$out/stop" >"$out/port" &
exec 3>"$out/stop"
trap 'exec 3>&-; wait; rm -rf "$out"' EXIT
while [ ! -s "$out/port" ]; do sleep 0.1; done
proxy=$(cat "$out/port")

measure() {
    bin/ycsb run jdbc -P "workloads/$workload" -p table=proxybench -p recordcount="$rows" -p insertproportion=0 -p db.url="jdbc:mysql://127.0.0.1:$2/ycsb" -p db.user=ycsb \
        -threads "$threads" --warmup 4s --duration "$seconds"s --out "$out/run" >"$out/text" 2>"$out/err" ||
        { cat "$out/err" >&2; exit 1; }
    rm -rf "$out/run"
    sed -n "s/^\[OVERALL\], Throughput(ops\/sec), \([0-9.]*\).*/$1 run \1/p" "$out/text" | tee -a "$out/results"
}
: >"$out/results"
measure Warm "$server" >/dev/null
: >"$out/results"
pair=1
while [ "$pair" -le "$pairs" ]; do
    if [ $((pair % 2)) -eq 1 ]; then order="OurClient:$proxy Direct:$server"; else order="Direct:$server OurClient:$proxy"; fi
    for one in $order; do
        measure "${one%:*}" "${one#*:}"
    done
    pair=$((pair + 1))
done
awk -v w="$workload" -v t="$threads" -v d="$(median_of "$out/results" Direct run 3)" -v p="$(median_of "$out/results" OurClient run 3)" \
    -v r="$(ratio_of "$out/results" Direct run 3)" 'BEGIN {
    printf "%s, %d threads: %.0f op/s directly, %.0f op/s through the idle proxy, ratio %.3f\n", w, t, d, p, r; exit r <= 0.95 }'
