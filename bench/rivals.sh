#!/usr/bin/env bash
# Compares a binding with the client that people would otherwise use, in turn, on the same rows of the same cluster: `native` with RonDB's
# fork of YCSB (ClusterJ), `jdbc` with upstream YCSB's (Connector/J), `rest` with upstream YCSB's, which can only read with these workloads.
# Each is started as its users do, ours with the driver that `cluster up` chooses. Figures are those of many operations less those of 1000,
# so start-up is taken out; it is shown beside them.
# usage: bench/rivals.sh native|jdbc|rest [workloads [threads [pairs [operations]]]]     (default: "c a e", 8, 5, 200000; of e a tenth)
#        Workloads and numbers of threads are lists: bench/rivals.sh jdbc "a b c d e f" "1 8 48"
# RIVAL: a folder with the rival's jars, built from its sources (github.com/logicalclocks/ycsb, github.com/brianfrankcooper/YCSB), and for
# jdbc its driver.
# ON: whose cluster of `bin/ycsb cluster up` is used: ndb (the default of native and jdbc), galera (jdbc) or embedded (rest). Its table
# `usertable` is made anew with ROWS (50000) rows; both clients talk to the same server of it. Or nginx (rest), which is started here and
# answers every read with the same row of 1 KB: a server that costs as little as one can. It listens at PORT (18080) of the loopback address.
# Inserts are left out (E becomes scans alone, D reads of the newest rows): those of one run would meet the rows of the run before.
# Exit code 1 when an operation of a run failed, 2 without a cluster or a rival.
set -euo pipefail
cd "$(dirname "$0")/.."
binding=${1:-}
workloads=${2:-c a e}
levels=${3:-8}
pairs=${4:-5}
operations=${5:-200000}
rows=${ROWS:-50000}
few=1000
. bench/common/pairs.sh
fail() {
    echo "bench/rivals.sh: $1" >&2
    exit "${2:-2}"
}
[ -d "${RIVAL:-}" ] || fail "set RIVAL to a folder with the rival's jars"
case $binding in rest) engine=${ON:-embedded} ;; *) engine=${ON:-ndb} ;; esac
case $binding-$engine in
    native-ndb) name=ndb.connectstring ;;
    jdbc-ndb | jdbc-galera) name=db.url ;;
    rest-embedded | rest-nginx) name=rest.endpoints ;;
    *) fail "usage: RIVAL=DIR [ON=ndb|galera|embedded|nginx] bench/rivals.sh native|jdbc|rest [workloads [threads [pairs [operations]]]]" ;;
esac
out=$(mktemp -d)
nginx=
end() {
    [ -z "$nginx" ] || kill "$nginx" 2>/dev/null || true
    rm -rf "$out"
}
trap end EXIT
if [ "$engine" = nginx ]; then
    command -v nginx >/dev/null || fail "no nginx on the PATH (Debian: apt-get install nginx)"
    row=$(for field in 0 1 2 3 4 5 6 7 8 9; do printf '"FIELD%d":"%0100d",' "$field" "$field"; done)
    cat >"$out/nginx.conf" <<END
daemon off;
pid $out/pid;
events {}
http {
    access_log off;
    keepalive_requests 1000000000;
    client_body_temp_path $out/t1; proxy_temp_path $out/t2; fastcgi_temp_path $out/t3; uwsgi_temp_path $out/t4; scgi_temp_path $out/t5;
    server {
        listen 127.0.0.1:${PORT:-18080};
        location = /tables/usertable { return 200; }
        location /tables/usertable/rows/ { default_type application/json; return 200 '{${row%,}}'; }
    }
}
END
    nginx -p "$out" -e "$out/errors" -c "$out/nginx.conf" &
    nginx=$!
    server=http://127.0.0.1:${PORT:-18080}
    # It writes its number when it has the port: until then it may be another server that answers there.
    for ((wait = 0; wait < 100; wait++)); do [ ! -s "$out/pid" ] || break; sleep 0.1; done
    [ -s "$out/pid" ] || { cat "$out/errors" >&2; fail "nginx cannot be started at port ${PORT:-18080}; choose another with PORT" 1; }
else
    server=$(from_state "$name" "$engine")
    [ -n "$server" ] || fail "no cluster: run 'bin/ycsb cluster up $engine'"
fi
# One server of several: what the clients do with more of them is another question.
case $binding in
    jdbc) server=$(echo "$server" | sed 's:\(//[^,/]*\),[^/]*:\1:') ;;
    rest) server=${server%%,*} ;;
