#!/bin/sh
# What --audit costs the client: a workload through the native binding on NDB with and without it, in turn, in one process on the same connections.
# usage: bench/audit.sh [workload [pairs [seconds [threads]]]]     (default: workloada, 60 pairs of turns of 2 seconds, 4 threads)
# The cluster is the one that `bin/ycsb cluster up ndb` has started; ROWS (default 5000) rows are loaded when its table is empty. Client and cluster share
# the machine. WARM=60 is the seconds before, in turns like these, in which Java compiles. A turn is short, as what a machine does from minute
# to minute changes by more than what is measured. The read-back after a run is not in it.
# Exit code 1 when the audit costs 3 % or more of the operations per second (median of the ratios of the pairs), 2 without a cluster.
set -eu
cd "$(dirname "$0")/.."
workload=${1:-workloada}
pairs=${2:-60}
seconds=${3:-2}
threads=${4:-4}
rows=${ROWS:-5000}
. bench/common/pairs.sh
connectstring=$(from_state ndb.connectstring)
[ -n "$connectstring" ] || { echo "bench/audit.sh: no cluster: run 'bin/ycsb cluster up ndb'" >&2; exit 2; }
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
trap 'exit 143' INT TERM

bin/ycsb --version >/dev/null # builds the jars when they are not there or old
classpath="$(ls client/target/client-*-SNAPSHOT.jar client/target/client-[0-9].*.jar 2>/dev/null | grep -v -e sources -e javadoc | head -1):client/target/lib/*"
javac -d "$out" -cp "$classpath" bench/common/Cpu.java bench/audit/*.java
java -XX:-UseDynamicNumberOfCompilerThreads --add-opens=java.base/java.nio=ALL-UNNAMED -cp "$out:$classpath" -Dndb.connectstring="$connectstring" \
    -Dndb.home="$(from_state ndb.home)" -Dndb.sql="$(from_state ndb.sql)" -Dndb.sql.user="$(from_state ndb.sql.user)" \
    -Dtable=auditbench -Drecordcount="$rows" -Doperationcount=1000000000 \
    Bench io.ycsbdrill.binding.ndb.NdbBinding "workloads/$workload" "$pairs" "$seconds" "$threads" "${WARM:-60}" "$out" >"$out/results" 2>"$out/err" ||
    { cat "$out/err" >&2; exit 1; }

column() {
    printf '%-42s %10.1f %10.1f %10.3f\n' "$1" "$(median_of "$out/results" Plain run "$2")" "$(median_of "$out/results" OurClient run "$2")" \
        "$(ratio_of "$out/results" Plain run "$2")"
}
printf '%-42s %10s %10s %10s\n' "native $workload, $threads threads, $pairs pairs" without --audit ratio
column 'operations per second' 3
column 'client CPU, us per operation' 4
column 'CPU of the whole machine, us per operation' 5
# How far the mean ratio may be from the true one: two standard errors of the pairs.
awk '$1 == "OurClient" { a[++n] = $3 } $1 == "Plain" { b[++m] = $3 }
    END { for (i = 1; i <= n; i++) { x = a[i] / b[i]; s += x; q += x * x }
          printf "mean ratio of the operations per second: %.3f +- %.3f\n", s / n, 2 * sqrt((q / n - (s / n) ^ 2) / n) }' "$out/results"
ratio=$(ratio_of "$out/results" Plain run 3)
record audit "$workload: operations per second to those without" more "$ratio"
awk -v r="$ratio" 'BEGIN { exit r <= 0.97 }'
