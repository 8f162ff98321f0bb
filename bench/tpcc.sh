#!/bin/sh
# Compares a new-order of the TPC-C-like workload in mode tx with the same statements through the bare driver, on the same server and
# table: transactions per second and client CPU for each. jdbc: the driver of the URL. native: ClusterJ.
# usage: bench/tpcc.sh jdbc|native [pairs [seconds]]     (default: 5 pairs of 5 seconds, after 8 seconds of warm-up)
# The server: for jdbc DB_URL (with DB_USER, DB_PASSWD); else the NDB cluster that `bin/ycsb cluster up ndb` has started.
# The table `benchtx` is made and, by jdbc, dropped at the end.
# Exit code 1 when our CPU time is above 1.15 times the bare driver's (median of the ratios of the pairs), 2 without a server.
set -eu
cd "$(dirname "$0")/.."
binding=${1:-}
pairs=${2:-5}
seconds=${3:-5}
. bench/common/pairs.sh
url=${DB_URL:-$(from_state db.url)}
user=${DB_USER:-$(from_state db.user)}
[ -n "$url" ] || { echo "bench/tpcc.sh: no server: run 'bin/ycsb cluster up ndb', or set DB_URL" >&2; exit 2; }

compile() { # module, more of the classpath, sources
    ./mvnw -q -B -pl "bindings/$1" -am test-compile dependency:build-classpath \
        -Dmdep.outputFile=target/bench.classpath -Dmdep.includeScope=test -Dspotless.check.skip
    out=bindings/$1/target/bench-tpcc
    mkdir -p "$out"
    classpath="$out:$2bindings/$1/target/classes:$(cat "bindings/$1/target/bench.classpath")"
    shift 2
    javac -d "$out" -cp "$classpath" bench/common/Cpu.java bench/tpcc/TxBench.java bench/tpcc/OurClient.java "$@"
}
export DB_PASSWD="${DB_PASSWD:-}"
in_java() {
    java -XX:-UseDynamicNumberOfCompilerThreads -cp "$classpath" -Ddb.url="$url" ${user:+-Ddb.user="$user"} \
        ${DB_PASSWD:+-Ddb.passwd.env=DB_PASSWD} -Dbench.seconds="$seconds" "$@"
}
case $binding in
    jdbc)
        compile jdbc '' bench/tpcc/BareDriver.java
        rival=BareDriver
        set -- -Dbench.binding=io.ycsbdrill.binding.jdbc.JdbcBinding
        in_java BareDriver
        trap 'in_java BareDriver' EXIT
        ;;
    native)
        home=${NDB_HOME:-$(from_state ndb.home)}
        connectstring=${NDB_CONNECTSTRING:-$(from_state ndb.connectstring)}
        jar=$(ls "$home"/share/java/clusterj*.jar "$home"/share/mysql/java/clusterj*.jar 2>/dev/null | grep -v -e '-api' -e '-test' | tail -1)
        [ -n "$jar" ] || { echo "bench/tpcc.sh: no clusterj*.jar in $home/share/java or $home/share/mysql/java" >&2; exit 2; }
        library=$(dirname "$(find "$home"/lib* -name 'libndbclient.so*' | head -1)")
        compile jdbc '' bench/tpcc/BareDriver.java
        in_java BareDriver
        compile native "$jar:" bench/tpcc/BareClusterJ.java
        rival=BareClusterJ
        set -- -Djava.library.path="$library" -Dndb.home="$home" -Dndb.connectstring="$connectstring" \
            -Dndb.sql="$(from_state ndb.sql)" -Dndb.sql.user="$(from_state ndb.sql.user)" \
            -Dbench.binding=io.ycsbdrill.binding.ndb.NdbBinding
        ;;
    *) echo "usage: bench/tpcc.sh jdbc|native [pairs [seconds]]" >&2; exit 2 ;;
esac
# A process for each, as the client library of NDB can be loaded only once; in turn, and each first as often as the other.
: >"$out/results.txt"
pair=1
while [ "$pair" -le "$pairs" ]; do
    if [ $((pair % 2)) -eq 1 ]; then order="OurClient $rival"; else order="$rival OurClient"; fi
    for client in $order; do
        in_java "$@" TxBench "$client" 2>"$out/err" >>"$out/results.txt" || true
    done
    pair=$((pair + 1))
done
[ "$(wc -l <"$out/results.txt")" -eq $((2 * pairs)) ] || { echo "bench/tpcc.sh: the comparison did not finish" >&2; cat "$out/err" >&2; exit 1; }
record tpcc "$binding: client CPU of a new-order to $rival" less "$(ratio_of "$out/results.txt" "$rival" new-order 4)"
awk -v a="$(median_of "$out/results.txt" OurClient new-order 3)" -v b="$(median_of "$out/results.txt" "$rival" new-order 3)" \
    -v c="$(median_of "$out/results.txt" OurClient new-order 4)" -v d="$(median_of "$out/results.txt" "$rival" new-order 4)" \
    -v r="$(ratio_of "$out/results.txt" "$rival" new-order 3)" -v s="$(ratio_of "$out/results.txt" "$rival" new-order 4)" 'BEGIN {
    printf "new-order: ours %.0f tx/s, bare %.0f tx/s, ratio %.2f; client CPU ours %.0f us, bare %.0f us, ratio %.2f\n", a, b, r, c, d, s
    print (s > 1.15 ? "verdict: FAIL (CPU above 1.15 times the bare driver'"'"'s)" : "verdict: PASS (CPU at most 1.15 times the bare driver'"'"'s)")
    exit (s > 1.15) }'
