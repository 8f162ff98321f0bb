#!/bin/sh
# Compares our native binding with a bare ClusterJ loop on the same NDB cluster and table: throughput and client CPU per operation.
# usage: bench/native.sh [pairs [seconds-per-operation]]     (default: 5 pairs of 4 seconds)
# The cluster: NDB_CONNECTSTRING and NDB_HOME (and NDB_SQL, an SQL node as host:port), or the one that `bin/ycsb cluster up ndb` has started.
# Exit code 1 when our CPU time per operation is above 1.15 times ClusterJ's for any operation (medians of the ratios of the pairs), 2 without a cluster.
set -eu
cd "$(dirname "$0")/.."
pairs=${1:-5}
seconds=${2:-4}
. bench/common/pairs.sh
connectstring=${NDB_CONNECTSTRING:-$(from_state ndb.connectstring)}
home=${NDB_HOME:-$(from_state ndb.home)}
sql=${NDB_SQL:-$(from_state ndb.sql)}
user=${NDB_SQL_USER:-$(from_state ndb.sql.user)}
if [ -z "$connectstring" ] || [ -z "$home" ]; then
    echo "bench/native.sh: no cluster: run 'bin/ycsb cluster up ndb', or set NDB_CONNECTSTRING and NDB_HOME" >&2
    exit 2
fi
jar=$(ls "$home"/share/java/clusterj*.jar "$home"/share/mysql/java/clusterj*.jar 2>/dev/null | grep -v -e '-api' -e '-test' | tail -1)
[ -n "$jar" ] || { echo "bench/native.sh: no clusterj*.jar in $home/share/java or $home/share/mysql/java" >&2; exit 2; }
library=$(dirname "$(find "$home"/lib* -name 'libndbclient.so*' | head -1)")

./mvnw -q -B -pl bindings/native -am test-compile dependency:build-classpath \
    -Dmdep.outputFile=target/bench.classpath -Dmdep.includeScope=runtime
out=bindings/native/target/bench
mkdir -p "$out"
classpath="bindings/native/target/classes:$(cat bindings/native/target/bench.classpath)"
javac -d "$out" -cp "$jar:$classpath" bench/common/*.java bench/native/*.java

measure() {
    java -XX:-UseDynamicNumberOfCompilerThreads -cp "$out:$jar:$classpath" -Djava.library.path="$library" -Dndb.home="$home" \
        -Dndb.connectstring="$connectstring" ${sql:+-Dndb.sql="$sql"} ${user:+-Dndb.sql.user="$user"} \
        -Dbench.binding=io.ycsbdrill.binding.ndb.NdbBinding -Dbench.seconds="$seconds" Bench "$1" 2>"$out/$1.err" |
        grep "^$1 " >"$out/one.txt" || { cat "$out/$1.err" >&2; exit 1; }
    [ "$(wc -l <"$out/one.txt")" -eq 4 ] || { echo "bench/native.sh: $1 did not finish" >&2; cat "$out/$1.err" >&2; exit 1; }
    cat "$out/one.txt" >>"$out/results.txt"
}
: >"$out/results.txt"
pair=1
while [ "$pair" -le "$pairs" ]; do
    # In turn, and each first as often as the other.
    if [ $((pair % 2)) -eq 1 ]; then order="OurClient ClusterJClient"; else order="ClusterJClient OurClient"; fi
    for client in $order; do
        measure "$client"
    done
    pair=$((pair + 1))
done
compare native ClusterJClient ClusterJ "$out/results.txt"
