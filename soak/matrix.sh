#!/bin/sh
# The matrix: every fault on every engine, each several times with the audit, in a table: docs/matrix.md.
#
#   soak/matrix.sh [-e 'ENGINE ...' | -i INVENTORY] [-f 'FAULT ...'] [-n RUNS] [-d DIR] [-o FILE]
#
#   -e, -f   only these; default: all
#   -i       on the containers of an inventory with "transport: podman" or docker among its defaults, which are up and stay up: rows of
#            galera-podman and the like. PodmanIT and DockerIT do this, with the tag soak
#   -n       drills of each cell, default 5
#   -d       where the drills' results are kept, default results/matrix; a drill that is complete there is not run again
#   -o       the page, default docs/matrix.md. Each row is kept in a file of the folder beside it, docs/matrix/FAULT.ENGINE, and a cell
#            that has one is not run again: the same command continues after any end, also on another day or in another clone.
#            Delete the row, and the cell's results, to run a cell anew
#
# NDB needs NDB_HOME, Galera GALERA_HOME, CrateDB CRATEDB_HOME, Patroni PATRONI_HOME. A cell takes some eight minutes, all of them half a day. What else
# the machine does makes seconds longer: those of a drill during which less than a tenth of its processors was idle are not shown.
# Commands with different engines may run side by side where that leaves them enough.
#
# In the environment: RATE, the offered load (default 200/s, and 50/s for the two engines in Java, which is what two processors carry with
# all their nodes); STEADY, the time before the fault (15s; before power-loss of the embedded cluster 40 s, as files that nobody syncs
# must be older than 35 s to survive it); COOLDOWN, that after it (10s); RECORDS (10000); YCSB, the
# program in place of bin/ycsb.
#
# After each cell nothing may be left of it: no process, paused or not, no namespace, mount, open fault or file. In the first cell of each
# fault the tool is also ended with kill -9 while the fault is in force, and "cluster heal" must put everything right. Exit code 1 when
# anything was left, or a heal failed.
set -u
. "$(dirname -- "$0")/functions.sh"

