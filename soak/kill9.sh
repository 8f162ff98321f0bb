#!/bin/sh
# Ends the tool with kill -9 while a fault is in force, again and again, and compares the machine with what it was before each drill:
# after "cluster heal", and at the end after "cluster down". Nothing may be left. The table is a section of docs/matrix.md.
#
#   soak/kill9.sh [-e ENGINE] [-k 'KIND ...'] [-n COUNT] [-s SEED] [-d DIR] [-o FILE]
#
#   -e   embedded (default), ndb, galera or cratedb
#   -k   only these faults; default: all that the engine can have
#   -n   kills of each kind, default 12
#   -s   seed of the moments and of the processes that are killed, default 1
#   -d   where the output of the commands is kept, default results/kill9
#   -o   the page, default docs/matrix.md. The row of a kind is replaced when all its kills are done
#
# NDB needs NDB_HOME, Galera GALERA_HOME, CrateDB CRATEDB_HOME. One cluster is up for all kills of a kind; a kill costs some ten seconds
# when the machine has nothing else to do. The tool is two processes where the cluster has a network of its own; the one that the user has
# started is killed, or the other, by seed. A kill counts when the fault was open at that moment. Exit code 1 when anything was left, a
# heal failed or a kind did not come to its kills. SIGUSR1 ends a kind after the kill that is under way.
set -u

# One fault a line: name | options of cluster up | keys of its step.
kinds() {
    cat <<'END_OF_KINDS'
restart||fault: restart, node: random, mode: kill, down: 2s
initialise||fault: initialise, node: random, mode: kill, down: 2s
pause||fault: pause, node: random, duration: 30s
isolate|--network isolated|fault: isolate, node: random, from: all, duration: 30s
partition|--network isolated|fault: partition, node: all, groups: [[1], [2, 3]], duration: 30s
disk-stall|--disk-faults|fault: disk-stall, node: random, duration: 30s
disk-full|--disk-faults|fault: disk-full, node: random, duration: 30s
memory|--memory-faults|fault: memory, node: random, share: 80%, duration: 30s
power-loss|--power-loss|fault: power-loss, node: all
starve||fault: starve, node: random, share: 80%, duration: 30s
END_OF_KINDS
}

fail() {
    echo "kill9: $1" >&2
    exit 2
}

home=$(cd -- "$(dirname -- "$0")/.." && pwd -P)
results=$home/results/kill9
page=$home/docs/matrix.md
engine=embedded
only=
count=12
seed=1
while getopts e:k:n:s:d:o: option; do
    case $option in
        e) engine=$OPTARG ;;
        k) only=$OPTARG ;;
        n) count=$OPTARG ;;
        s) seed=$OPTARG ;;
        d) results=$OPTARG ;;
        o) page=$(realpath -m -- "$OPTARG") ;;
        *) fail "see the head of $0" ;;
    esac
done
shift $((OPTIND - 1))
[ $# -eq 0 ] || fail "unexpected: $*; see the head of $0"
case $engine in
    embedded | galera | cratedb) all=$(kinds | cut -d '|' -f 1) ;;
    ndb) all=$(kinds | cut -d '|' -f 1 | grep -v -x -e memory -e partition) ;;
    *) fail "-e $engine: expected embedded, ndb, galera or cratedb" ;;
esac
[ "$engine" != cratedb ] || all=$(echo "$all" | grep -v -x -e disk-stall -e disk-full -e power-loss)
for number in "$count" "$seed"; do
    case $number in
        '' | 0* | *[!0-9]*) fail "$number: expected a whole number from 1" ;;
    esac
done
for kind in $only; do
    echo "$all" | grep -q -x "$kind" || fail "-k $kind: expected one of $(echo "$all" | tr '\n' ' ')"
done
case $engine in
    galera) binding=jdbc ;;
    cratedb) binding=rest ;;
    *) binding="native --engine $engine" ;;
esac

# Short, as sockets are in it. What belongs to the clusters of this script is known by it: it is in the environment of everything that the
# tool has started, in command lines, in the names of files and mounts. This script's own processes do not have it.
state=$(mktemp -d /tmp/kill9.XXXXXX) || exit 1
work=$(mktemp -d) || exit 1
chmod o+x "$state" # as root, another user runs CrateDB's servers
mkdir "$state/tmp" "$state/s" && chmod 1777 "$state/tmp" || exit 1
mkdir -p "$results" && results=$(cd -- "$results" && pwd -P) || exit 1
cluster=$state/s/$engine/cluster

