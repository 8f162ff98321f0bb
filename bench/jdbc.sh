#!/bin/sh
# Compares our jdbc binding with a bare loop on the same driver (MySQL Connector/J), server and table: throughput and client CPU per operation;
# then loads by batches with loads row by row; then, on an NDB cluster that is up, `native` with `jdbc` on workloads A to E.
# usage: bench/jdbc.sh [pairs [seconds-per-operation]]     (default: 5 pairs of 4 seconds)
# The server: DB_URL (with DB_USER, DB_PASSWD), or the SQL node of the cluster that `bin/ycsb cluster up ndb` has started.
# NATIVE_PAIRS (default 3) and NATIVE_SECONDS (default 10, and 5 s of warm-up) are for the last part; NATIVE_PAIRS=0 leaves it out.
# The tables `bench` and `benchload` are made in the database of the URL and dropped at the end.
# Exit code 1 when our CPU time per operation is above 1.15 times the bare loop's for any operation (medians of the ratios of the pairs), or a load by batches has less than
# 4 times the rows per second of one row by row (medians of three), or a run of the last part failed; 2 without a server.
set -eu
cd "$(dirname "$0")/.."
pairs=${1:-5}
seconds=${2:-4}
. bench/common/pairs.sh
url=${DB_URL:-$(from_state db.url)}
user=${DB_USER:-$(from_state db.user)}
[ -n "$url" ] || { echo "bench/jdbc.sh: no server: run 'bin/ycsb cluster up ndb', or set DB_URL" >&2; exit 2; }

./mvnw -q -B -pl bindings/jdbc -am test-compile dependency:build-classpath \
    -Dmdep.outputFile=target/bench.classpath -Dmdep.includeScope=test
out=bindings/jdbc/target/bench
mkdir -p "$out"
classpath="$out:bindings/jdbc/target/classes:$(cat bindings/jdbc/target/bench.classpath)"
javac -d "$out" -cp "$classpath" bench/common/*.java bench/jdbc/*.java

# The password goes by the environment, so that it is in no list of processes.
export DB_PASSWD="${DB_PASSWD:-}"
in_java() {
    java -XX:-UseDynamicNumberOfCompilerThreads -cp "$classpath" -Ddb.url="$url" ${user:+-Ddb.user="$user"} ${DB_PASSWD:+-Ddb.passwd.env=DB_PASSWD} \
        -Dbench.binding=io.ycsbdrill.binding.jdbc.JdbcBinding -Dbench.seconds="$seconds" "$@"
}
drop() { in_java DropTables bench benchload; }
drop
trap drop EXIT

# In one process, in turn: what the machine does beside it, and what the JVM has compiled, is then the same for both.
in_java -Dbench.pairs="$pairs" -Dbench.warm=6 Bench OurClient BareClient 2>"$out/err" >"$out/results.txt" || true
[ "$(wc -l <"$out/results.txt")" -eq $((8 * pairs)) ] || { echo "bench/jdbc.sh: the comparison did not finish" >&2; cat "$out/err" >&2; exit 1; }
verdict=0
compare jdbc BareClient bare "$out/results.txt" || verdict=1

# The workload's 10 fields of 100 bytes; each load has keys of its own.
rows=${ROWS:-20000}
load() {
    bin/ycsb load jdbc -P workloads/workloada -p table=benchload -p recordcount=1000000 -p insertstart="$3" -p insertcount="$rows" \
        -p db.url="$url" ${user:+-p db.user="$user"} ${DB_PASSWD:+-p db.passwd.env=DB_PASSWD} -p db.batchsize="$2" -threads 2 \
        --out "$out/load" >"$out/text" 2>"$out/err" || { cat "$out/err" >&2; exit 1; }
    rm -rf "$out/load"
    sed -n "s/^\[OVERALL\], Throughput(ops\/sec), \([0-9.]*\).*/load $1 \1/p" "$out/text" >>"$out/loads.txt"
}
: >"$out/loads.txt"
start=0
for round in 1 2 3; do
    for kind in "batches 200" "rows 1"; do
        # shellcheck disable=SC2086
        load $kind "$start"
        start=$((start + rows))
    done
done
awk -v b="$(median_of "$out/loads.txt" load batches 3)" -v r="$(median_of "$out/loads.txt" load rows 3)" 'BEGIN {
    printf "load: by batches of 200 %.0f rows/s, row by row %.0f rows/s, ratio %.1f\n", b, r, b / r; exit b / r < 4 }' || verdict=1

if [ -z "${DB_URL:-}" ] && [ "${NATIVE_PAIRS:-3}" -gt 0 ]; then
    for letter in a b c d e; do
        if bench/native-vs-jdbc.sh "workload$letter" "${NATIVE_PAIRS:-3}" "${NATIVE_SECONDS:-10}" 4 >"$out/text"; then
            tail -n 1 "$out/text"
        else
            echo "workload$letter, native and jdbc: not compared"
            verdict=1
        fi
    done
fi
if [ $verdict -eq 0 ]; then
    echo "verdict: PASS (CPU per operation at most 1.15 times the bare loop's, load by batches at least 4 times row by row)"
else
    echo "verdict: FAIL (a ratio of CPU is above 1.15, that of the loads below 4, or a workload was not compared)"
fi
exit $verdict