# One fault a line: name | options of cluster up | engines | steps. A step in which clients are cut from their servers is for engines
# whose clients can be sent through a proxy.
faults() {
    grep -v '^#' <<'END' | sed 's/ containers / galera-podman galera-docker /'
kill|| embedded ndb galera cratedb patroni containers ndb-podman | {step: f, fault: kill, node: random, at: 0s} ; {step: up, fault: start, node: same-as:f, after: f, delay: 5s}
stop|| embedded ndb galera cratedb patroni containers ndb-podman | {step: f, fault: stop, node: random, at: 0s} ; {step: up, fault: start, node: same-as:f, after: f, delay: 5s}
restart|| embedded ndb galera cratedb patroni containers ndb-podman | {step: f, fault: restart, node: random, mode: kill, down: 5s, at: 0s}
rolling-restart|| containers ndb-podman | {step: f, fault: restart, node: rolling, mode: graceful, every: 5s, count: all, at: 0s}
initialise|| embedded ndb galera cratedb patroni containers ndb-podman | {step: f, fault: initialise, node: random, mode: kill, down: 5s, at: 0s}
all-killed|| embedded ndb galera cratedb patroni containers | {step: f, fault: kill, node: all, at: 0s} ; {step: up, fault: start, node: same-as:f, after: f.failure-handling, delay: 5s}
pause|| embedded ndb galera cratedb patroni containers ndb-podman | {step: f, fault: pause, node: random, duration: 5s, at: 0s}
pause-long|| embedded ndb galera cratedb patroni containers ndb-podman | {step: f, fault: pause, node: random, duration: 30s, at: 0s}
starve|| embedded ndb galera cratedb | {step: f, fault: starve, node: random, share: 80%, duration: 20s, at: 0s}
disk-slow|--disk-faults| embedded ndb galera patroni | {step: f, fault: disk-slow, node: random, latency: 20ms, jitter: 10ms, duration: 20s, at: 0s}
disk-stall|--disk-faults| embedded ndb galera patroni | {step: f, fault: disk-stall, node: random, duration: 5s, at: 0s}
disk-error|--disk-faults| embedded ndb galera patroni | {step: f, fault: disk-error, node: random, duration: 5s, at: 0s}
disk-full|--disk-faults| embedded ndb galera patroni | {step: f, fault: disk-full, node: random, duration: 20s, at: 0s}
clock-jump|--clock-faults| embedded ndb galera patroni | {step: f, fault: clock-jump, node: random, ahead: 1h, duration: 20s, at: 0s}
clock-skew|--clock-faults| embedded ndb galera patroni | {step: f, fault: clock-skew, node: random, behind: 500ms, duration: 20s, at: 0s}
clock-strobe|--clock-faults| embedded ndb galera patroni | {step: f, fault: clock-strobe, node: random, ahead: 5s, period: 500ms, duration: 20s, at: 0s}
power-loss|--power-loss| embedded ndb galera | {step: f, fault: power-loss, node: all, at: 0s} ; {step: up, fault: start, node: same-as:f, after: f.failure-handling, delay: 5s}
memory|--memory-faults| embedded galera cratedb patroni | {step: f, fault: memory, node: random, share: 80%, duration: 20s, at: 0s}
isolate|--network isolated| embedded ndb galera cratedb patroni containers | {step: f, fault: isolate, node: random, from: all, duration: 45s, at: 0s}
one-way|--network isolated| embedded ndb galera cratedb patroni containers | {step: f, fault: one-way, node: random, to: all, duration: 45s, at: 0s}
partition|--network isolated| embedded galera cratedb patroni containers | {step: f, fault: partition, node: all, groups: [[1], [2, 3]], duration: 45s, at: 0s}
flaky|--network isolated| embedded ndb galera cratedb patroni | {step: f, fault: flaky, node: random, up: 2s, down: 500ms, duration: 20s, at: 0s}
link-loss|--network isolated| embedded ndb galera cratedb patroni containers | {step: f, fault: link-loss, node: random, share: 5%, duration: 20s, at: 0s}
link-duplicate|--network isolated| embedded ndb galera cratedb patroni | {step: f, fault: link-duplicate, node: random, share: 20%, duration: 20s, at: 0s}
link-corrupt|| containers | {step: f, fault: link-corrupt, node: random, share: 1%, duration: 20s, at: 0s}
link-throttle|--network isolated| embedded ndb galera cratedb patroni | {step: f, fault: link-throttle, node: random, rate: 100KB/s, duration: 20s, at: 0s}
cut|| galera cratedb containers | {step: f, fault: cut, node: server1, duration: 10s, at: 0s}
reset|| galera cratedb containers | {step: f, fault: reset, node: server1, at: 0s}
blackhole|| galera cratedb containers | {step: f, fault: blackhole, node: server1, duration: 10s, at: 0s}
delay|| galera cratedb containers | {step: f, fault: delay, node: server1, latency: 20ms, jitter: 5ms, duration: 10s, at: 0s}
throttle|| galera cratedb containers | {step: f, fault: throttle, node: server1, rate: 16KB/s, duration: 10s, at: 0s}
backup|| embedded ndb galera | {step: f, operation: backup, node: random, at: 0s}
index|| ndb galera patroni | {step: f, operation: create-index, node: random, at: 0s} ; {step: off, operation: drop-index, node: random, after: f, delay: 5s}
reorganise|| ndb galera cratedb patroni | {step: f, operation: reorganise, node: random, at: 0s}
join-and-leave|--spare-nodes 1| embedded galera cratedb patroni | {step: f, operation: add-node, node: random, at: 0s} ; {step: off, operation: remove-node, node: same-as:f, after: f, delay: 5s}
patroni-killed|| patroni | {step: f, fault: kill-process, node: primary, process: patroni, duration: 60s, at: 0s}
postgres-killed|| patroni | {step: f, fault: kill-process, node: primary, process: postgres, duration: 20s, at: 0s}
patroni-paused|| patroni | {step: f, fault: pause-process, node: primary, process: patroni, duration: 60s, at: 0s}
etcd-killed|| patroni | {step: f, fault: restart, node: etcd1, mode: kill, down: 20s, at: 0s}
switchover|| patroni | {step: f, operation: switchover, node: primary, at: 0s}
failover|| patroni | {step: f, operation: failover, node: not-primary, at: 0s}
END
}
engines='embedded ndb galera cratedb patroni'
in_containers='galera-podman galera-docker ndb-podman'

