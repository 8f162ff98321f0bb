#!/bin/sh
# What an idle fault proxy costs a run: one workload through `jdbc` on the first SQL server of a cluster, directly, through the proxy and through HAProxy, in turn;
# first as fast as it goes, then at fixed rates below the direct maximum.
# usage: bench/proxy-jdbc.sh [workload [pairs [seconds [threads]]]]     (default: workloadb, 5 pairs of 8 seconds, 8 threads)
#   RATES="max 50"      percentages of the direct maximum (the median of "max", which must come first); 1500/s is that many operations per second
#   WARM=14             seconds before each measurement, in which Java compiles
#   PIN=1               cluster on CPU 0, client and proxy on CPU 1 (taskset; as it was afterwards)
# The cluster is the one that `bin/ycsb cluster up ndb` (or `galera`; set ENGINE=galera) has started; HAProxy takes part when it was started with --haproxy and has
# one SQL server. ROWS (default 5000) rows are loaded when its table is empty. Client, proxy, servers and data nodes share the machine, as in a drill on a cluster of one's own.
# Prints for each rate: op/s, READ p50 and p99 in us, and us of CPU time per operation of the cluster, the client and the proxy, which hardly depends on what else the machine does.
# Exit code 1 when the proxy costs 5 % or more of the operations per second at a fixed rate (median of the ratios of the pairs), or at "max" when no other was asked
# for; 2 without a cluster.
set -eu
cd "$(dirname "$0")/.."
workload=${1:-workloadb}
pairs=${2:-5}
seconds=${3:-8}
threads=${4:-8}
rows=${ROWS:-5000}
warm=${WARM:-14}
rates=${RATES:-max 50}
engine=${ENGINE:-ndb}
home=${YCSB_DRILL_STATE:-${XDG_STATE_HOME:-$HOME/.local/state}/ycsb-drill}/$engine
. bench/common/pairs.sh
servers=$(from_state sqlPorts "$engine")
haproxy=$(from_state haproxyPort "$engine")
if [ -n "$servers" ]; then server=127.0.0.1:${servers%%[!0-9]*}; else server=$(from_state db.hosts "$engine"); server=${server%%,*}; fi
case $servers in '' | *[!0-9]*) haproxy= ;; esac
[ -n "$server" ] || { echo "bench/proxy-jdbc.sh: no cluster: run 'bin/ycsb cluster up ndb --sql-nodes 1'" >&2; exit 2; }
./mvnw -q -B -pl faultinject -am test-compile dependency:build-classpath \
    -Dmdep.outputFile=target/bench.classpath -Dmdep.includeScope=runtime
bin/ycsb --version >/dev/null
classes=faultinject/target/bench
mkdir -p "$classes"
classpath="faultinject/target/classes:$(cat faultinject/target/bench.classpath)"
javac -d "$classes" -cp "$classpath" bench/proxy/Bench.java

# The processes of the cluster are those whose command line has its directory.
processes() { grep -lF "$home/cluster" /proc/[0-9]*/cmdline 2>/dev/null | sed 's|/proc/\([0-9]*\)/.*|\1|'; }
rival=
cluster=
for pid in $(processes); do
    # One of them may have ended meanwhile, as a command of this shell.
    [ -r "/proc/$pid/stat" ] || continue
    case $(cut -d' ' -f2 "/proc/$pid/stat") in
        *haproxy*) rival=$pid ;;
        *) cluster="$cluster $pid" ;;
    esac
done
out=$(mktemp -d)
mkfifo "$out/stop"
java -cp "$classes:$classpath" Bench before "${server##*:}" <"$out/stop" >"$out/port" &
own=$!
exec 3>"$out/stop"
place() { for pid in $2; do taskset -acp "$1" "$pid" >/dev/null; done; }
everywhere=$(taskset -cp $$ 2>/dev/null | sed 's/.*: //')
finish() {
    exec 3>&-
    wait
    [ -z "${PIN:-}" ] || place "$everywhere" "$cluster $rival"
    rm -rf "$out"
}
trap finish EXIT
while [ ! -s "$out/port" ]; do sleep 0.1; done
proxy=$(cat "$out/port")
client_cpu=
if [ -n "${PIN:-}" ]; then
    place 0 "$cluster"
    place 1 "$own $rival"
    client_cpu="taskset -c 1"
fi

