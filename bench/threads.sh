#!/usr/bin/env bash
# What a client thread costs by kind and number: the bare driver (MariaDB's) with platform threads and, on Java 21 and later, virtual threads, each
# on a connection of its own. The SQL node has processor 0 to itself (bin/ycsb cluster up ndb --cores 1), the client the others. Says what of
# bench/client.sh jdbc is the driver's and the kernel's share, not the binding's.
# usage: bench/threads.sh [levels [rounds [seconds [warm-up]]]]     (default: "8 48 500", 3, 8, 20)
# ON: whose cluster of `bin/ycsb cluster up` is used: ndb (default) or galera. Its table is loaded when it is empty.
# Exit code 1 when a read failed, 2 without a cluster.
set -euo pipefail
cd "$(dirname "$0")/.."
levels=${1:-8 48 500}
rounds=${2:-3}
seconds=${3:-8}
warmup=${4:-20}
rows=20000
engine=${ON:-ndb}
. bench/common/pairs.sh
fail() {
    echo "bench/threads.sh: $1" >&2
    exit "${2:-2}"
}
url=$(from_state db.url "$engine" | sed 's:\(//[^,/]*\),[^/]*:\1:')
user=$(from_state db.user "$engine")
[ -n "$url" ] || fail "no cluster: run 'bin/ycsb cluster up $engine'"
processors=$(($(nproc) - 1))
[ "$processors" -ge 1 ] || fail "one processor is for the servers and at least one for the client; this machine has $(nproc)"
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
"${java}c" -d "$out" bench/threads/BareThreads.java
kinds=platform
[ "$("$java" -version 2>&1 | sed -n 's/.*version "\([0-9]*\).*/\1/p')" -lt 21 ] || kinds="platform virtual"
# Loads the rows when there are none.
bin/ycsb run jdbc -P workloads/workloadc -p db.url="$url" -p db.user="$user" -p recordcount="$rows" -p insertorder=ordered -p db.batchsize=100 \
    -p operationcount=1000 -threads 4 --out "$out/load" >"$out/text" 2>"$out/err" || { cat "$out/err" >&2; fail "the rows could not be loaded" 1; }
: >"$out/results"
for ((round = 1; round <= rounds; round++)); do
    for level in $levels; do
        for kind in $kinds; do
            # Java's choice of a collector follows the number of processors, which is that of a client machine here.
            figures=$(DB_PASSWD="${DB_PASSWD:-}" taskset -c "1-$processors" "$java" -XX:ActiveProcessorCount=$((processors > 1 ? processors : 2)) \
                -cp "$out:$(ls client/target/lib/mariadb-java-client-*.jar)" BareThreads "$url" "$user" \
                "$level" "$kind" "$warmup" "$seconds" "$rows") || fail "reads failed" 1
            echo "$level $kind $figures" | tee -a "$out/results" >&2
        done
    done
done
echo "MariaDB's driver on $engine, Java $("$java" -version 2>&1 | sed -n 's/.*version "\([^"]*\).*/\1/p'), $(machine), medians of $rounds"
echo
echo "| threads | kind | reads/s here | CPU of a read: own code | the kernel |"
echo "|---|---|---|---|---|"
for level in $levels; do
    for kind in $kinds; do
        m() { median_of "$out/results" "$level" "$kind" "$1"; }
        printf '| %s | %s | %.0f | %.1f µs | %.1f µs |\n' "$level" "$kind" "$(m 3)" "$(m 4)" "$(m 5)"
    done
done