# Becomes the tool: what is started with it in the background has its id.
become() {
    exec env YCSB_DRILL_STATE="$state/s" TMPDIR="$state/tmp" \
        YCSB_JVM_ARGS="-XX:TieredStopAtLevel=1 -XX:-UsePerfData -Djava.io.tmpdir=$state/tmp" "$home/bin/ycsb" "$@" </dev/null
}
ycsb() { (become "$@"); }

# The ids of all processes that belong to the clusters.
ours() {
    {
        grep -l -s -F "YCSB_DRILL_STATE=$state/s" /proc/[0-9]*/environ
        grep -l -s -F "$state/s/" /proc/[0-9]*/cmdline
    } | cut -d / -f 3 | sort -u | while read -r pid; do
        # Not those of this script that look for it.
        case $(cat "/proc/$pid/comm" 2>/dev/null) in '' | grep) ;; *) echo "$pid" ;; esac
    done
}

tool=
finish() {
    [ -z "$tool" ] || kill -9 "$tool" 2>/dev/null
    ycsb cluster down all >/dev/null 2>&1
    ours | while read -r pid; do kill -9 "$pid" 2>/dev/null; done
    rm -rf "$state" "$work"
}
trap 'finish; exit 130' INT TERM HUP
# No more kills of this kind: its row has those that there were.
trap 'count=$kills' USR1

processes() {
    ours | while read -r pid; do
        name=$(cat "/proc/$pid/comm" 2>/dev/null) || continue
        echo "process $name"
        ! grep -q '^State:.[Tt]' "/proc/$pid/status" 2>/dev/null || echo "process $name is stopped"
    done
}

# Namespaces of the kinds that can have something in them, and what is in the networks. The machine's own is looked at, too.
namespaces() {
    pids=$(ours)
    for kind_of in net mnt pid user; do
        for pid in $pids self; do
            inode=$(readlink "/proc/$pid/ns/$kind_of" 2>/dev/null) && echo "namespace $inode"
        done | sort -u
    done
    for pid in $pids self; do
        inode=$(readlink "/proc/$pid/ns/net" 2>/dev/null) && echo "$inode $pid"
    done | sort -u -k 1,1 | while read -r inode pid; do
        in_network() { [ "$pid" = self ] && "$@" || nsenter --target "$pid" --net -- "$@"; }
        in_network ip -o link 2>/dev/null | awk -F ': ' -v network="$inode" '{ sub(/@.*/, "", $2); print "link " network " " $2 }'
        in_network nft list tables 2>/dev/null | sed "s/^/nft $inode /"
        in_network tc qdisc show 2>/dev/null | awk -v network="$inode" '$2 ~ /netem|tbf/ { print "qdisc " network " " $2 " " $5 }'
    done
}

# Mounts in any namespace, loop devices, memory groups with their limits.
kernel() {
    cat /proc/self/mounts 2>/dev/null | awk -v place="$state" 'index($0, place) { print "mount " $2 }'
    for pid in $(ours); do
        awk -v place="$state" 'index($0, place) { print "mount " $5 }' "/proc/$pid/mountinfo" 2>/dev/null
    done | sort -u
    losetup -a 2>/dev/null | awk -v place="$state" 'index($0, place) { print "loop device " $0 }'
    for groups in $groups_root; do
        [ -d "$groups" ] || continue
        find "$groups" -type d | while read -r group; do
            for limit in "$group/memory.max" "$group/memory.limit_in_bytes"; do
                # Without a limit there is a word, or a number that no machine has.
                [ ! -f "$limit" ] || echo "memory group $group $(awk '/^[0-9]+$/ && length($0) < 16 { print "limited"; next } { print "free" }' "$limit")"
            done
        done
    done
}

# Names of all files but for the nodes' data, logs and the writes that are not synced; what is in those that say that a fault is in force.
files() {
    find "$state" \( -path '*/data' -o -path '*/undo' -o -name '*.log*' -o -name '*.lck' -o -name 'events.jsonl' \) -prune -o -print |
        sed "s:^$state:file :"
    find "$state" -name '*.control' | while read -r control; do
        [ "$(od -An -N4 -tu4 "$control" | tr -d ' ')" = 0 ] || echo "$(basename "$control") is in force"
    done
}

snapshot() {
    {
        processes
        namespaces
        kernel
        files
    } | LC_ALL=C sort >"$1"
}

# What the second snapshot has more often than the first, and the first more often than the second; nothing when they are the same.
differences() { diff "$1" "$2" | sed -n 's/^> /left: /p; s/^< /missing: /p'; }

