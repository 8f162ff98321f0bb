#!/bin/sh
# What an idle fault proxy costs: the same requests to the same server directly and through the proxy, in turn.
# usage: bench/proxy.sh [pairs [seconds-per-round]]     (default: 9 pairs of 2 seconds)
# The server is a process of its own; the proxy is in the client's process, as in a drill.
# Exit code 1 when it adds 100 us or more to the median round trip of one connection, or costs 5 % or more of the bytes per second.
set -eu
cd "$(dirname "$0")/.."
pairs=${1:-9}
seconds=${2:-2}
./mvnw -q -B -pl faultinject -am test-compile dependency:build-classpath \
    -Dmdep.outputFile=target/bench.classpath -Dmdep.includeScope=runtime
out=faultinject/target/bench
mkdir -p "$out"
classpath="faultinject/target/classes:$(cat faultinject/target/bench.classpath)"
javac -d "$out" -cp "$classpath" bench/proxy/Bench.java

rm -f "$out/port" "$out/stop"
mkfifo "$out/stop"
java -cp "$out:$classpath" Bench server <"$out/stop" >"$out/port" &
exec 3>"$out/stop"
trap 'exec 3>&-; wait' EXIT
while [ ! -s "$out/port" ]; do sleep 0.1; done
java -cp "$out:$classpath" Bench client "$(cat "$out/port")" "$pairs" "$seconds" | tee "$out/result.txt"
. bench/common/pairs.sh
record proxy "bytes per second through the proxy to direct" more "$(awk '/ratio/ { ratio = $NF } END { print ratio }' "$out/result.txt")"
awk '/^1 connection:/ { added = $(NF - 2) } /ratio/ { ratio = $NF }
    END { exit !(added < 100 && ratio > 0.95) }' "$out/result.txt"
