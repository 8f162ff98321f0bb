# What soak/kill9.sh and soak/matrix.sh share; they read it first. Sets home, script, and the defaults of page and results.
script=$(basename "$0" .sh)
home=$(cd -- "$(dirname -- "$0")/.." && pwd -P)
results=$home/results/$script
page=$home/docs/matrix.md
# Of the page's last section, which kill9.sh makes.
title='## The tool is killed'

fail() {
    echo "$script: $1" >&2
    exit 2
}

# $1 is an option and $2 its value.
whole_number() {
    case $2 in
        '' | 0* | *[!0-9]*) fail "$1 $2: expected a whole number from 1" ;;
    esac
}

# $1 is an option, $2 what was given with it, $3 all that may be.
among() {
    for given in $2; do
        case " $(echo $3) " in *" $given "*) ;; *) fail "$1 $given: expected one of $(echo $3)" ;; esac
    done
}

# The words of the tool that say how clients reach the clusters of engine $1.
binding_of() {
    case $1 in
        galera* | patroni) echo jdbc ;;
        ndb-*) echo native ;;
        cratedb) echo rest ;;
        *) echo "native --engine $1" ;;
    esac
}

# Options of the workload for drill $3 of fault $1 on engine $2: only files that grow meet a full disk, those of Galera's servers by 4 MB at a
# time; keys that an earlier drill inserted would be refused.
mix_of() {
    [ "$1" = disk-full ] || return 0
    echo "-p updateproportion=0 -p insertproportion=0.5 -p table=grown$3"
    [ "$2" != galera ] || echo '-p fieldlength=400'
}

# Where the clusters of this script are. Short, as sockets are in it. What belongs to them is known by it: it is in the environment of
# everything that the tool has started, in the names of files and mounts. This script's own processes do not have it.
new_state() {
    state=$(mktemp -d "/tmp/$script.XXXXXX") || exit 1
    chmod o+x "$state" # as root, another user runs CrateDB's servers
    mkdir "$state/tmp" "$state/s" && chmod 1777 "$state/tmp" || exit 1
}

# Becomes the tool: what is started with it in the background has its id.
become() {
    exec env YCSB_DRILL_STATE="$state/s" TMPDIR="$state/tmp" \
        YCSB_JVM_ARGS="-XX:-UsePerfData -Djava.io.tmpdir=$state/tmp ${jvm_args:-} ${YCSB_JVM_ARGS:-}" "${YCSB:-$home/bin/ycsb}" "$@" </dev/null
}
ycsb() { (become "$@"); }

# A cluster of an inventory that others have started, in containers of the program $transport; empty: the tool starts the clusters.
inventory=

# A key of the inventory's first level, or of its defaults.
inventory_key() { sed -n "s/^\(defaults: {\)\{0,1\}$1: *\([^,} ]*\).*/\2/p" "$inventory" | head -n 1; }

# Starts a cluster of engine $1 with the options $2; what it says goes to $3, and its last words are shown when it does not start.
up() {
    if [ -n "$inventory" ]; then
        ycsb cluster status --inventory "$inventory" >"$3" 2>&1 && return
    else
        # shellcheck disable=SC2086
        ycsb cluster up "$1" $2 >"$3" 2>&1 && return
    fi
    tail -n 3 "$3" >&2
    down "$1"
    return 1
}

down() { [ -n "$inventory" ] || ycsb cluster down "$1"; }

heal() { ycsb cluster heal ${inventory:+--inventory "$inventory"} "$@"; }

# The engine and its version, as $1, the output of up, has them.
version_of() { sed -n 's/^\([a-z][^:]*\) is up with .*/\1/p' "$1"; }

# When process $1 was started, as pid files have it.
start_of() { sed -n 's/^.*) //p' "/proc/$1/stat" 2>/dev/null | cut -d ' ' -f 20; }

# The ids of all processes that belong to the clusters: by their environment, or a pid file with their start. A path in the arguments
# says nothing, as an editor has it, too.
ours() {
    {
        grep -l -s -F "YCSB_DRILL_STATE=$state/s" /proc/[0-9]*/environ | cut -d / -f 3
        find "$state/s" -name '*.pid' -type f -exec cat {} + 2>/dev/null | while read -r pid start programs; do
            [ -z "$programs" ] || [ "$(start_of "$pid")" != "$start" ] || echo "$pid"
        done
    } | sort -u | while read -r pid; do
        [ ! -e "/proc/$pid/comm" ] || echo "$pid" # not this script's own that have looked
    done
}

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

# Mounts in any namespace, loop devices, memory groups with their limits. The groups of a cluster are below the folder that it names.
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

# The containers of the machine, what is in the networks of those that run, and the inventory's records of open faults.
containers() {
    [ -n "$inventory" ] || return 0
    "$transport" ps -a --format '{{.Names}}' | while read -r name; do
        echo "container $name $("$transport" inspect -f '{{.State.Status}}' "$name")"
        pid=$("$transport" inspect -f '{{.State.Pid}}' "$name")
        [ "$pid" = 0 ] || nsenter --target "$pid" --net -- nft list tables | sed "s/^/nft of $name /"
    done
    find "$(inventory_key journal)" -type f 2>/dev/null | sed 's/^/open fault /'
}

groups_root=
snapshot() {
    {
        containers
        processes
        namespaces
        kernel
        files
    } | LC_ALL=C sort >"$1"
}

# What of a fault is in force or recorded as open while a cluster is up.
open_faults() {
    containers | grep -e ' paused$' -e ycsb_drill -e '^open fault'
    processes | grep 'is stopped$'
    kernel | grep 'limited$'
    files | grep -e '/heal\.json$' -e 'is in force$' -e '\.power-loss$' -e '/network/.*\.cut$'
}

# To be called when a cluster of engine $1 is up.
know_groups() { groups_root=$(sed -n 2p "$state/s/$1/cluster/memory-cgroup" 2>/dev/null); }

# What the second snapshot has more often than the first, and the first more often than the second; nothing when they are the same.
differences() { diff "$1" "$2" | sed -n 's/^> /left: /p; s/^< /missing: /p'; }

# What is there of a cluster that is down: $1 is the snapshot of before it was up, $2 one of while it was.
left_of() {
    snapshot "$1.now"
    # But for the locks, which stay for whoever is next.
    differences "$1" "$1.now" | grep -v -e '^missing: ' -e '^left: file /s/[A-Za-z0-9._-]*\(/cluster\)\{0,1\}\(\.lock\)\{0,1\}$' \
        ${inventory:+-e '^left: link .* veth'} # the links of containers have new names whenever these start
    for inode in $(sed -n 's/^namespace //p' "$2"); do # also one in which only a stranger is left
        grep -q -F "$inode" "$1" || find /proc/[0-9]*/ns -lname "$inode" 2>/dev/null | sed 's/^/left: namespace of /'
    done
}

tool=
# Ends everything of the clusters of engines $1, or all.
finish() {
    [ -z "$tool" ] || kill -9 "$tool" 2>/dev/null
    ycsb cluster down "$1" >/dev/null 2>&1
    ours | while read -r pid; do kill -9 "$pid" 2>/dev/null; done
    rm -rf "$state" "$work"
}
