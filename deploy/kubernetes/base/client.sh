#!/bin/sh
# One client of several, as a pod of an Indexed Job. They meet on the volume that all of them write to: each says that it is there,
# the first one then sets the time of the start, and when all have ended it merges their run directories.
# usage: client.sh STEP...           STEP: load, run or drill; all clients begin each step together
# Environment: BINDING; OPTIONS of every step, separated by blanks; RUN_OPTIONS, more for a run and for a drill of several clients;
# CLUSTER_OPTIONS, more for all clients of a drill: which cluster it is, as --on FILE; DRILL_OPTIONS, more for the client that
# drills; DRILL_LOAD (60%), the load of a drill of several clients, where OPTIONS or RUN_OPTIONS has no --rate: empty where they have
# a -target; CLIENTS, how many there are; JOB and JOB_UID name the folder in RUNS (/runs); JOB_COMPLETION_INDEX is set by Kubernetes.
# Exit code: the first one's that is not 0 of this client's steps and, of client 1, of the merges; the verdict of a merged drill,
# which is on all clients, takes the place of client 1's own.
set -eu
number=$((JOB_COMPLETION_INDEX + 1))
runs=${RUNS:-/runs}
name=$JOB-${JOB_UID%%-*}
lead=${LEAD_SECONDS:-30}      # from the time that all are there to the start: Java starts, the threads connect
patience=${WAIT_SECONDS:-600} # how long one that is late is waited for before the start, and at the end of a drill
ending=${END_SECONDS:-120}    # the same at the end of another step, WAIT_SECONDS at most: all end at about the same time
load=${DRILL_LOAD-60%}        # in place of that of the drill's file
ycsb=${YCSB:-/opt/ycsb-drill/bin/ycsb}

# wait_for SECONDS COMMAND...: 1 when it has not succeeded by then
wait_for() {
    until_=$(($(date +%s) + $1))
    shift
    until "$@"; do
        [ "$(date +%s)" -lt "$until_" ] || return 1
        sleep 1
    done
}

# Whether all clients are there.
all_here() {
    set -- "$meeting"/here-*
    [ -e "$1" ] && [ $# -ge "$CLIENTS" ]
}

# Whether all clients that came have ended: one that did not come was waited for before the start.
ended() {
    set -- "$meeting"/here-*
    came=$#
    set -- "$meeting"/done-*
    [ -e "$1" ] && [ $# -ge "$came" ]
}

start_together() {
    : >"$meeting/here-$number"
    if [ "$number" = 1 ]; then
        wait_for "$patience" all_here || echo "client 1: after $patience s not all of $CLIENTS clients are there; starting without" >&2
        date -u -d "@$(($(date +%s) + lead))" +%Y-%m-%dT%H:%M:%SZ >"$meeting/start.new"
        mv "$meeting/start.new" "$meeting/start"
    fi
    wait_for $((patience + 60)) [ -e "$meeting/start" ] || {
        echo "client $number: client 1 has set no start within $((patience + 60)) s; see its log" >&2
        return 1
    }
}

# A signal to this shell is one to the client, which heals and closes its run directory.
run() {
    "$ycsb" "$@" &
    pid=$!
    trap 'kill -TERM $pid 2>/dev/null || :' TERM INT
    code=0
    wait $pid || code=$?
    while kill -0 $pid 2>/dev/null; do
        code=0
        wait $pid || code=$?
    done
    trap - TERM INT
    return $code
}

# step NAME: the client's part of it, and of client 1 the merge
step() {
    out=$runs/$name/$1
    meeting=$runs/.meeting/$name-$1
    command=$1
    # Before OPTIONS is what these may say otherwise: of an option that is given twice the last one counts.
    before=
    more=
    case $command in
        run) more=${RUN_OPTIONS:-} ;;
        drill)
            # All of them, or the merge refuses them as unlike.
            more=${CLUSTER_OPTIONS:-}
            # The others know neither the drill's file, whose windows and load are to be theirs, nor when it has ended.
            if [ "$CLIENTS" != 1 ]; then
                before="--window 1s ${load:+--rate $load}"
                more="$more ${RUN_OPTIONS:-}"
            fi
            if [ "$number" = 1 ]; then more="$more ${DRILL_OPTIONS:-}"; else command=run; fi
            ;;
    esac
    # They are several words.
    # shellcheck disable=SC2086
    if [ "$CLIENTS" = 1 ]; then
        run "$command" "$BINDING" $before $OPTIONS $more --out "$out"
        return
    fi
    mkdir -p "$out" "$meeting"
    start_together || return 1
    own=0
    # shellcheck disable=SC2086
    run "$command" "$BINDING" $before $OPTIONS $more --client "$number/$CLIENTS" --start-at "$(cat "$meeting/start")" --out "$out/client-$number" ||
        own=$?
    # A failed redirection of ":" would end the shell: client 1 may have gone on without this one, and removed the folder.
    true >"$meeting/done-$number" || :
    [ "$number" = 1 ] || return $own
    # The others run for their whole length, however soon the drill is complete.
    end=$patience
    [ "$1" = drill ] || [ "$patience" -lt "$ending" ] || end=$ending
    wait_for "$end" ended || echo "client 1: $end s after its end not all clients have ended; merging those that are there" >&2
    merged=0
    "$ycsb" merge "$out"/client-* --out "$out" || merged=$?
    "$ycsb" report "$out" || :
    rm -rf "$meeting"
    case $own in 0 | 3) own=$merged ;; esac
    return $own
}

for each in "$@"; do
    code=0
    step "$each" || code=$?
    [ "$code" = 0 ] || exit "$code"
done
