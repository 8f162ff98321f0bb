#!/bin/sh
# Compares our client loop with stock YCSB's on a binding that does nothing: throughput, CPU and allocation per operation.
# usage: bench/loop.sh [pairs [operations-per-run]]     (default: 5 pairs of 4 million operations)
# Exit code 1 when our throughput is below stock's or our allocation above it.
set -eu
cd "$(dirname "$0")/.."
mvn="./mvnw -q -B"
jars=client/target/bench
# site.ycsb.Client needs HTrace, which the project itself does without.
[ -f "$jars/htrace-core4-4.1.0-incubating.jar" ] || $mvn -pl .,bom dependency:copy \
    -Dartifact=org.apache.htrace:htrace-core4:4.1.0-incubating -DoutputDirectory="$PWD/$jars"
$mvn -pl client -am test-compile dependency:build-classpath -Dmdep.outputFile=target/bench.classpath \
    -Dmdep.includeScope=test
. bench/common/pairs.sh
out=$(mktemp)
trap 'rm -f "$out"' EXIT
{ java -cp "client/target/test-classes:client/target/classes:$(cat client/target/bench.classpath):$PWD/$jars/*" \
    io.ycsbdrill.client.bench.LoopBench "$@" && echo reached; } | tee "$out"
sed -n 's:^workload \(.*\), \(.*\) threads, median .* CPU per op \([0-9.]*\), allocation per op \([0-9.]*\)$:\1 \2 \3 \4:p' "$out" |
    while read -r workload threads cpu allocation; do
        record loop "$workload, $threads threads: CPU to stock YCSB" less "$cpu"
        record loop "$workload, $threads threads: allocation to stock YCSB" less "$allocation"
    done
tail -n 1 "$out" | grep -qx reached # otherwise a goal was missed
