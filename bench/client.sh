#!/usr/bin/env bash
# What one client machine can drive: client CPU per operation, memory and p99 by number of threads, from which follows how many operations per
# second a processor of a client machine carries. Closed loop at maximum, and only the client's CPU is counted. The servers have processor 0 to
# themselves (bin/ycsb cluster up ENGINE --cores 1) and the client has the others, or its compiler would never be done beside busy servers.
# usage: bench/client.sh native|jdbc|rest [levels [rounds [seconds [workload]]]]     (default: "8 48 500 2x24", 3, 10, c)
#        A level is a number of threads, or CLIENTSxTHREADS for several clients of so many threads each. In each round all levels are run once,
#        in turn; WARMUP (60) seconds before, in which Java compiles, are not in the figures: with 500 threads it is not done after 25. Collector,
#        what is left for the compiler, and recording are in them.
# The only cluster that is up must be the one of ON.
# ON: whose cluster of `bin/ycsb cluster up` is used: ndb (the default of native and jdbc), galera (jdbc) or embedded (rest).
# Exit code 1 when an operation of a run failed, 2 without a cluster.
set -euo pipefail
cd "$(dirname "$0")/.."
binding=${1:-}
levels=${2:-8 48 500 2x24}
rounds=${3:-3}
seconds=${4:-10}
workload=${5:-c}
warmup=${WARMUP:-60}
. bench/common/pairs.sh
fail() {
    echo "bench/client.sh: $1" >&2
    exit "${2:-2}"
}
case $binding in
    native | jdbc) engine=${ON:-ndb} ;;
    rest) engine=${ON:-embedded} ;;
    *) fail "usage: bench/client.sh native|jdbc|rest [levels [rounds [seconds [workload]]]]" ;;
esac
for level in $levels; do
    [[ $level =~ ^([1-9][0-9]*x)?[1-9][0-9]*$ ]] || fail "level $level: expected a number of threads, or CLIENTSxTHREADS"
done
case $binding in native) name=ndb.connectstring ;; jdbc) name=db.url ;; rest) name=rest.endpoints ;; esac
[ -n "$(from_state "$name" "$engine")" ] || fail "no cluster: run 'bin/ycsb cluster up $engine'"
to=()
[ "$binding" != native ] || to=(--engine "$engine") # the others find the cluster that is up
processors=$(($(nproc) - 1))
[ "$processors" -ge 1 ] || fail "one processor is for the servers and at least one for the client; this machine has $(nproc)"
alone=(taskset -c "1-$processors")
[ "$processors" -ge 2 ] || processors=2 # with one, Java would choose another collector, which no client machine has
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

# peak PID: the sum of the largest resident memory, in MB, of a client and of those that it has started, until it ends.
peak() {
    local most=0 sum pid
    while kill -0 "$1" 2>/dev/null; do
        sum=0
        for pid in "$1" $(pgrep -P "$1"); do
            sum=$((sum + $(awk '/^VmHWM/ { print $2; found = 1 } END { if (!found) print 0 }' "/proc/$pid/status" 2>/dev/null || echo 0)))
        done
        [ "$sum" -le "$most" ] || most=$sum
        sleep 0.5
    done
    echo $((most / 1024))
}

# measure LEVEL: a line "level all op/s us-of-CPU p99-us MB" in the results.
measure() {
    local clients=1 threads=$1 run=$out/run
    case $1 in *x*) clients=${1%x*} threads=${1#*x} ;; esac
    rm -rf "$run"
    "${alone[@]}" bin/ycsb run "$binding" ${to[@]+"${to[@]}"} -P "workloads/workload$workload" -threads "$threads" --clients "$clients" \
        -jvm-args "-XX:ActiveProcessorCount=$processors" --warmup "${warmup}s" --duration "$((warmup + seconds))s" --out "$run" >"$out/text" 2>"$out/err" &
    local pid=$! memory
    memory=$(peak "$pid")
    wait "$pid" || { tail -n 5 "$out/err" >&2; fail "the run with $1 threads failed" 1; }
    ! grep -q 'Return=[^O]' "$out/text" || { grep 'Return=' "$out/text" >&2; fail "operations of the run with $1 threads failed" 1; }
    local directories=("$run")
    [ "$clients" = 1 ] || directories=("$run"/client-*)
    local cpu=0 directory
    for directory in "${directories[@]}"; do
        # Processors that a client kept busy, on average of its slices after the warm-up.
        cpu=$(awk -F , -v before="$cpu" -v from="$warmup" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
            NR > 1 && $at["start_s"] >= from { sum += $at["client_cpus"]; n++ }
            END { print before + sum / n }' "$directory/client.csv")
    done
    awk -v level="$1" -v cpu="$cpu" -v mb="$memory" '
        /^\[OVERALL\], Throughput/ { rate = $NF }
        /^\[(READ|SCAN)\], 99thPercentileLatency/ { p99 = $NF }
        END { printf "%s all %.0f %.2f %.0f %d\n", level, rate, 1e6 * cpu / rate, p99, mb }' "$out/text" | tee -a "$out/results" >&2
}

: >"$out/results"
for ((round = 1; round <= rounds; round++)); do
    order=$levels
    [ $((round % 2)) -eq 1 ] || order=$(echo "$levels" | tr ' ' '\n' | tac | tr '\n' ' ')
    for level in $order; do
        measure "$level"
    done
done
echo "$binding on $engine, workload $workload, $(machine), medians of $rounds"
echo
echo "| threads | op/s here | client CPU per operation | to ${levels%% *} threads | op/s that one processor carries | p99 here | memory |"
echo "|---|---|---|---|---|---|---|"
first=$(median_of "$out/results" "${levels%% *}" all 4)
for level in $levels; do
    cpu=$(median_of "$out/results" "$level" all 4)
    awk -v l="$level" -v rate="$(median_of "$out/results" "$level" all 3)" -v cpu="$cpu" -v first="$first" \
        -v p99="$(median_of "$out/results" "$level" all 5)" -v mb="$(median_of "$out/results" "$level" all 6)" \
        'BEGIN { printf "| %s | %.0f | %.1f µs | %.2f | %.0f | %.1f ms | %d MB |\n", l, rate, cpu, cpu / first, 1e6 / cpu, p99 / 1000, mb }'
    [ "$level" = "${levels%% *}" ] || record client "$binding on $engine, workload $workload: CPU of $level to ${levels%% *} threads" less \
        "$(awk -v a="$cpu" -v b="$first" 'BEGIN { print a / b }')"
done