runs=5
only_engines=$engines
only_faults=$(faults | cut -d '|' -f 1)
while getopts e:i:f:n:d:o: option; do
    case $option in
        i) inventory=$(realpath -- "$OPTARG") || exit 2 ;;
        e) only_engines=$OPTARG ;;
        f) only_faults=$OPTARG ;;
        n) runs=$OPTARG ;;
        d) results=$OPTARG ;;
        o) page=$(realpath -m -- "$OPTARG") ;;
        *) fail "see the head of $0" ;;
    esac
done
shift $((OPTIND - 1))
[ $# -eq 0 ] || fail "unexpected: $*; see the head of $0"
whole_number -n "$runs"
if [ -n "$inventory" ]; then
    [ "$only_engines" = "$engines" ] || fail "-e $only_engines: the engine is that of -i $inventory"
    transport=$(inventory_key transport)
    engines=$(inventory_key engine)-$transport
    only_engines=$engines
    among -i "$engines" "$in_containers"
fi
among -e "$only_engines" "$engines"
among -f "$only_faults" "$(faults | cut -d '|' -f 1)"
rows=${page%.md}
before=${STEADY:-15s}
after=${COOLDOWN:-10s}
mkdir -p "$results" "$rows" || exit 1
results=$(cd -- "$results" && pwd -P)

new_state
work=$(mktemp -d) || exit 1
snapshot "$work/empty"
trap 'finish all; exit 130' INT TERM HUP

# The figure of a line in the drill's output, without its unit, of all its faults together; a bound keeps its sign.
figure() {
    sed -n "s/^  $1  *\(\(≥ \)\{0,1\}[0-9n][^ ]*\).*/\1/p" "$2" | awk '
        /n\/a/ { lack = 1 }
        /≥/ { bound = 1 }
        { gsub(/[^0-9.]/, ""); sum += $0 }
        END { if (lack) print "n/a"; else if (NR > 0) printf "%s%.1f\n", bound ? "≥ " : "", sum }'
}

# The middle one of figures, of an even number of them the mean of both, with the least and the largest. A bound stands for anything that
# is larger.
middle() {
    grep -v '^n/a$' | awk 'NF { value = $0; gsub(/[^0-9.]/, "", value); print value "\t" $0 }' | LC_ALL=C sort -n | awk -F '\t' '
        function text(number, least) { return (least ? "≥ " : "") sprintf(form, number) unit }
        { value[NR] = $1; bound[NR] = $2 ~ /≥/; form = $1 ~ /\./ ? "%.1f" : "%.0f"; unit = $2 ~ /%/ ? " %" : "" }
        END {
            if (NR == 0) { print "n/a"; exit }
            upper = int(NR / 2) + 1
            for (i = 1; i <= NR; i++) if (bound[i]) { largest = 1; if (i <= upper) half = 1 }
            middle = text((value[int((NR + 1) / 2)] + value[upper]) / 2, half)
            if (value[1] == value[NR] && bound[1] == largest + 0) print middle
            else print middle " (" text(value[1], bound[1]) " to " text(value[NR], largest) ")"
        }'
}

# The age of the oldest write that a drill has lost, from its output; n/a when none of them has one.
age() { sed -n 's/^  RPO  *\(\(≥ \)\{0,1\}[0-9][0-9,]* ms\).*/\1/p' "$1" | awk '{ print; exit } END { if (NR == 0) print "n/a" }'; }

# The oldest of such ages: at least that old when there are others that are not known, or only bounds.
oldest() {
    awk '
        /≥|n\/a/ { bound = 1 }
        /[0-9]/ { age = $0; gsub(/[^0-9]/, "", age); if (text == "" || age + 0 > largest) { largest = age + 0; text = $0 } }
        END { sub(/^≥ /, "", text); print (NR == 0 ? "–" : text == "" ? "n/a" : (bound ? "≥ " : "") text) }' "$1"
}

# The drill number $i of the fault on the cluster that is up; $1 is the run directory.
drill() {
    # shellcheck disable=SC2086
    become drill $(binding_of "$engine") -P "$home/workloads/workloada" $(mix_of "$fault" "$engine" "$i") -p "recordcount=${RECORDS:-10000}" \
        -D "$cell/drill.yaml" -threads 6 --audit ${inventory:+--on "$inventory" --clients 1} --out "$1"
}

# What the command prints, as words of a row.
listed() { "$@" | head -n 5 | sed 's/$/;/' | tr '\n' ' '; }

# Ends the tool in the middle of a drill and heals; prints the verdict.
killed_and_healed() {
    run=$cell/killed
    rm -rf "$run"
    drill "$run" >"$run.txt" 2>&1 &
    tool=$!
    waited=0
    # The record of open faults is written before a fault begins.
    until grep -q '"kind":"fault-effective"' "$run/markers.jsonl" 2>/dev/null; do
        waited=$((waited + 1))
        if [ "$waited" -gt 3000 ] || ! kill -0 "$tool" 2>/dev/null; then
            kill -9 "$tool" 2>/dev/null
            wait "$tool" 2>/dev/null
            tool=
            echo 'no effect to kill in'
            return
        fi
        sleep 0.1
    done
    kill -9 "$tool"
    wait "$tool" 2>/dev/null
    tool=
    if ! heal >"$cell/heal.txt" 2>&1; then
        echo 'FAILED'
        return
    fi
    open=$(listed open_faults)
    echo "${open:-yes}"
}

one_cell() {
    [ ! -f "$rows/$fault.$engine" ] || return 0
    cell=$results/$engine/$fault
    mkdir -p "$cell"
    line=$(faults | grep "^$fault|")
    case $fault-$engine in
        # Almost all of its memory is its heap, which cannot be taken away without swap.
        memory-cratedb) line=$(echo "$line" | sed 's/share: 80%/share: 97%/') ;;
        # A quarter of the load, a quarter of the rate: more would let everything pass.
        link-throttle-embedded | link-throttle-cratedb) line=$(echo "$line" | sed 's/rate: 100KB/rate: 25KB/') ;;
    esac
    switches=$(echo "$line" | cut -d '|' -f 2)
    case $engine in
        embedded | cratedb) rate=${RATE:-50/s} ;;
        *) rate=${RATE:-200/s} ;;
    esac
    steady=$before
    [ "$fault-$engine" != power-loss-embedded ] || steady=40s
    # Recovered means that all nodes are back, whatever the limits of a drill say.
    {
        printf 'name: %s\nload: %s\nsteady: {after: %s, window: 10s, slope: 30%%, variation: 40%%, within: 5m}\n' "$fault" "$rate" "$steady"
        printf 'cooldown: %s\nrecovery_timeout: 10m\nlimits: {acked_lost: any, service_restored: any}\nsteps:\n' "$after"
        echo "$line" | cut -d '|' -f 4- | tr ';' '\n' | sed 's/^ */  - /'
    } >"$cell/drill.yaml"
    echo "matrix: $fault on $engine"
    up "$engine" "$switches" "$cell/up.txt" || return 1
    know_groups "$engine"
    snapshot "$cell/up"
    # A drill that follows another one waits for nodes that are still busy: what counts is what each of them says.
    i=1
    while [ "$i" -le "$runs" ]; do
        if [ ! -f "$cell/$i.code" ]; then
            rm -rf "${cell:?}/$i"
            (drill "$cell/$i") >"$cell/$i.txt" 2>&1 &
            tool=$!
            wait "$tool"
            code=$?
            tool=
            if [ "$code" -eq 2 ]; then # nothing was started
                tail -n 3 "$cell/$i.txt" >&2
                down "$engine" >/dev/null 2>&1
                return 1
            fi
            echo "$code" >"$cell/$i.code"
            echo "  $i: exit code $code, $(grep -m 1 '^audit: .* lost' "$cell/$i.txt" || tail -n 1 "$cell/$i.txt")"
            heal >>"$cell/$i.txt" 2>&1
        fi
        i=$((i + 1))
    done
    open=$(listed open_faults)
    healed=
    if ! grep -q -s '^healed:' "$rows/$fault".*; then
        healed=$(killed_and_healed)
        echo "  kill -9 of the tool, then heal: $healed"
    fi
    down "$engine" >"$cell/down.txt" 2>&1
    left=$open$(listed left_of "$work/empty" "$cell/up")
    [ -z "$left" ] || echo "  left behind: $left"
    {
        row "${healed:-–}" "${left:-nothing}"
        if [ -n "$inventory" ]; then
            echo "engine: $engine $(sed -n '/^  "engine"/,/^  }/s/^    "version" : "\(.*\)".*/\1/p' "$cell/1/run.json") ($transport $("$transport" --version | awk '{ print $3 }' | tr -d ,))"
        else
            echo "engine: $(version_of "$cell/up.txt")"
        fi
        echo "times: $before before the fault and $after after it"
        echo "machine: $(nproc) processor cores ($(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)), $(
            awk '/^MemTotal/ {printf "%.0f GB", $2 / 1e6}' /proc/meminfo
        ) of memory, Linux $(uname -r)"
        case $healed in '' | 'no effect'*) ;; *) echo "healed: $healed" ;; esac
        [ -z "$left" ] || echo "left: $left"
    } >"$cell/row"
    mv "$cell/row" "$rows/$fault.$engine"
}