# CPU time of processes in us; the clock in s.
cpu() { for pid in $1; do sed 's/.*) //' "/proc/$pid/stat"; done 2>/dev/null | awk -v t="$(getconf CLK_TCK)" '{ n += $12 + $13 } END { printf "%.0f\n", n * 1e6 / t }'; }
now() { cut -d' ' -f1 /proc/uptime; }

# measure NAME PORT PROXY-PIDS RATE TARGET: a line "NAME RATE op/s p50 p99 cluster client proxy" of results.
measure() {
    $client_cpu bin/ycsb run jdbc -P "workloads/$workload" -p table=proxybench -p recordcount="$rows" -p insertproportion=0 -p db.url="jdbc:mysql://127.0.0.1:$2/ycsb" -p db.user=ycsb \
        -threads "$threads" ${5:+-target "$5"} --warmup "$warm"s --duration "$((warm + seconds + 2))"s --out "$out/run" >"$out/text" 2>"$out/err" &
    client=$!
    # What is measured lies within the run, whose start takes a second or two.
    sleep $((warm + 1))
    a="$(cpu "$cluster") $(cpu "$client") $(cpu "$3") $(now)"
    sleep $((seconds - 1))
    b="$(cpu "$cluster") $(cpu "$client") $(cpu "$3") $(now)"
    wait "$client" || { cat "$out/err" >&2; exit 1; }
    sed -n "s/^\[OVERALL\], Throughput(ops\/sec), //p" "$out/text" >"$out/rate"
    awk '/"READ"/ { r = 1 } r && /"p50Micros"/ { gsub(/[^0-9.]/, "", $3); print $3 } r && /"p99Micros"/ { gsub(/[^0-9.]/, "", $3); print $3; exit }' \
        "$out/run/summary.json" >"$out/times"
    rm -rf "$out/run"
    # shellcheck disable=SC2046
    echo "$1 $4 $(cat "$out/rate")" $(cat "$out/times") "$a $b" | awk '{
        n = $3 * ($13 - $9); printf "%s %s %.0f %.0f %.0f %.1f %.1f %.1f\n", $1, $2, $3, $4, $5, ($10 - $6) / n, ($11 - $7) / n, ($12 - $8) / n }' | tee -a "$out/results"
}
names="Direct OurClient"
[ -z "$haproxy" ] || [ -z "$rival" ] || names="$names HAProxy"
each() {
    for name in $3; do
        case $name in
            Direct) measure Direct "${server##*:}" "" "$1" "$2" ;;
            OurClient) measure OurClient "$proxy" "$own" "$1" "$2" ;;
            HAProxy) measure HAProxy "$haproxy" "$rival" "$1" "$2" ;;
        esac
    done
}
: >"$out/results"
each warm "" "$names"
: >"$out/results"
for rate in $rates; do
    target=
    case $rate in
        max) ;;
        */s) target=${rate%/s} ;;
        *) target=$(awk -v m="$(median_of "$out/results" Direct max 3)" -v p="$rate" 'BEGIN { printf "%.0f", m * p / 100 }') ;;
    esac
    pair=1
    while [ "$pair" -le "$pairs" ]; do
        # Each is first as often as last.
        if [ $((pair % 2)) -eq 1 ]; then order=$names; else order=$(for n in $names; do echo "$n"; done | sort -r); fi
        each "$rate" "$target" "$order"
        pair=$((pair + 1))
    done
done
failed=0
echo "$workload, $threads threads; medians; us of CPU time per operation:"
printf '%-6s %-9s %8s %8s %8s %9s %9s %9s\n' rate through op/s 'p50 us' 'p99 us' cluster client proxy
for rate in $rates; do
    for name in $names; do
        printf '%-6s %-9s %8.0f %8.0f %8.0f %9.1f %9.1f %9.1f\n' "$rate" "$name" $(for c in 3 4 5 6 7 8; do median_of "$out/results" "$name" "$rate" "$c"; done)
    done
    ratio=$(ratio_of "$out/results" Direct "$rate" 3)
    echo "$rate: ratio $ratio of the direct throughput through the idle proxy"
    record proxy-jdbc "$workload at $rate: throughput through the proxy to direct" more "$ratio"
    judged=$([ "$rate" = max ] && [ "$rates" != max ] || echo yes)
    [ -z "$judged" ] || awk -v r="$ratio" 'BEGIN { exit r <= 0.95 }' || failed=1
done
exit $failed
