#!/bin/sh
# Verdicts: every shipped drill with its own limits and the audit, in many cycles on one cluster that stays up. A limit that is missed
# says something of this machine or of the engine. A write that was lost or a stale read (unless the engine is known to lose some in such
# a drill), a phantom, copies that differ, a null cycle in which the service was out or an operation failed, or this was not measured, or
# anything at all in the drill that injects nothing, is a finding. One line per drill at the end; exit code 1 when there is a finding.
#
#   soak/verdicts.sh [embedded|ndb|galera|cratedb] [cycles, default 10] [DRILL ...]
#
# "all" in place of drills: all that the engine can run as they are shipped; rolling-config and upgrade want a value of the user's, so name
# a copy of theirs as a file, DIR/rolling-config.yaml. A drill that needs another cluster, such as one with disk faults, gets it.
#
# NDB needs NDB_HOME, Galera GALERA_HOME, CrateDB CRATEDB_HOME. Nothing else should run on the machine. Ten cycles of a drill take 6 to 20
# minutes, the six drills of the default an hour and a half. RATE=300@0s in the environment offers that load in place of the drills' own
# 60 % of the maximum: several engines can then be tried at once. Results go to results/verdicts-<time>-<engine>/.
set -u
engine=${1:-embedded}
cycles=${2:-10}
[ $# -lt 2 ] || shift
[ $# -lt 1 ] || shift
home=$(cd -- "$(dirname -- "$0")/.." && pwd -P)
out=$home/results/verdicts-$(date +%Y-%m-%dT%H-%M-%S)-$engine
state=$(mktemp -d)
export YCSB_DRILL_STATE="$state"
mkdir -p "$out"

everywhere='null pause node-kill node-restart initial-node-restart rolling-restart'
case $engine in
    ndb) more='cluster-loss network sql-node-restart backup ladder isolate bad-cable disk-slow disk-stall power-loss add-node-group' ;;
    galera) more='cluster-loss network backup ladder add-node isolate partition bad-cable clock-jump disk-slow disk-stall memory power-loss' ;;
    cratedb) more='cluster-loss network ladder add-node isolate partition bad-cable memory' ;;
    *) more='cluster-loss network backup ladder add-node isolate partition bad-cable disk-slow disk-stall memory power-loss' ;;
esac
case ${1:-} in
    '') set -- $everywhere ;;
    all) set -- $everywhere $more ;;
esac

# How the clients of a drill reach the cluster. Faults of the network between them want proxies, which ClusterJ and thick clients pass by.
binding_for() {
    case $engine:$1 in
        galera:*) echo 'jdbc -p retry.temporary=5' ;; # writers at several nodes conflict now and then, without any fault
        ndb:network | ndb:sql-node-restart) echo jdbc ;;
        cratedb:* | embedded:network) echo rest ;;
        *) echo "native --engine $engine" ;;
    esac
}

# What the drill needs of "cluster up".
options_for() {
    case $engine:$1 in
        *:isolate | *:partition | *:bad-cable) echo '--network isolated' ;;
        *:disk-*) echo '--disk-faults' ;;
        *:memory) echo '--memory-faults' ;;
        *:clock-jump) echo '--clock-faults' ;;
        *:power-loss) echo '--power-loss' ;;
        *:add-node) echo '--spare-nodes 1' ;;
        *:add-node-group) echo '--data-nodes 2 --replicas 2 --spare-nodes 2' ;;
        ndb:network | ndb:sql-node-restart) echo '--sql-nodes 2' ;;
    esac
}

# A node group that was added stays, and so do another installation and a setting.
cycles_for() {
    case $1 in
        add-node-group | upgrade | rolling-config) echo 1 ;;
        *) echo "$cycles" ;;
    esac
}

# Drills in which these engines are known to lose acknowledged writes: there a loss says something of the engine.
may_lose() {
    case $engine:$1 in
        *:power-loss | ndb:cluster-loss | embedded:isolate | embedded:partition | embedded:bad-cable) return 0 ;;
        *) return 1 ;;
    esac
}

stop() {
    "$home/bin/ycsb" cluster down "$engine" >/dev/null 2>&1
    rm -rf "$state"
}
trap 'stop; exit 130' INT TERM
[ "$engine" != cratedb ] || chmod o+x "$state" # as root, another user runs the servers