# The share of the processors that nobody used during a drill, in per cent.
idle() {
    awk -F , 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "machine_idle") column = i; next }
        { sum += $column } END { printf "%d", (NR > 1) ? 100 * sum / (NR - 1) : 0 }' "$1/client.csv"
}

# The cell's row of the table from the outputs of its drills; $1 and $2: healed and left. Recovered: the drill was valid, and each node
# was there again at its end.
row() {
    recovered=0 lost=0 judged=0 notes= busy=0
    : >"$cell/out"
    : >"$cell/degraded"
    : >"$cell/idle"
    : >"$cell/ages"
    i=1
    while [ "$i" -le "$runs" ]; do
        text=$cell/$i.txt
        case $(cat "$cell/$i.code") in
            0 | 3)
                recovered=$((recovered + 1))
                idle=$(idle "$cell/$i")
                echo "$idle %" >>"$cell/idle"
                if [ "$idle" -ge 10 ]; then
                    figure 'Out of service' "$text" >>"$cell/out"
                    figure 'Degraded' "$text" >>"$cell/degraded"
                else
                    busy=$((busy + 1))
                fi
                ;;
            *) notes="$notes run $i: $(sed -n 's/^error: //p; s/^.*\(fault not effective\).*/\1/p; s/^.*\(did not recover within.*\)/\1/p' "$text" | head -n 1 | cut -c 1-120);" ;;
        esac
        found=$(sed -n 's/^\(error: \)\{0,1\}audit: \([0-9,]*\) acknowledged writes\{0,1\} lost .*, \([0-9,]*\) phantoms\{0,1\}, \([0-9,]*\) stale reads\{0,1\}.*/\2 \3 \4/p' "$text" | tr -d ,)
        if [ -n "$found" ]; then
            judged=$((judged + 1))
            lost=$((lost + ${found%% *}))
            [ "${found%% *}" -eq 0 ] || age "$text" >>"$cell/ages"
            [ "${found#* }" = '0 0' ] || notes="$notes run $i: ${found#* } phantoms and stale reads;"
        fi
        ! grep -q 'replicas differ' "$text" || notes="$notes run $i: copies differ;"
        i=$((i + 1))
    done
    [ "$judged" -eq "$runs" ] || notes="$notes $judged of $runs audits judged;"
    [ "$busy" -eq 0 ] || notes="$notes seconds of $((recovered - busy)) of $runs drills only;"
    lack=$(grep -c '^n/a$' "$cell/out")
    [ "$lack" -eq 0 ] || notes="$notes seconds not known of $lack of $runs drills;"
    oldest=$(oldest "$cell/ages")
    [ "$judged" -gt 0 ] || lost=n/a oldest=n/a
    echo "| \`$fault\` | $engine | $rate | $recovered of $runs | $(middle <"$cell/out") | $(middle <"$cell/degraded") | $lost | $oldest | $1 | $2 | $(middle <"$cell/idle") | $(
        date -u +%Y-%m-%d
    ) | ${notes:+${notes# }} |"
}

# What the rows say of themselves, each once.
said() { sed -n "s/^$1: //p" "$rows"/* | sort -u | awk 'NR > 1 { printf "; " } { printf "%s", $0 }'; }

# The whole page, from the rows that there are.
table() {
    cat <<END
# Faults and engines

Made by \`soak/matrix.sh\`; all nodes of a cell and its clients ran on one machine: $(said machine).
Engines: $(said engine).
Load: \`workloada\` with six threads, $(said times); before \`power-loss\` of the embedded
cluster 40 s, and of \`disk-full\` with inserts in place of its updates, as only files that grow meet it; \`memory\` leaves 80 % of it,
and 97 % on CrateDB, whose memory is almost all heap; \`link-throttle\` leaves 100 KB/s, and 25 KB/s where the load is 50/s.

*Recovered*: drills that were valid and at whose end every node was recovered. *Out* and *degraded* in seconds, of all
faults of a drill: the median, and the least and the largest ([metrics](metrics.md)); ≥: not over at the end of the
data. *Lost*: acknowledged writes that the [audit](audit.md) missed, in all drills of the cell; *RPO*: the
[age](metrics.md#rpo) at the fault of the oldest of them; ≥ or n/a: that of some or all is not known. *Healed*: whether
\`cluster heal\` put everything right after the tool was ended with \`kill -9\` in the middle of the fault, tried on one
engine for each fault. *Left*: processes, namespaces, mounts, paused nodes, open faults or files after the cell.

*galera-podman*, *galera-docker* and *ndb-podman* are clusters [in containers](#in-containers) that an inventory lists,
one drill of each fault; what is *left* there: containers that are not as before, filters in their networks, and open
faults.

*Idle*: the share of the processors that nobody used during the drills. Where it was less than 10 %, seconds are those of a busy
machine, and are not shown.

$(find "$rows" -type f | wc -l) of $(faults | cut -d '|' -f 3 | wc -w) cells have been run.

| fault | engine | load | recovered | out | degraded | lost | RPO | healed | left | idle | date | remarks |
|---|---|---|---|---|---|---|---|---|---|---|---|---|
END
    faults | cut -d '|' -f 1 | while read -r fault; do
        for engine in embedded ndb galera cratedb patroni $in_containers; do
            [ ! -f "$rows/$fault.$engine" ] || head -n 1 "$rows/$fault.$engine"
        done
    done
}

bad=0
for fault in $only_faults; do
    for engine in $only_engines; do
        case $(faults | grep "^$fault|" | cut -d '|' -f 3) in
            *" $engine "*) one_cell || bad=$((bad + 1)) ;;
        esac
    done
done
finish all
cells=$(find "$rows" -type f | wc -l)
if [ "$cells" -gt 0 ]; then
    # What stands below its table stays at the page's end.
    killed=$(sed -n '/^## /,$p' "$page" 2>/dev/null)
    {
        table
        [ -z "$killed" ] || printf '\n%s\n' "$killed"
    } >"$page.new" && mv "$page.new" "$page"
fi
wrong=$(find "$rows" -type f -exec awk '/^left: / || (/^healed: / && $2 != "yes") { print FILENAME; exit }' {} \; | wc -l)
echo "matrix: $cells cells in $page, $wrong with something left or not healed, $bad without a cluster"
[ "$wrong" -eq 0 ] && [ "$bad" -eq 0 ]