# Numbers from 0 to 1 for the kill $1 of this kind: $2 of them.
chances() {
    awk -v seed="$seed" -v kill="$1" -v kind="$kind.$engine" -v many="$2" 'BEGIN {
        x = seed * 7919 + kill * 104729
        for (i = 1; i <= length(kind); i++) x = (x * 31 + index("abcdefghijklmnopqrstuvwxyz-.", substr(kind, i, 1))) % 2147483647
        for (i = 0; i < many + 3; i++) { x = (x * 16807 + 11) % 2147483647; if (i >= 3) print x / 2147483647 }
    }'
}

# The moment after the record of the fault, in seconds: half of them in its first half second, in which most is done, half within five.
moment() { chances "$1" 2 | awk 'NR == 1 { early = $1 < 0.5 } NR == 2 { printf "%.2f", (early ? 0.5 : 5) * $1 }'; }

# Starts the drill and kills it; fails when the fault was not open then.
strike() {
    run=$cell/run
    rm -rf "$run"
    case $kind in
        # Only files that grow meet it; keys that an earlier drill inserted would be refused.
        disk-full) mix="-p updateproportion=0 -p insertproportion=0.5 -p fieldlength=400 -p table=grown$attempt" ;;
        *) mix= ;;
    esac
    # shellcheck disable=SC2086
    become drill $binding -P "$home/workloads/workloada" -p recordcount=200 $mix \
        -D "$cell/drill.yaml" -threads 2 --seed "$attempt" --out "$run" >"$cell/$attempt.txt" 2>&1 &
    tool=$!
    # The record of open faults is written before a fault begins.
    until [ -s "$cluster/heal.json" ]; do
        kill -0 "$tool" 2>/dev/null || break
        sleep 0.02
    done
    sleep "$moment"
    inner=$(pgrep -P "$tool" -f io.ycsbdrill.client.cli.Main)
    [ "$(chances "$attempt" 3 | awk 'NR == 3 { print ($1 < 0.5) }')" = 1 ] || inner=
    kill -9 "${inner:-$tool}" 2>/dev/null
    wait "$tool" 2>/dev/null
    tool=
    [ -s "$cluster/heal.json" ]
}

say_left() {
    [ -s "$1" ] || return 0
    sed "s/^/    $2: /" "$1" | head -n 20
    wrong=1
}

# All kills of a kind; prints what happens, and puts the row into the page.
one_kind() {
    cell=$results/$engine/$kind
    rm -rf "$cell"
    mkdir -p "$cell"
    line=$(kinds | grep "^$kind|")
    switches=$(echo "$line" | cut -d '|' -f 2)
    step=$(echo "$line" | cut -d '|' -f 3)
    at=1s
    case $kind-$engine in
        # Almost all of its memory is its heap, which cannot be taken away without swap.
        memory-cratedb) step=$(echo "$step" | sed 's/share: 80%/share: 97%/') ;;
        # Files that nobody syncs must be older than 35 s to survive it.
        power-loss-embedded) at=38s ;;
    esac
    printf 'name: %s\nload: 30/s\nsteady: off\ncooldown: 2s\nrecovery_timeout: 5m\nsteps:\n  - {step: f, %s, at: %s}\n' \
        "$kind" "$step" "$at" >"$cell/drill.yaml"
    echo "kill9: $kind on $engine"
    # shellcheck disable=SC2086
    if ! ycsb cluster up "$engine" $switches >"$cell/up.txt" 2>&1; then
        tail -n 3 "$cell/up.txt" >&2
        ycsb cluster down "$engine" >/dev/null 2>&1
        return 1
    fi
    version=$(sed -n 's/^\([a-z][^:]*\) is up with .*/\1/p' "$cell/up.txt")
    nodes=$(sed -n 's/^.* is up with \([0-9]*\) .*/\1/p' "$cell/up.txt")
    groups_root=$(sed -n 2p "$cluster/memory-cgroup" 2>/dev/null)
    kills=0 clean=0 up=0 attempt=0 wrong=0
    : >"$cell/heals"
    : >"$cell/moments"
    while [ "$kills" -lt "$count" ] && [ "$attempt" -lt $((2 * count + 2)) ]; do
        attempt=$((attempt + 1))
        moment=$(moment "$attempt")
        snapshot "$cell/$attempt.before"
        strike && open=1 || open=0
        began=$(date +%s.%N)
        ycsb cluster heal "$engine" --timeout 2m >"$cell/$attempt.heal" 2>&1
        code=$?
        took=$(echo "$began $(date +%s.%N)" | awk '{ printf "%.1f", $2 - $1 }')
        snapshot "$cell/$attempt.after"
        differences "$cell/$attempt.before" "$cell/$attempt.after" >"$cell/$attempt.left"
        started=$(ycsb cluster status "$engine" 2>&1 | tee "$cell/$attempt.status" | grep -c '^  [a-z0-9]* *started ')
        echo "  $attempt: ${moment} s after its record$([ $open = 1 ] || echo ', which was gone: does not count'), heal $took s, exit code $code, $started of $nodes nodes"
        say_left "$cell/$attempt.left" "$attempt"
        [ "$code" -eq 0 ] && [ "$started" -eq "$nodes" ] || wrong=1
        [ "$open" = 1 ] || continue
        kills=$((kills + 1))
        [ -s "$cell/$attempt.left" ] || clean=$((clean + 1))
        [ "$code" -eq 0 ] && [ "$started" -eq "$nodes" ] && up=$((up + 1))
        echo "$took" >>"$cell/heals"
        echo "$moment" >>"$cell/moments"
    done
    networks=$(sed -n 's/^namespace //p' "$cell/1.before")
    ycsb cluster down "$engine" >"$cell/down.txt" 2>&1 || {
        tail -n 3 "$cell/down.txt"
        wrong=1
    }
    snapshot "$cell/down"
    # But for the lock, which stays for whoever is next.
    differences "$work/empty" "$cell/down" | grep -v -e '^missing: ' -e "^left: file /s/$engine\(/cluster.lock\)\{0,1\}$" >"$cell/down.left"
    for inode in $networks; do # also one in which only a stranger is left
        grep -q -F "$inode" "$work/empty" || find /proc/[0-9]*/ns -lname "$inode" 2>/dev/null | sed 's/^/left: namespace of /'
    done >>"$cell/down.left"
    say_left "$cell/down.left" 'after down'
    [ -s "$cell/down.left" ] && down=no || down=yes
    [ "$kills" -gt 0 ] || return 1
    put "| \`$kind\` | $engine | $kills | $(span "$cell/moments") s | $clean of $kills | $down | $up of $kills | $(
        middle "$cell/heals"
    ) s | $(date -u +%Y-%m-%d) | $version |"
    [ "$wrong" -eq 0 ] && [ "$kills" -ge "$count" ]
}