esac
ours=(-p "$name=$server")
url=$(from_state db.url "$engine" | sed 's:\(//[^,/]*\),[^/]*:\1:')
mysql=jdbc:mysql:${url#jdbc:*:}
user=$(from_state db.user "$engine")
[ "$binding" != jdbc ] || ours+=(-p "db.user=$user") # a server that is named brings no user
home=${NDB_HOME:-$(from_state ndb.home)}
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
case $binding in
    native)
        clusterj=$(find "$home" -name 'clusterj*.jar' ! -name '*-api*' ! -name '*test*' | sort | tail -1)
        library=$(dirname "$(find "$home"/lib* -name 'libndbclient.so*' | head -1)")
        rival=(--add-opens java.base/java.lang=ALL-UNNAMED -Djava.library.path="$library" -cp "$RIVAL/*:$clusterj" site.ycsb.Client
            -db site.ycsb.db.RonDBClient -p rondb.connection.string="$(from_state ndb.connectstring)" -p rondb.schema=ycsb)
        ;;
    jdbc)
        rival=(-cp "$RIVAL/*" site.ycsb.Client -db site.ycsb.db.JdbcDBClient -p db.driver=com.mysql.cj.jdbc.Driver
            -p db.url="$mysql" -p db.user="$user" -p db.passwd="${DB_PASSWD:-}")
        ;;
    rest)
        # Upstream's adds the key and nothing else.
        rival=(-cp "$RIVAL/*" site.ycsb.Client -db site.ycsb.webservice.rest.RestClient -p url.prefix="$server/tables/usertable/rows/"
            -p timeout.con=5 -p timeout.read=5 -p timeout.exec=5)
        [ -z "$(echo "$workloads" | tr -d 'cd ')" ] || fail "upstream's rest can only read: give workloads c or d"
        ;;
esac
TIMEFORMAT='%R %U %S'

common() { # workload, threads, operations
    echo "-P workloads/workload$1 -threads $2 -p recordcount=$rows -p operationcount=$3 -p insertproportion=0 -p fieldnameprefix=FIELD"
}

# allocated LOG: megabytes, by what a collector says of the heap before and after each collection and at the end.
allocated() {
    awk '
        function mb(text) { return text ~ /G/ ? text * 1024 : text ~ /K/ ? text / 1024 : text + 0 }
        match($0, /[0-9]+[KMG]->[0-9]+[KMG]/) { split(substr($0, RSTART, RLENGTH), x, "->"); sum += mb(x[1]) - after; after = mb(x[2]) }
        match($0, /used [0-9]+K/) && !ended { sum += mb(substr($0, RSTART + 5, RLENGTH - 5)) - after; ended = /garbage-first|total/ }
        END { print sum }' "$1"
}

# one CLIENT WORKLOAD THREADS OPERATIONS: seconds, CPU seconds, the p99 of its most frequent operation and allocated megabytes.
one() {
    local -a words
    local log="-Xlog:gc,gc+heap+exit:file=$out/gc:none"
    read -ra words <<<"$(common "$2" "$3" "$4")"
    if [ "$1" = OurClient ]; then
        { time YCSB_JVM_ARGS="${YCSB_JVM_ARGS:-} $log" bin/ycsb run "$binding" "${ours[@]}" "${words[@]}" --out "$out/run" >"$out/text" 2>"$out/err"; } \
            2>"$out/time" || { cat "$out/err" >&2; fail "our run failed" 1; }
        rm -rf "$out/run"
    else
        { time "$java" "$log" "${rival[@]}" -t "${words[@]}" >"$out/text" 2>"$out/err"; } 2>"$out/time" || { cat "$out/err" >&2; fail "the rival's run failed" 1; }
    fi
    # The rivals exit with 0 whatever happens.
    local ok
    ok=$(sed -n 's/^\[\(READ\|UPDATE\|SCAN\|READ-MODIFY-WRITE\)\], Return=OK, //p' "$out/text" | awk '{ n += $1 } END { print n + 0 }')
    [ "$ok" -ge "$4" ] || { grep 'Return=' "$out/text" >&2; fail "$1, workload $2: $ok of $4 operations succeeded" 1; }
    awk -v p="$(sed -n 's/^\[\(READ\|SCAN\)\], 99thPercentileLatency(us), //p' "$out/text" | head -1)" -v m="$(allocated "$out/gc")" \
        '{ print $1, $2 + $3, p + 0, m }' "$out/time"
}

