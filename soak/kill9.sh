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
. "$(dirname -- "$0")/functions.sh"

# One fault a line: name | options of cluster up | keys of its step. Of memory little is taken: without swap only cached files can be, and
# a fault that cannot be injected has nothing to be healed.
kinds() {
    cat <<'END_OF_KINDS'
restart||fault: restart, node: random, mode: kill, down: 2s
initialise||fault: initialise, node: random, mode: kill, down: 2s
pause||fault: pause, node: random, duration: 30s
isolate|--network isolated|fault: isolate, node: random, from: all, duration: 30s
partition|--network isolated|fault: partition, node: all, groups: [[1], [2, 3]], duration: 30s
link-duplicate|--network isolated|fault: link-duplicate, node: random, share: 30%, duration: 30s
link-corrupt|--network isolated|fault: link-corrupt, node: random, share: 1%, duration: 30s
disk-stall|--disk-faults|fault: disk-stall, node: random, duration: 30s
disk-full|--disk-faults|fault: disk-full, node: random, duration: 30s
memory|--memory-faults|fault: memory, node: random, share: 97%, duration: 30s
clock-jump|--clock-faults|fault: clock-jump, node: random, ahead: 1h, duration: 30s
power-loss|--power-loss|fault: power-loss, node: all
starve||fault: starve, node: random, share: 80%, duration: 30s
END_OF_KINDS
}

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
[ "$engine" != cratedb ] || all=$(echo "$all" | grep -v -x -e disk-stall -e disk-full -e clock-jump -e power-loss)
whole_number -n "$count"
whole_number -s "$seed"
among -k "$only" "$all"
binding=$(binding_of "$engine")
# Processes live for seconds only: the optimising compiler would not pay, neither in the tool nor in embedded nodes.
jvm_args='-XX:TieredStopAtLevel=1 -Dycsbdrill.embedded.jvm=-XX:TieredStopAtLevel=1'

new_state
work=$(mktemp -d) || exit 1
mkdir -p "$results" && results=$(cd -- "$results" && pwd -P) || exit 1
trap 'finish "$engine"; exit 130' INT TERM HUP
# No more kills of this kind: its row has those that there were.
trap 'count=$kills' USR1

# A number from 0 to 1 for the kill $1 of this kind; another one for each $2.
chance() { echo "$seed $kind $engine $1 $2" | md5sum | awk '{ for (i = 1; i <= 6; i++) x = 16 * x + index("123456789abcdef", substr($1, i, 1)); print x / 16777216 }'; }

# The moment after the record of the fault, in seconds: half of them in its first half second, in which most is done, half within five.
moment() { echo "$(chance "$1" when) $(chance "$1" which)" | awk '{ printf "%.2f", ($2 < 0.5 ? 0.5 : 5) * $1 }'; }

# Starts the drill and kills it; fails when the fault was not open then.
strike() {
    run=$cell/run
    rm -rf "$run"
    # shellcheck disable=SC2086
    become drill $binding -P "$home/workloads/workloada" -p recordcount=200 $(mix_of "$kind" "$engine" "$attempt") \
        -D "$cell/drill.yaml" -threads 2 --seed "$attempt" --out "$run" >"$cell/$attempt.txt" 2>&1 &
    tool=$!
    # The record of open faults is written before a fault begins.
    until [ -s "$state/s/$engine/cluster/heal.json" ]; do
        kill -0 "$tool" 2>/dev/null || break
        sleep 0.02
    done
    sleep "$moment"
    inner=$(pgrep -P "$tool" -f io.ycsbdrill.client.cli.Main)
    [ "$(chance "$attempt" process | awk '{ print ($1 < 0.5) }')" = 1 ] || inner=
    kill -9 "${inner:-$tool}" 2>/dev/null
    wait "$tool" 2>/dev/null
    tool=
    [ -s "$state/s/$engine/cluster/heal.json" ]
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
    echo "kill9: $kind on $engine"
    up "$engine" "$switches" "$cell/up.txt" || return 1
    version=$(version_of "$cell/up.txt")
    nodes=$(sed -n 's/^.* is up with \([0-9]*\) .*/\1/p' "$cell/up.txt")
    know_groups "$engine"
    kills=0 clean=0 up=0 attempt=0 wrong=0 at=1
    # Files that nobody syncs must be older than 35 s to survive it.
    [ "$kind-$engine" != power-loss-embedded ] || at=38
    : >"$cell/heals"
    : >"$cell/moments"
    while [ "$kills" -lt "$count" ] && [ "$attempt" -lt $((2 * count + 2)) ]; do
        attempt=$((attempt + 1))
        moment=$(moment "$attempt")
        printf 'name: %s\nload: 30/s\nsteady: off\ncooldown: 2s\nrecovery_timeout: 5m\nsteps:\n  - {step: f, %s, at: %ss}\n' \
            "$kind" "$step" "$at" >"$cell/drill.yaml"
        # What the last kill has left as it was is what was before this one.
        if [ -f "$cell/$((attempt - 1)).left" ] && [ ! -s "$cell/$((attempt - 1)).left" ]; then
            cp "$cell/$((attempt - 1)).after" "$cell/$attempt.before"
        else
            snapshot "$cell/$attempt.before"
        fi
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
    ycsb cluster down "$engine" >"$cell/down.txt" 2>&1 || {
        tail -n 3 "$cell/down.txt"
        wrong=1
    }
    left_of "$work/empty" "$cell/1.before" >"$cell/down.left"
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

bad=0
snapshot "$work/empty"
for kind in ${only:-$all}; do
    one_kind || bad=$((bad + 1))
done
finish "$engine"
echo "kill9: the table is in $page; $bad kinds with something left, not healed or without their kills"
[ "$bad" -eq 0 ]
