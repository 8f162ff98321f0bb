#!/usr/bin/env bash
# What a run costs from its start to its end, with what Java loads, compiles and collects, by the JVM's settings and the length of the run:
# collectors, compilers, a class-data sharing archive of all that a run loads and, on Java 25 and later, an ahead-of-time cache with profiles,
# both made by a training run of 50 000 operations. Client CPU of the whole process, divided by the operations.
# usage: bench/warmup.sh native|jdbc [lengths [rounds [threads [workload]]]]     (default: "50000 200000 1000000", 3, 8, c)
# SETTINGS: which of default, serial, parallel, c1, cds and aot are compared; all by default.
# The cluster is the one that `bin/ycsb cluster up ndb` has started; its table is loaded when it is empty. JAVA_HOME chooses the JVM. Exit code 1 when an
# operation failed, 2 without a cluster.
set -euo pipefail
cd "$(dirname "$0")/.."
binding=${1:-}
lengths=${2:-50000 200000 1000000}
rounds=${3:-3}
threads=${4:-8}
workload=${5:-c}
rows=20000
. bench/common/pairs.sh
fail() {
    echo "bench/warmup.sh: $1" >&2
    exit "${2:-2}"
}
case $binding in native) name=ndb.connectstring ;; jdbc) name=db.url ;; *) fail "usage: bench/warmup.sh native|jdbc [lengths [rounds [threads [workload]]]]" ;; esac
[ -n "$(from_state "$name" ndb)" ] || fail "no cluster: run 'bin/ycsb cluster up ndb'"
to=()
[ "$binding" != native ] || to=(--engine ndb)
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
version=$("$java" -version 2>&1 | sed -n 's/.*version "\([^"]*\).*/\1/p')
settings=${SETTINGS:-default serial parallel c1 cds}
[ -n "${SETTINGS:-}" ] || [ "${version%%.*}" -lt 25 ] || settings="$settings aot"
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
TIMEFORMAT='%R %U %S'

# run OPERATIONS OPTIONS: seconds and CPU seconds of a run.
run() {
    { time YCSB_JVM_ARGS="${YCSB_JVM_ARGS:-} $2" bin/ycsb run "$binding" ${to[@]+"${to[@]}"} -P "workloads/workload$workload" -threads "$threads" \
        -p recordcount="$rows" -p operationcount="$1" --out "$out/run" >"$out/text" 2>"$out/err"; } 2>"$out/time" ||
        { tail -n 5 "$out/err" >&2; fail "a run failed" 1; }
    rm -rf "$out/run"
    ! grep -q 'Return=[^O]' "$out/text" || { grep 'Return=' "$out/text" >&2; fail "operations failed" 1; }
    awk '{ print $1, $2 + $3 }' "$out/time"
}

run 1000 "" >"$out/first" # loads the rows when there are none
case " $settings " in
    *" cds "*)
        run 50000 "-XX:ArchiveClassesAtExit=$out/classes.jsa" >"$out/training" # on top of the build's own archive, if there is one
        [ -s "$out/classes.jsa" ] || fail "the archive of classes was not made" 1
        ;;
esac
case " $settings " in
    *" aot "*)
        [ ! -f "client/target/ycsb-$version.jsa" ] || fail "remove client/target/ycsb-$version.jsa: Java takes it or the ahead-of-time cache, not both"
        run 50000 "-XX:AOTCacheOutput=$out/run.aot" >"$out/training"
        [ -s "$out/run.aot" ] || fail "the ahead-of-time cache was not made" 1
        ;;
esac
options() {
    case $1 in
        default) ;;
        serial) echo -XX:+UseSerialGC ;;
        parallel) echo -XX:+UseParallelGC ;;
        c1) echo -XX:TieredStopAtLevel=1 ;;
        cds) echo "-XX:SharedArchiveFile=$out/classes.jsa" ;;
        aot) echo "-XX:AOTCache=$out/run.aot" ;;
    esac
}
: >"$out/results"
for ((round = 1; round <= rounds; round++)); do
    for length in $lengths; do
        for setting in $settings; do
            figures=$(run "$length" "$(options "$setting")")
            echo "$setting $length $figures" | tee -a "$out/results" >&2
        done
    done
done
echo "$binding on ndb, workload $workload, $threads threads, Java $version, $(machine), medians of $rounds"
echo
echo "| operations | settings | the run took | client CPU | per operation | to default |"
echo "|---|---|---|---|---|---|"
for length in $lengths; do
    for setting in $settings; do
        cpu=$(median_of "$out/results" "$setting" "$length" 4)
        ratio=$(awk -v s="$setting" -v n="$length" '$2 == n && $1 == "default" { a[++i] = $4 } $2 == n && $1 == s { b[++j] = $4 }
            END { for (k = 1; k <= i; k++) print b[k] / a[k] }' "$out/results" | median)
        awk -v n="$length" -v s="$setting" -v t="$(median_of "$out/results" "$setting" "$length" 3)" -v c="$cpu" -v r="$ratio" \
            'BEGIN { printf "| %d | %s | %.1f s | %.2f s | %.1f µs | %.2f |\n", n, s, t, c, 1e6 * c / n, r }'
    done
done