# measure CLIENT WORKLOAD THREADS: a line of results: client, workload:threads, operations per second, CPU us per operation, start-up CPU s,
# start-up s, p99 us, allocated bytes per operation.
measure() {
    local n=$operations
    [ "$2" != e ] || n=$((operations / 10))
    { one "$1" "$2" "$3" "$few"; one "$1" "$2" "$3" "$n"; } | awk -v c="$1" -v w="$2:$3" -v few="$few" -v n="$n" '
        NR == 1 { seconds = $1; cpu = $2; mb = $4 }
        NR == 2 { printf "%s %s %.1f %.3f %.2f %.2f %d %.0f\n", c, w, (n - few) / ($1 - seconds), 1e6 * ($2 - cpu) / (n - few), cpu, seconds, $3,
            1048576 * ($4 - mb) / (n - few) }' | tee -a "$out/results" >&2
}

# interval WORKLOAD:THREADS COLUMN: geometric mean of ours to the rival's pair by pair, with Student's 95 % interval. None when a run took less
# than one of 1000 operations did: then these figures are those of the machine.
interval() {
    awk -v w="$1" -v n="$2" '
        BEGIN { split("12.706 4.303 3.182 2.776 2.571 2.447 2.365 2.306 2.262 2.228", t, " ") }
        $2 == w && $1 == "OurClient" { a[++i] = $n }
        $2 == w && $1 == "Rival" { b[++j] = $n }
        END {
            for (k = 1; k <= i; k++) if (a[k] <= 0 || b[k] <= 0) { print "too few operations"; exit }
            for (k = 1; k <= i; k++) { x = log(a[k] / b[k]); sum += x; squares += x * x }
            mean = sum / i; deviation = i > 1 ? sqrt((squares - sum * sum / i) / (i - 1)) : 0
            half = i > 1 ? (i - 1 > 10 ? 2.2 : t[i - 1]) * deviation / sqrt(i) : 0
            printf "%.2f (%.2f to %.2f)", exp(mean), exp(mean - half), exp(mean + half)
        }' "$out/results"
}

if [ "$binding" != rest ]; then
    case $engine in ndb) storage=ndbcluster ;; *) storage=InnoDB ;; esac
    DB_PASSWD="${DB_PASSWD:-}" "$java" -cp "$(ls client/target/lib/mysql-connector-j-*.jar)" bench/rivals/MakeTable.java "$mysql" "$user" "$storage"
fi
[ "$engine" = nginx ] || bin/ycsb load "$binding" "${ours[@]}" -P workloads/workloada -p recordcount="$rows" -p fieldnameprefix=FIELD -threads 4 --out "$out/load" >"$out/text" 2>"$out/err" ||
    { cat "$out/err" >&2; fail "the rows could not be loaded" 1; }
: >"$out/results"
for ((pair = 1; pair <= pairs; pair++)); do
    if [ $((pair % 2)) -eq 1 ]; then order="OurClient Rival"; else order="Rival OurClient"; fi
    for threads in $levels; do
        for workload in $workloads; do
            for client in $order; do
                measure "$client" "$workload" "$threads"
            done
        done
    done
done
echo "| workload | threads | CPU per operation, ours | the rival's | ratio | op/s, ours | the rival's | ratio | p99, ours | the rival's | allocated per operation, ours | the rival's | start-up CPU, ours | the rival's | start-up, ours | the rival's |"
echo "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|"
for threads in $levels; do
    for workload in $workloads; do
        m() { median_of "$out/results" "$1" "$workload:$threads" "$2"; }
        i() { interval "$workload:$threads" "$1"; }
        cpu=$(i 4)
        [ "${cpu%% *}" = too ] || record rivals "$binding on $engine, workload $workload, $threads threads: client CPU" less "${cpu%% *}"
        printf '| %s | %d | %.1f µs | %.1f µs | %s | %.0f | %.0f | %s | %.1f ms | %.1f ms | %.1f KB | %.1f KB | %.1f s | %.1f s | %.1f s | %.1f s |\n' \
            "$workload" "$threads" "$(m OurClient 4)" "$(m Rival 4)" "$(i 4)" "$(m OurClient 3)" "$(m Rival 3)" "$(i 3)" \
            "$(awk -v x="$(m OurClient 7)" 'BEGIN { print x / 1000 }')" "$(awk -v x="$(m Rival 7)" 'BEGIN { print x / 1000 }')" \
            "$(awk -v x="$(m OurClient 8)" 'BEGIN { print x / 1024 }')" "$(awk -v x="$(m Rival 8)" 'BEGIN { print x / 1024 }')" \
            "$(m OurClient 5)" "$(m Rival 5)" "$(m OurClient 6)" "$(m Rival 6)"
    done
done
