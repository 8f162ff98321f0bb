#!/bin/sh
# Verdicts: every shipped drill with its own limits and the audit, several times on one cluster that stays up. A limit that is missed
# says something of this machine or of the engine; a write that was lost, a phantom, a stale read, copies that differ, or anything
# at all in the drill that injects nothing, is a finding. One line per drill at the end; exit code 1 when there is a finding.
#
#   soak/verdicts.sh [embedded|ndb|galera|cratedb] [times, default 10] [DRILL ...]
#
# NDB needs NDB_HOME, Galera GALERA_HOME, CrateDB CRATEDB_HOME. Nothing else should run on the machine. Some two and a half minutes a
# drill, so an hour and a half for ten times three drills. Results go to results/verdicts-<time>/.
set -u
engine=${1:-embedded}
times=${2:-10}
[ $# -lt 2 ] || shift
[ $# -lt 1 ] || shift
home=$(cd -- "$(dirname -- "$0")/.." && pwd -P)
out=$home/results/verdicts-$(date +%Y-%m-%dT%H-%M-%S)-$engine
state=$(mktemp -d)
export YCSB_DRILL_STATE="$state"
mkdir -p "$out"

case $engine in
    galera) binding=jdbc ;;
    cratedb) binding=rest ;;
    *) binding=native ;;
esac
# cluster-loss ends the cluster's life, network needs HTTP servers or a proxy, sql-node-restart SQL nodes
[ $# -gt 0 ] || set -- null node-kill node-restart initial-node-restart pause rolling-restart

stop() {
    "$home/bin/ycsb" cluster down "$engine" >/dev/null 2>&1
    rm -rf "$state"
}
trap 'stop; exit 130' INT TERM
"$home/bin/ycsb" cluster up "$engine" || exit 1

findings=0
table=$out/table.txt
printf '%-22s %5s %5s %5s %8s %9s %6s %9s\n' drill runs pass miss invalid 'lost wr.' stale phantoms >"$table"
for drill in "$@"; do
    pass=0 miss=0 invalid=0 lost=0 stale=0 phantoms=0
    i=1
    while [ "$i" -le "$times" ]; do
        run=$out/$drill-$i
        "$home/bin/ycsb" cluster heal "$engine" >/dev/null 2>&1
        "$home/bin/ycsb" drill "$binding" -P "$home/workloads/workloada" -D "$home/workloads/drills/$drill.yaml" \
            -threads 4 --audit --out "$run" >"$run.txt" 2>&1
        code=$?
        case $code in
            0) pass=$((pass + 1)) word=PASS ;;
            3) miss=$((miss + 1)) word=MISS ;;
            *) invalid=$((invalid + 1)) word="INVALID (exit $code)" ;;
        esac
        found=$(sed -n 's/^audit: \([0-9,]*\) acknowledged writes lost .*, \([0-9,]*\) phantoms, \([0-9,]*\) stale reads.*/\1 \2 \3/p' \
            "$run.txt" | tr -d ,)
        # shellcheck disable=SC2086
        set_of() { l=${1:-0} p=${2:-0} s=${3:-0}; }
        set_of $found
        lost=$((lost + l)) phantoms=$((phantoms + p)) stale=$((stale + s))
        differ=$(grep -c 'replicas differ' "$run.txt")
        echo "$drill $i: $word, $l lost, $p phantoms, $s stale$([ "$differ" -eq 0 ] || echo ', replicas differ')"
        grep '^  FAIL' "$run.txt"
        # A missed limit is one only where nothing was injected.
        if [ "$word" = PASS ] || { [ "$word" = MISS ] && [ "$drill" != null ]; }; then bad=0; else bad=1; fi
        [ $((l + p + s + differ + bad)) -eq 0 ] || findings=$((findings + 1))
        i=$((i + 1))
    done
    printf '%-22s %5s %5s %5s %8s %9s %6s %9s\n' "$drill" "$times" "$pass" "$miss" "$invalid" "$lost" "$stale" "$phantoms" >>"$table"
done
stop
cat "$table"
echo "verdicts: $findings findings on $engine; runs and table are in $out"
[ "$findings" -eq 0 ]
