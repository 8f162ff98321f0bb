#!/bin/sh
# Soak: many drills in a row on one cluster that stays up, kill, restart and initialise mixed. Each must end with a complete run
# directory and with every phase of the recovery in phases.csv; at the end no process of the cluster may be left.
#
#   soak/drills.sh [embedded|ndb] [drills, default 20]
#
# NDB needs NDB_HOME. Results go to results/soak-<time>/; the last line is the verdict, the exit code 0 or 1.
set -u
engine=${1:-embedded}
count=${2:-20}
home=$(cd -- "$(dirname -- "$0")/.." && pwd -P)
out=$home/results/soak-$(date +%Y-%m-%dT%H-%M-%S)-$engine
state=$(mktemp -d)
export YCSB_DRILL_STATE="$state"
mkdir -p "$out"

ycsb() { "$home/bin/ycsb" "$@"; }

stop() {
    ycsb cluster down "$engine" >/dev/null 2>&1
    if pgrep -f "$state" >/dev/null; then
        echo "left behind:"
        pgrep -af "$state" | cut -c1-150
        bad=$((bad + 1))
    fi
    rm -rf "$state"
}

bad=0
trap 'stop; exit 130' INT TERM
ycsb cluster up "$engine" || exit 1

phases="failure-handling down local-recovery synchronise wait-checkpoint"
i=1
while [ "$i" -le "$count" ]; do
    case $((i % 3)) in
        1) drill=node-kill ;;
        2) drill=node-restart ;;
        0) drill=initial-node-restart ;;
    esac
    run=$out/$(printf '%02d' "$i")-$drill
    if timeout 400 "$home/bin/ycsb" drill native -P "$home/workloads/workloadb" -D "$home/soak/$drill.yaml" \
        --out "$run" >"$run.txt" 2>&1; then code=0; else code=$?; fi
    missing=
    for phase in $phases; do
        grep -q ",$phase," "$run/phases.csv" 2>/dev/null || missing="$missing $phase"
    done
    open=$(awk -F, 'NR > 1 && $8 == ""' "$run/phases.csv" 2>/dev/null | wc -l)
    if [ "$code" -ne 0 ] || [ -n "$missing" ] || [ "$open" -ne 0 ] || ! grep -q '"state" *: *"complete"' "$run/run.json"; then
        bad=$((bad + 1))
        printf '%s %-22s BAD: exit %s, missing:%s, open phases: %s; see %s.txt\n' "$i" "$drill" "$code" "${missing:- none}" "$open" "$run"
    else
        printf '%s %-22s ok: %s\n' "$i" "$drill" \
            "$(awk -F, 'NR > 1 && $5 != "fault" {printf "%s %.2f s  ", $5, $9}' "$run/phases.csv")"
    fi
    i=$((i + 1))
done
stop
echo "soak: $count drills on $engine, $bad bad"
[ "$bad" -eq 0 ]