span() { LC_ALL=C sort -n "$1" | sed -n '1p; $p' | tr '\n' ' ' | sed 's/^\([^ ]*\) \(.*[^ ]\) *$/\1 to \2/'; }

# The middle one, with the least and the largest.
middle() { LC_ALL=C sort -n "$1" | awk '{ all[NR] = $1 } END { printf "%.1f (%.1f to %.1f)", (all[int((NR + 1) / 2)] + all[int(NR / 2) + 1]) / 2, all[1], all[NR] }'; }

title='## The tool is killed'

# Puts a row into the section of the page, in place of an earlier one of the same kind and engine; the section is the page's last.
put() {
    {
        [ ! -f "$page" ] || sed -n "/^$title/,\$p" "$page" | grep '^| `' | grep -v "^| \`$kind\` | $engine "
        echo "$1"
    } >"$work/rows"
    {
        [ ! -f "$page" ] || sed "/^$title/,\$d" "$page" | sed -e :a -e '/^\n*$/{$d;N;ba' -e '}' # without blank lines at its end
        cat <<END

$title

Made by \`soak/kill9.sh\`: while a fault was in force, the drill's process was ended with SIGKILL, at a moment after the
fault was recorded that was drawn at random. Before the drill, after \`cluster heal\` and, at the end of a row, after
\`cluster down\`, these were compared: processes, stopped ones among them, namespaces, links, queueing disciplines, nft
tables, mounts, loop devices, memory groups and their limits, and the names of files in the state directory and in the
temporary one. *Nodes up*: \`cluster heal\` ended with exit code 0, and \`cluster status\` then said that every node was
started. *Heal*: the whole command, the median, the least and the largest.

| fault | engine | kills | after the record | nothing left after heal | nothing left after down | nodes up | heal | date | version |
|---|---|---|---|---|---|---|---|---|---|
END
        for of in $(kinds | cut -d '|' -f 1); do
            for name in embedded ndb galera cratedb; do grep "^| \`$of\` | $name " "$work/rows"; done
        done
    } >"$work/page"
    cp "$work/page" "$page"
}

groups_root=
bad=0
snapshot "$work/empty"
for kind in ${only:-$all}; do
    one_kind || bad=$((bad + 1))
done
finish
echo "kill9: the table is in $page; $bad kinds with something left, not healed or without their kills"
[ "$bad" -eq 0 ]
