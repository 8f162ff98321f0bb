#!/bin/sh
# Compares reads by key through `rest` with wrk, a bare HTTP load generator in C, on the same server and with as many connections.
# usage: bench/rest.sh [pairs [seconds [connections]]]     (default: 5 pairs of 5 seconds, 16 connections)
# The server is one node of the embedded cluster, started here and stopped at the end; WRK names the program when it is not on the PATH
# (Debian: apt-get install wrk). wrk neither reads the JSON that it gets nor has one thread per connection: two threads serve all of them.
# `rest` is one process for all pairs, so that Java is warm, and rests while wrk is measured.
# Exit code 1 when our throughput is below 0.7 times wrk's (median of the pairs), 2 without wrk.
set -eu
cd "$(dirname "$0")/.."
pairs=${1:-5}
seconds=${2:-5}
connections=${3:-16}
rows=2000
warm=${WARM:-40} # seconds until Java has compiled what runs; until then it compiles on the cores that are measured
wrk=${WRK:-$(command -v wrk || true)}
[ -n "$wrk" ] || { echo "bench/rest.sh: no wrk: install it (Debian: apt-get install wrk) or set WRK to it" >&2; exit 2; }
bin/ycsb --version >/dev/null
out=bindings/rest/target/bench
mkdir -p "$out"
javac -d "$out" -cp "client/target/lib/*" bench/rest/Bench.java

YCSB_DRILL_STATE=$(mktemp -d)
export YCSB_DRILL_STATE
trap 'exec 4>&-; bin/ycsb cluster down embedded >/dev/null; rm -rf "$YCSB_DRILL_STATE"' EXIT
bin/ycsb cluster up embedded --data-nodes 1 --backups 0 >/dev/null
endpoint=$(sed -n 's/.*"rest.endpoints" *: *"\([^",]*\).*/\1/p' "$YCSB_DRILL_STATE/embedded/cluster.json")
bench() { java -cp "$out:client/target/lib/*" Bench "$1" "$endpoint" "$rows" "$connections" 2>>"$out/err"; }
# One line of seconds to the process, and its answer.
ours() {
    echo "$1" >&4
    read -r answer <&6 || { cat "$out/err" >&2; exit 1; }
    echo "$answer"
}
# Requests a second, CPU per request, and errors.
bare() {
    ( "$wrk" -t 2 -c "$connections" -d "$seconds"s -s bench/rest/keys.lua "$endpoint" -- "$rows"; times ) >"$out/wrk"
    awk '/requests in/ { n = $1 } /Requests\/sec/ { r = $2 } /Non-2xx|Socket errors/ { e = $0 }
        NF == 2 && /m.*s .*m.*s/ { split($1, u, /[ms]/); split($2, s, /[ms]/); c = (u[1] + s[1]) * 60 + u[2] + s[2] }
        END { printf "%.0f %.1f %s\n", r, c * 1e6 / n, e == "" ? 0 : e }' "$out/wrk"
}
: >"$out/err"
bench load || { cat "$out/err" >&2; exit 1; }
rm -f "$out/rest.in" "$out/rest.out"
mkfifo "$out/rest.in" "$out/rest.out"
bench read <"$out/rest.in" >"$out/rest.out" &
exec 4>"$out/rest.in" 6<"$out/rest.out"
echo "warm-up of $warm s: rest $(ours "$warm")"
bare >/dev/null
: >"$out/results"
pair=1
while [ "$pair" -le "$pairs" ]; do
    # In turn, and each first as often as the other.
    if [ $((pair % 2)) -eq 1 ]; then order="rest wrk"; else order="wrk rest"; fi
    for client in $order; do
        case $client in
            wrk) figures=$(bare) ;;
            *) figures=$(ours "$seconds") ;;
        esac
        [ "${figures##* }" = 0 ] || { echo "bench/rest.sh: $client: reads failed: $figures" >&2; exit 1; }
        echo "$client $figures" | tee -a "$out/results"
    done
    tail -n 2 "$out/results" | awk -v p="$pair" '{ n[$1] = $2 }
        END { printf "pair %d: %.2f of wrk\n", p, n["rest"] / n["wrk"] }'
    pair=$((pair + 1))
done

. bench/common/pairs.sh
# Of the pairs, as the load of the machine drifts: ours to wrk's, of which the median.
ratio() { awk -v c="$1" '$1 == c { a[++i] = $2 } $1 == "wrk" { w[++j] = $2 }
    END { for (k = 1; k <= j; k++) print a[k] / w[k] }' "$out/results" | median; }
for client in rest wrk; do
    awk -v c="$client" -v r="$(awk -v c="$client" '$1 == c { print $2 }' "$out/results" | median)" \
        -v u="$(awk -v c="$client" '$1 == c { print $3 }' "$out/results" | median)" -v w="$(ratio "$client")" \
        'BEGIN { printf "%-7s %8.0f op/s  %6.1f us CPU per operation  %.2f of wrk\n", c, r, u, w }'
done
record rest "$connections connections: requests per second to wrk" more "$(ratio rest)"
awk -v r="$(ratio rest)" 'BEGIN {
    print (r >= 0.7 ? "passed: at least 0.7 times wrk" : "missed: below 0.7 times wrk"); exit (r < 0.7) }'