# The null cycles of a run directory in which the service was out or an operation failed, or this was not measured.
marked_nulls() {
    awk '
        function over(name) {
            for (name in wanted) if (is_null && (!(name in value) || value[name] > 0)) { marked++; break }
            is_null = 0
            split("", value)
        }
        BEGIN { wanted["outSeconds"]; wanted["failed"]; wanted["unknown"] }
        /^ *"number" : / || /^ *"figures" : / { over() }
        /^ *"null" : true/ { is_null = 1 }
        # A note on a figure is a line of the same name, with a text.
        /^ *"[a-zA-Z]+" : [0-9]/ { gsub(/[",]/, ""); value[$1] = $3 + 0 }
        /^ *"notApplicable" : / { for (name in wanted) if (index($0, "\"" name "\"")) value[name] = 0 }
        END { over(); print marked + 0 }' "$1/summary.json"
}

findings=0
table=$out/table.txt
line='%-22s %6s %8s %12s %9s %6s %9s %7s  %s\n'
# shellcheck disable=SC2059
printf "$line" drill cycles verdict 'marked nulls' 'lost wr.' stale phantoms differ 'limits missed' >"$table"
up=
for drill in "$@"; do
    case $drill in
        *.yaml) file=$drill drill=$(basename "$drill" .yaml) ;;
        *) file=$home/workloads/drills/$drill.yaml ;;
    esac
    if [ "$up" != "up $(options_for "$drill")" ]; then
        [ -z "$up" ] || "$home/bin/ycsb" cluster down "$engine" >/dev/null 2>&1
        up="up $(options_for "$drill")"
        # shellcheck disable=SC2046
        "$home/bin/ycsb" cluster up "$engine" $(options_for "$drill") || exit 1
    fi
    [ "$drill" = null ] && nulls=0 || nulls=2
    { cat "$file"; printf '\ncycles: {count: %s, nulls: %s, pause: 5s}\n' "$(cycles_for "$drill")" "$nulls"; } >"$out/$drill.yaml"
    run=$out/$drill
    "$home/bin/ycsb" cluster heal "$engine" >/dev/null 2>&1
    # shellcheck disable=SC2046,SC2086
    "$home/bin/ycsb" drill $(binding_for "$drill") -P "$home/workloads/workloada" -D "$out/$drill.yaml" -threads 4 --audit ${RATE:+--rate $RATE} --out "$run" >"$run.txt" 2>&1
    code=$?
    case $code in
        0) verdict=PASS ;;
        3) verdict=MISS ;;
        *) verdict=INVALID ;;
    esac
    found=$(sed -n 's/^\(error: \)\{0,1\}audit: \([0-9,]*\) acknowledged writes\{0,1\} lost .*, \([0-9,]*\) phantoms\{0,1\}, \([0-9,]*\) stale reads\{0,1\}.*/\2 \3 \4/p' \
        "$run.txt" | tr -d ,)
    # shellcheck disable=SC2086
    set_of() { lost=${1:-?} phantoms=${2:-?} stale=${3:-?}; }
    # shellcheck disable=SC2086
    set_of $found
    differ=$(grep -c 'replicas differ' "$run.txt")
    marked=$(marked_nulls "$run")
    missed=$(sed -n 's/^  FAIL *//p' "$run.txt" | tr '\n' ';')
    # shellcheck disable=SC2059
    printf "$line" "$drill" "$(cycles_for "$drill")" "$verdict" "$marked of $nulls" "$lost" "$stale" "$phantoms" "$differ" "$missed" | tee -a "$table"
    ! may_lose "$drill" || [ "$lost" = '?' ] || lost=0 stale=0 # what was lost had been read, too
    [ "$engine $drill" != 'embedded partition' ] || differ=0 # both sides took writes: docs/faults.md
    if [ "$verdict" = INVALID ] || [ "$lost $phantoms $stale $differ $marked" != '0 0 0 0 0' ] || { [ "$drill" = null ] && [ "$verdict" != PASS ]; }; then
        findings=$((findings + 1))
    fi
done
stop
cat "$table"
echo "verdicts: $findings findings on $engine; runs and table are in $out"
[ "$findings" -eq 0 ]
