# What ycsb-drill does on the host of a node; read from standard input: sh -s -- VERB ARGUMENT... Before it stands process.sh.
# It signals a process only when the pid file names it and it runs the program; it empties a directory only when no process uses it.
verb=$1
shift
cd /
# Without it nothing would be found to use a directory.
case $verb in
    kill | stop | pause | paused | alive | ours | wipe | probe)
        command -v awk >/dev/null || fail "there is no program awk here (in a container: in its image), without which no process is proven to be the node's"
        ;;
esac

parent_of() {
    line=$(cat "/proc/$1/stat" 2>/dev/null) || return 1
    rest=${line##*) }
    rest=${rest#* }
    echo "${rest%% *}"
}

# Whether process $1 has not ended: also while the last of its threads are on their way out and still have its files and ports.
there() {
    line=$(cat "/proc/$1/stat" 2>/dev/null) || return 1
    # shellcheck disable=SC2086
    set -- ${line##*) }
    case $1 in Z | X) [ "${18}" -gt 1 ] ;; esac
}

# Whether process $1 is on its way out: it has no executable and no command line any more. The kernel's own never have one.
dying() {
    there "$1" && [ "$(parent_of "$1")" != 2 ] && [ "$1" != 2 ] &&
        [ -z "$(readlink "/proc/$1/exe" 2>/dev/null)" ] && [ "$(wc -c 2>/dev/null <"/proc/$1/cmdline")" = 0 ]
}

# The processes that run one of the programs of $1 (a|b). A host may have thousands of processes and little time, so that only
# those are looked at closely of which a first glance at all says that they may.
running() {
    {
        # shellcheck disable=SC2012
        ls -l /proc/[0-9]*/exe 2>/dev/null | awk -v names="$1" '
            (at = index($0, " -> ")) {
                to = substr($0, at + 4)
                sub(/ \(deleted\)$/, "", to)
                sub(/.*\//, "", to)
                if (index("|" names "|", "|" to "|") && match($0, /\/proc\/[0-9]+\//)) print substr($0, RSTART + 6, RLENGTH - 7)
            }'
        grep -l -s -F -e "$(echo "$1" | tr '|' '\n')" /proc/[0-9]*/cmdline | cut -d / -f 3
    } | sort -u | while read -r candidate; do
        ! runs "$candidate" "$1" || echo "$candidate"
    done
}

# The children of process $1.
children_of() {
    for child in $(grep -l -s -E "\) [A-Za-z] $1 " /proc/[0-9]*/stat | cut -d / -f 3); do
        [ "$(parent_of "$child")" != "$1" ] || echo "$child"
    done
}

# Whether process $1 is a part of this script.
is_ours() {
    up=$1
    while [ "$up" -gt 1 ] && [ "$up" != $$ ]; do
        up=$(parent_of "$up") || return 0
    done
    [ "$up" = $$ ]
}

# The processes that use directory $1 by their working directory, open or mapped files or arguments; not those that this is run by.
# With $2 that process only is looked at.
users_of() {
    looked=${2:-[0-9]*}
    used=$(cd -P "$1" 2>/dev/null && pwd -P) || used=$1
    own=" $$ "
    parent=$$
    while parent=$(parent_of "$parent") && [ "$parent" -gt 1 ]; do
        own="$own$parent "
    done
    {
        # shellcheck disable=SC2012,SC2086
        ls -l /proc/$looked/fd/ /proc/$looked/cwd 2>/dev/null | awk -v dir="$used" '
            /^\/proc\/[0-9]+\/fd\/:$/ { split($0, part, "/"); pid = part[3]; next }
            (at = index($0, " -> ")) {
                to = substr($0, at + 4)
                if (to != dir && index(to, dir "/") != 1) next
                if (match($0, /\/proc\/[0-9]+\/cwd/)) { split(substr($0, RSTART), part, "/"); print part[3] } else print pid
            }'
        # shellcheck disable=SC2086
        grep -l -s -F -e " $used/" /proc/$looked/maps | cut -d / -f 3
        # shellcheck disable=SC2086
        for file in $(grep -l -s -F -e "$1" -e "$used" /proc/$looked/cmdline); do
            tr '\0' '\n' 2>/dev/null <"$file" | awk -v a="$1" -v b="$used" '
                { sub(/^-[^=]*=/, "") }
                $0 == a || $0 == b || index($0, a "/") == 1 || index($0, b "/") == 1 { found = 1 }
                END { exit !found }' && echo "$file" | cut -d / -f 3
        done
    } | sort -u | while read -r user; do
        case $own in
            *" $user "*) ;;
            *) is_ours "$user" || [ ! -d "/proc/$user" ] || echo "$user" ;;
        esac
    done
}

# Prints why no process of the programs $2 may be taken for that of pid file $1 and directory $3; nothing when there is surely none.
doubt() {
    if [ -n "$3" ] && [ -d "$3" ]; then
        for other in $(users_of "$3"); do
            ! runs "$other" "$2" || echo "process $other runs ${2%%|!*} and uses $3, but pid file $1 does not name it"
        done
    fi
    # A file that names a process which has ended is the last one's; without a file it may be any, as a server may write it late.
    [ ! -e "$1" ] || return 0
    # A server that something keeps running has its directory on its command line from its first moment on.
    [ -z "$supervisor" ] || return 0
    for other in $(running "$2"); do
        # One that is seen to work elsewhere is another server of this host, unless it has only begun.
        if [ -n "$3" ] && [ -r "/proc/$other/fd/" ]; then
            read -r up _ </proc/uptime
            age=$((${up%.*} - $(start_of "$other" || echo 0) / $(getconf CLK_TCK 2>/dev/null || echo 100)))
            [ "$age" -lt 5 ] || continue
        fi
        echo "process $other may be it, but pid file $1 does not name it"
    done
}

# Fails unless the process that was found uses directory $2, where there is one: else it is another server of this host.
prove() {
    [ -n "$2" ] && [ -d "$2" ] || return 0
    for part in "$worker" "$pid"; do
        [ -z "$(users_of "$2" "$part")" ] || return 0
    done
    [ -r "/proc/$worker/fd/" ] || fail "$(id -un) may not see whether process $worker uses $2; name another user"
    fail "process $worker, which pid file $1 names, does not use $2, so it is left alone: it is another server, or data_directory should name another directory"
}

# The directories that text which comes in, YAML or JSON, sets as data_dir.
data_dirs() {
    sed 's/\(^\|[[:space:]]\)#.*//' | tr -d "\"'" | tr '{},' '\n\n\n' | sed -n 's/^[[:space:]-]*data_dir[[:space:]]*:[[:space:]]*//p' | sed 's/[[:space:]]*$//'
}

# A variable $2 of the environment of process $1.
variable_of() {
    tr '\n\0' '\001\n' 2>/dev/null <"/proc/$1/environ" | sed -n "s/^$2=//p" | tr '\001' '\n'
}

# The directories of which process $1 keeps the server running: by its environment, which counts first, or the files among its arguments.
kept_by() {
    kept=$(variable_of "$1" PATRONI_POSTGRESQL_DATA_DIR)
    if [ -n "$kept" ]; then
        echo "$kept"
        return
    fi
    variable_of "$1" PATRONI_CONFIGURATION | data_dirs
    tr '\0' '\n' 2>/dev/null <"/proc/$1/cmdline" | while read -r word; do
        case $word in
            /*.yml | /*.yaml) ;;
            *.yml | *.yaml) word=/proc/$1/cwd/$word ;;
            *) continue ;;
        esac
        [ ! -r "$word" ] || data_dirs <"$word"
    done
}

# The processes of program $1 that keep a server on data directory $2 running. One of which that cannot be seen has a ? before it. A
# container's, to which the same path is another directory, is none.
supervisors_of() {
    [ -n "$1" ] && [ -n "$2" ] || return 0
    for keeper in $(running "$1"); do
        root=$(stat -L -c %d:%i "/proc/$keeper/root/" 2>/dev/null)
        if [ -n "$root" ]; then
            [ "$root" = "$(stat -L -c %d:%i /)" ] || continue
            kept=$(kept_by "$keeper")
        else
            kept=
        fi
        if [ -z "$kept" ]; then
            ! runs "$keeper" "$1" || echo "?$keeper" # else it has ended meanwhile
            continue
        fi
        echo "$kept" | while read -r each; do
            if [ "${each%/}" = "${2%/}" ] || [ "$each" -ef "$2" ]; then
                echo "$keeper"
                break
            fi
        done
    done
}

# Signals $1 to the supervisors, where the node has them, and with $2 waits for their end.
send_supervisors() {
    for keeper in $(supervisors_of "$supervisor" "$directory"); do
        case $keeper in
            \?*) fail "$(id -un) may not see whether process ${keeper#?}, $supervisor, is for $directory; name another user" ;;
        esac
        programs=$supervisor
        send "$1" "$keeper"
        [ -z "${2:-}" ] || await "$(time_left)" gone "$keeper" || fail "process $keeper is still there after SIG$1"
    done
}

# Fails when something has started what was killed again: then the node is not down, or only for a moment.
stays_away() {
    [ -n "$supervisor" ] || return 0
    sleep 0.5
    back=$(supervisors_of "$supervisor" "$directory" | head -n 1)
    [ -z "$back" ] || fail "process ${back#\?}, $supervisor, was started again at once, so that the node is not down: let systemd's unit have Restart=no, or give a kill command of your own"
}

# Tenths of a second until this verb has to be over, at least one.
time_left() {
    rest=$((limit - $(now)))
    [ "$rest" -gt 1 ] || rest=1
    echo "$rest"
}

# Kills what a killed server has left: a process of it that was stopped, or is in the middle of something, does not end by itself.
end_rest() {
    for other in $(users_of "$directory"); do
        ! runs "$other" "$1" || send KILL "$other"
    done
    left "$1"
}

# Whether no process of the server uses the directory any more; the children of a server that was killed end by themselves.
left() {
    for other in $(users_of "$directory"); do
        ! runs "$other" "$1" || return 1
    done
}

# Ends well when the node is surely down, and fails else. What the pid file names may be on its way out, for $4 tenths of a second at most.
down_already() {
    ended() { ! dying "$pid"; }
    if [ -n "$pid" ] && as_old_as "$pid" "$1"; then
        await "${4:-50}" ended || fail "process $pid is still on its way out"
    fi
    why=$(doubt "$1" "$2" "$3" | head -n 1)
    [ -z "$why" ] || fail "$why"
    echo "already down: no process of ${2%%|!*}"
    exit 0
}

# Sets pid (of the file) and worker: its child with the same program, where there is one (NDB's angel has), else itself.
# Another child, such as the script of a state transfer, may have the program's name in an argument.
find_node() {
    pid=
    worker=
    [ -r "$1" ] || return 1
    pid=$(sed -n '1s/[^0-9]*\([0-9][0-9]*\).*/\1/p' "$1")
    [ -n "$pid" ] && runs "$pid" "$2" && as_old_as "$pid" "$1" || return 1
    worker=$pid
    # Where something keeps the server running it is no angel, and a child that serves a connection may not have its own name yet.
    [ -z "$supervisor" ] || return 0
    for other in $(children_of "$pid"); do
        if runs "$other" "$2" && [ "$(program_of "$other")" = "$(program_of "$pid")" ]; then
            worker=$other
        fi
    done
}

need_node() {
    find_node "$1" "$2" && return
    [ -e "$1" ] || fail "no pid file $1 here"
    [ -r "$1" ] || fail "pid file $1 cannot be read by $(id -un)"
    fail "pid file $1 names process ${pid:-none}, which does not run ${2%%|!*}"
}

# Whether process $1 was started at $2. No other program is started for this look, so that next to no time lies between it and a signal.
still() {
    { read -r line <"/proc/$1/stat"; } 2>/dev/null || return 1
    # shellcheck disable=SC2086
    set -- "$2" ${line##*) }
    [ "$1" = "${21}" ]
}

send() {
    born=$(start_of "$2") && runs "$2" "$programs" && still "$2" "$born" || return 0
    kill "-$1" "$2" 2>/dev/null || ! runs "$2" "$programs" || fail "$(id -un) may not signal process $2; name another user"
}

# To be called when all is proven and nothing is done yet. Whoever gives up waiting undoes the fault at once and records that it is over, so
# that nothing may come after that: the connection is gone then, and the write into it ends this script.
still_wanted() {
    [ -z "${SSH_CONNECTION:-}" ] || echo || exit 1
}

# Tenths of a second since this host was started.
now() {
    read -r up _ </proc/uptime
    fraction=${up#*.}
    echo "${up%.*}${fraction%?}"
}

# Waits until the test holds, for $1 tenths of a second.
await() {
    end=$(($(now) + $1))
    shift
    until "$@"; do
        [ "$(now)" -lt "$end" ] || return 1
        sleep 0.1
    done
}

gone() {
    [ "$(start_of "$1")" != "$born" ] || ! there "$1"
}

is_in_state() {
    [ "$(state_of "$1")" = "$2" ]
}

# The faults that somebody has to undo are lines of a file of one node's, in a directory of ours.
journal() {
    own "$1" journal
}

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi
}

filter() {
    command -v nft >/dev/null || fail "there is no program nft here; install the package nftables"
    if [ -n "$net" ]; then in_network nft "$@"; else as_root nft "$@"; fi
}

# Table $1 has the rules $2 for every packet, but for what stays here.
by_chance() {
    filter -f - <<END
table inet $1
delete table inet $1
table inet $1 {
chain output { type filter hook output priority 0;
oif lo accept
$2
}
chain input { type filter hook input priority 0;
iif lo accept
$2
}
}
END
}

# Of the packets of table $1 $2 in a thousand get a wrong bit, at one of four places: one draw for each packet, so that these together have
# the share. With -c as $3 the kernel is only asked.
corrupts() {
    chains=
    in=
    out=
    begin=0
    place=0
    for byte in 6 46 98 202; do
        end=$((begin + ($2 + place) / 4))
        if [ "$end" != "$begin" ]; then
            for way in input output; do
                chains="$chains
chain $way$place { @ih,$((8 * byte)),16 set @ih,$((8 * byte)),16 ^ 0x1 counter
}"
            done
            in="${in:+$in, }$begin-$((end - 1)) : jump input$place"
            out="${out:+$out, }$begin-$((end - 1)) : jump output$place"
        fi
        begin=$end
        place=$((place + 1))
    done
    filter ${3:+"$3"} -f - <<END
table inet $1
delete table inet $1
table inet $1 {$chains
chain output { type filter hook output priority 0;
oif lo accept
meta l4proto { tcp, udp } numgen random mod 1000 vmap { $out }
}
chain input { type filter hook input priority 0;
iif lo accept
meta l4proto { tcp, udp } numgen random mod 1000 vmap { $in }
}
}
END
}

# The addresses of the network that links are cut in.
addresses() {
    if [ -n "$net" ]; then in_network ip -o addr; else ip -o addr; fi 2>/dev/null
}

# Whether packets may be dropped by our table $1.
is_cut() {
    command -v nft >/dev/null && filter list tables 2>/dev/null | grep -q " $1\$"
}

# The rules that drop packets from or to (saddr, daddr) the hosts of $2, by names or addresses with commas between them.
drops() {
    names=$2
    while [ -n "$names" ]; do
        name=${names%%,*}
        case $names in
            *,*) names=${names#*,} ;;
            *) names= ;;
        esac
        found=$(getent ahosts "$name" | cut -d ' ' -f 1 | sort -u)
        [ -n "$found" ] || fail "$name has no address here"
        for address in $found; do
            ! addresses | grep -q -F " $address/" || fail "$name is this host itself"
            case $address in
                127.0.0.1 | ::1) fail "$name is this host itself" ;;
                *:*) echo "ip6 $1 $address counter drop" ;;
                *) echo "ip $1 $address counter drop" ;;
            esac
        done
    done
}

# A whole path without dots.
plain_path() {
    case $1 in
        /*/*) ;;
        *) fail "$1 is not a directory that may be $2: give its whole path" ;;
    esac
    case $1 in
        */..* | */./*) fail "$1 is not a plain path" ;;
    esac
}

# Kilobytes that are free in the file system of directory $1.
space_of() {
    df -P -k "$1" | awk 'END { print $4 }'
}

# Whether directory $1 is on the root file system, on another mount of the same device, or on a file system that the system has for itself.
on_root() {
    case $(df -P "$1" | awk 'END { print $6 }') in
        /home | /root | /tmp | /usr | /usr/* | /run | /run/* | /dev/* | /var | /var/cache | /var/lib | /var/log | /var/tmp) return 0 ;;
    esac
    [ "$(df -P "$1" | awk 'END { print $1 }')" = "$(df -P / | awk 'END { print $1 }')" ]
}

# The file that takes all space of a file system.
ballast() {
    plain_path "$1" filled
    file=$1/.ycsb-drill-full
}

# The network namespace of a container, by its name in /proc; empty for this host's own.
net=
if [ "$verb" = container ]; then
    engine=$1 container=$2 account=$3 verb=$4
    shift 4
    of_container "$@"
fi

# Verbs that signal a node have its data directory as $3, and what keeps its server running, where something does, as $5.
supervisor=${5:-}
directory=${3:-}
worker=
pid=

case $verb in
    kill)
        programs=$2
        limit=$(($(now) + $4)) # a server with much memory takes its time also after that
        if find_node "$1" "$2"; then
            prove "$1" "$3"
        else
            [ -n "$(supervisors_of "$supervisor" "$directory")" ] || down_already "$@"
            why=$(doubt "$1" "$2" "$3" | head -n 1)
            [ -z "$why" ] || fail "$why"
        fi
        still_wanted
        # First what would start the server again.
        send_supervisors KILL wait
        programs=$2
        if [ -n "$worker" ]; then
            send KILL "$worker"
            await "$(time_left)" gone "$worker" || fail "process $worker is there $(($4 / 10)) s after SIGKILL"
        fi
        [ -z "$supervisor" ] || await "$(time_left)" end_rest "$2" || fail "processes of ${2%%|!*} use $3 $(($4 / 10)) s after SIGKILL"
        stays_away
        ;;
    stop)
        programs=$2
        limit=$(($(now) + $4))
        if find_node "$1" "$2"; then
            prove "$1" "$3"
        else
            [ -n "$(supervisors_of "$supervisor" "$directory")" ] || down_already "$@"
        fi
        still_wanted
        # Its supervisor stops the server itself, and another one would be started.
        send_supervisors TERM wait
        programs=$2
        if [ -n "$supervisor" ] && find_node "$1" "$2"; then
            # PostgreSQL waits for its clients after a SIGTERM.
            send INT "$pid"
        elif [ -z "$supervisor" ]; then
            send TERM "$pid"
            # One that is paused takes the signal when it goes on.
            send CONT "$pid"
        fi
        [ -z "$pid" ] || await "$(time_left)" gone "$pid" || fail "process $pid is there $(($4 / 10)) s after the signal to stop"
        stays_away
        ;;
    pause)
        programs=$2
        need_node "$1" "$2"
        prove "$1" "$3"
        still_wanted
        send_supervisors STOP
        programs=$2
        send STOP "$worker"
        await 50 is_in_state "$worker" T || fail "process $worker is not stopped 5 s after SIGSTOP"
        [ -z "$supervisor" ] || for other in $(children_of "$worker"); do send STOP "$other"; done
        ;;
    resume)
        programs=$2
        if find_node "$1" "$2"; then
            prove "$1" "$3"
            [ -z "$supervisor" ] || for other in $(children_of "$worker"); do send CONT "$other"; done
            send CONT "$worker"
        elif [ -n "$supervisor" ]; then
            # What has outlived the server.
            for other in $(users_of "$directory"); do
                ! runs "$other" "$2" || send CONT "$other"
            done
        fi
        # Also when the server has ended meanwhile.
        send_supervisors CONT
        programs=$2
        [ -n "$worker" ] || [ -n "$(supervisors_of "$supervisor" "$directory")" ] || down_already "$@"
        ;;
    paused)
        for keeper in $(supervisors_of "$supervisor" "$directory"); do
            ! is_in_state "${keeper#\?}" T || exit 0
        done
        find_node "$1" "$2" || exit 1
        is_in_state "$worker" T
        ;;
    alive)
        # Exit code 3: there is no such process. What may not be looked at says nothing.
        ! find_node "$1" "$2" || exit 0
        [ -z "$(supervisors_of "$supervisor" "$directory")" ] || exit 0
        [ ! -e "$1" ] || [ -r "$1" ] || fail "pid file $1 cannot be read by $(id -un)"
        near=$(dirname "$1")
        while [ ! -e "$near" ]; do near=$(dirname "$near"); done
        [ -x "$near" ] || fail "directory $near may not be searched by $(id -un)"
        why=$(doubt "$1" "$2" "${3:-}" | head -n 1)
        [ -z "$why" ] || fail "$why"
        # What a command of the user's may empty, no process at all uses.
        if [ "${4:-}" = unused ]; then
            # Whatever it runs: an account that is not root does not see what others' processes use.
            [ -z "$pid" ] || ! there "$pid" || ! as_old_as "$pid" "$1" || fail "process $pid, which pid file $1 names, is there"
            used=$(users_of "$3" | head -n 1)
            [ -z "$used" ] || fail "process $used uses $3"
        fi
        exit 3
        ;;
    ours)
        # In a container: whether a process here is the node's. Where these are all it has ($4 is yes), the pid file need not name it, nor
        # need its files be seen, which even root may not do without a privilege that containers rarely have.
        if ! find_node "$1" "$2"; then
            [ "$4" = yes ] || need_node "$1" "$2"
            for worker in $(running "$2"); do
                pid=$worker
                [ -d "$3" ] && [ -r "/proc/$pid/fd/" ] && [ -z "$(users_of "$3" "$pid")" ] || break
            done
            [ -n "$pid" ] && [ -n "$worker" ] || fail "no process of ${2%%|!*} runs in it"
        fi
        [ "$4" = yes ] && [ ! -r "/proc/$worker/fd/" ] || prove "$1" "$3"
        echo "pid $worker"
        ;;
    start)
        # A server of its own, or a program that starts one and ends: both must outlive the connection.
        command -v "$1" >/dev/null || fail "there is no program $1 here"
        log=$(mktemp "${TMPDIR:-/tmp}/ycsb-drill-start.XXXXXX") || exit 1
        trap 'rm -f "$log"' EXIT
        trap 'exit 1' HUP INT TERM
        if command -v setsid >/dev/null; then
            setsid "$@" </dev/null >"$log" 2>&1 &
        else
            nohup "$@" </dev/null >"$log" 2>&1 &
        fi
        started=$!
        ended() { ! kill -0 "$started" 2>/dev/null; }
        if await 20 ended; then
            wait "$started"
            code=$?
            [ "$code" = 0 ] || tail -n 5 "$log" >&2
            rm -f "$log"
            exit "$code"
        fi
        rm -f "$log"
        ;;
    may-cut)
        # A filter that cannot be asked could not mend anything either. Not every kernel can change what packets carry, as corrupt in $1 asks.
        filter list tables >/dev/null && { [ "${1:-}" != corrupt ] || corrupts ycsb_drill_asked 500 -c; }
        ;;
    cut)
        # $1 is the name of a table of ours, which is replaced; to the hosts of $2 nothing is sent, from those of $3 nothing is received.
        # What clients are to lose, yes in $4 and $5, concerns the machine that this came from, too, but for this connection.
        to=$2
        from=$3
        ssh_rules_in=
        ssh_rules_out=
        table=$1
        for_clients_out=$4
        for_clients_in=$5
        if [ -n "$net" ]; then
            # Nothing of ours goes through a container's network: its machine is a client like others, at any of its addresses.
            machine=$(ip -o addr show scope global | awk '{ sub(/\/.*/, "", $4); printf "%s%s", comma, $4; comma = "," }')
            [ "$for_clients_out" != yes ] || to=${to:+$to,}$machine
            [ "$for_clients_in" != yes ] || from=${from:+$from,}$machine
            set --
        else
            # shellcheck disable=SC2086
            set -- ${SSH_CONNECTION:-}
        fi
        if [ $# = 4 ]; then
            family=ip
            case $1 in *:*) family=ip6 ;; esac
            ssh_rules_in="$family saddr $1 tcp dport $4 accept"
            ssh_rules_out="$family daddr $1 tcp sport $4 accept"
            [ "$for_clients_out" != yes ] || to=${to:+$to,}$1
            [ "$for_clients_in" != yes ] || from=${from:+$from,}$1
        fi
        out_rules=$(drops daddr "$to") || exit 1
        in_rules=$(drops saddr "$from") || exit 1
        still_wanted
        filter -f - <<END
table inet $table
delete table inet $table
table inet $table {
chain output { type filter hook output priority 0;
$ssh_rules_out
$out_rules
}
chain input { type filter hook input priority 0;
$ssh_rules_in
$in_rules
}
}
END
        ;;
    lose)
        # Table $1, of a container: of its packets $2 in a thousand are lost, each by chance.
        by_chance "$1" "numgen random mod 1000 < $2 counter drop"
        ;;
    corrupt)
        # The same: a bit of what they carry is flipped. Their checksums are made after that, or not looked at on the way in.
        corrupts "$1" "$2"
        ;;
    mend)
        # Only a filter that answers says that nothing is cut.
        command -v nft >/dev/null || exit 0
        tables=$(filter list tables) || exit 1
        printf '%s\n' "$tables" | grep -q " $1\$" || exit 0
        filter delete table inet "$1"
        ;;
    lost)
        # Packets that were dropped: out NUMBER, in NUMBER; with $2 only those to or from its hosts, by names or addresses with commas.
        is_cut "$1" || fail "nothing is cut here"
        only=
        if [ $# = 2 ]; then
            # A name without an address fails; without any host nothing is counted.
            only=$(drops addr "$2") || exit 1
            only=" $(printf '%s\n' "$only" | awk '{ print $3 }' | tr '\n' ' ')"
        fi
        filter list table inet "$1" | awk -v only="$only" '
            /chain output/ { way = "out" }
            /chain input/ { way = "in" }
            only != "" && (!match($0, /addr [0-9a-f.:]+/) || index(only, " " substr($0, RSTART + 5, RLENGTH - 5) " ") == 0) { next }
            match($0, /counter packets [0-9]+/) { n[way] += substr($0, RSTART + 16, RLENGTH - 16) }
            END { print "out " n["out"] + 0; print "in " n["in"] + 0 }'
        ;;
    fill)
        ballast "$1"
        [ -d "$1" ] || fail "no directory $1 here"
        ! on_root "$1" || fail "$1 is on the root file system of this host, or on one of its own such as that of /var, which is not filled: all that runs here would be hit"
        command -v timeout >/dev/null || fail "there is no program timeout here; install the package coreutils"
        still_wanted
        # At once where the file system can, then to the last block. For $2 seconds at most: later nobody would end it. It goes into the file
        # that was opened, of which is known that it is the one here and not where a link leads that the server's user has put in its place.
        as_root timeout -k 2 "$2" sh -c 'umask 077; cd -P "$1" && rm -f "$2" && exec 3>>"$2" || exit 1
            [ "$(readlink /proc/self/fd/3)" = "$(pwd -P)/$2" ] || exit 1
            fallocate -l "$3k" /proc/self/fd/3 2>/dev/null
            dd if=/dev/zero bs=64k >&3 2>/dev/null
            dd if=/dev/zero bs=4k >&3 2>/dev/null
            [ -s "$2" ]' sh "$1" "${file##*/}" "$(space_of "$1")"
        case $? in
            0) ;;
            124 | 137 | 143)
                as_root rm -f "$file"
                fail "$1 could not be filled within $2 s"
                ;;
            *) fail "$(id -un) cannot write $file, nor sudo -n do it" ;;
        esac
        ;;
    free)
        ballast "$1"
        [ ! -d "$1" ] || as_root rm -f "$file"
        ;;
    space)
        space_of "$1"
        ;;
    wipe)
        # $3 is the directory, $4 what only a data directory of this engine has in it.
        programs=$2
        plain_path "$3" emptied
        ! find_node "$1" "$2" || fail "process $pid still runs; its directory $3 stays as it is"
        keeper=$(supervisors_of "$supervisor" "$directory" | head -n 1)
        [ -z "$keeper" ] || fail "process $keeper runs $supervisor for directory $3, which stays as it is"
        [ -d "$3" ] || fail "no directory $3 here"
        real=$(cd -P "$3" && pwd -P) || exit 1
        plain_path "$real" emptied
        # Of people; a server's account may have its data as its home.
        for home in "${HOME:-/root}" /root /home $(getent passwd | awk -F : '($3 == 0 || $3 >= 1000) && $6 ~ "^/." { print $6 }'); do
            case $home/ in
                "$real"/*) fail "$3 is, or has in it, the home directory $home, and stays as it is" ;;
            esac
        done
        users=$(users_of "$3" | tr '\n' ' ')
        [ -z "$users" ] || fail "process $users uses directory $3, which stays as it is"
        why=$(doubt "$1" "$2" "$3" | head -n 1)
        [ -z "$why" ] || fail "$why; directory $3 stays as it is"
        mounted=$(awk -v dir="$real/" 'index($5, dir) == 1 { print $5; exit }' /proc/self/mountinfo)
        [ -z "$mounted" ] || fail "$mounted in $3 is another file system; unmount it first: $3 stays as it is"
        content=$(ls -A "$3") || exit 1
        still_wanted
        if [ -n "$content" ]; then
            # What makes it a data directory goes first, so that no server takes what is left for its data when this is cut off; the folder
            # into which it goes is last, by which the next attempt knows that this one had begun.
            removed=.ycsb-drill-removed
            # The directory may be a link to one of another disk, and its path may be a pattern: from here on all names are relative.
            cd -P "$3" || exit 1
            # The database's user could put a link there.
            [ ! -L "$removed" ] || fail "$3/$removed is a link, so somebody else has made it; look where it leads and remove it: $3 stays as it is"
            [ -e "$4" ] || [ -d "$removed" ] || fail "$3 has no $4, so it is not taken for a data directory and stays as it is"
            [ -d "$removed" ] || mkdir -m 700 "$removed" || exit 1
            if [ -e "$4" ]; then
                # Not where a link leads that was put there meanwhile, either.
                (cd -P "$removed" && [ "$(pwd -P)" = "$real/$removed" ] && mv -- "../$4" "$(mktemp -d ./XXXXXX)/") || exit 1
            fi
            only=
            case $4 in
                # As its --initial does: backups, and files of other nodes, may be beside it.
                ndb_*_fs) only=$4 ;;
            esac
            if [ -z "$only" ]; then
                # All at once: the removal may take longer than anybody waits, and a server that is started meanwhile keeps its new files.
                (cd -P "$removed" && [ "$(pwd -P)" = "$real/$removed" ] && into=$(mktemp -d ./XXXXXX) &&
                    find .. -xdev -mindepth 1 -maxdepth 1 ! -name "$removed" -exec sh -c 'mv -- "$@" "$0/"' "$into" {} +) || exit 1
            fi
            find "./$removed" -xdev -delete || exit 1
            if [ -n "$only" ]; then [ ! -e "$only" ]; else [ -z "$(ls -A .)" ]; fi || fail "$3 could not be emptied"
        fi
        ;;
    probe)
        # Changes nothing. One line for each thing found out: WORD VALUE.
        echo "user $(id -un)"
        if find_node "$1" "$2"; then
            echo "pid $worker"
            if kill -0 "$worker" 2>/dev/null; then echo "signal yes"; else echo "signal no"; fi
            [ "$worker" != 1 ] || echo "signal init"
        elif [ -r "$1" ]; then
            echo "stale ${pid:-none}"
        elif [ -e "$1" ]; then
            echo "pidfile unreadable"
        else
            echo "pidfile absent"
        fi
        if [ -n "$3" ]; then
            if found=$(command -v "$3"); then echo "start $found"; else echo "start absent"; fi
        fi
        if [ -n "$4" ]; then
            if [ -w "$4" ]; then echo "data writable"; elif [ -d "$4" ]; then echo "data readonly"; else echo "data absent"; fi
        fi
        if [ -d "$5" ]; then
            if on_root "$5"; then echo "fill root"; elif as_root true 2>/dev/null; then echo "fill yes"; else echo "fill denied"; fi
        fi
        if [ -n "${6:-}" ]; then
            keeper=$(supervisors_of "$6" "$5" | head -n 1)
            echo "supervisor ${keeper:-none}"
        fi
        if ! command -v nft >/dev/null; then echo "links absent"; elif (filter list tables) >/dev/null 2>&1; then echo "links yes"; else echo "links denied"; fi
        ;;
    client-probe)
        # The same of a host for clients: $1 is its Java, $2 a directory, $3 an installation or nothing.
        echo "user $(id -un)"
        if command -v "$1" >/dev/null; then echo "java $("$1" -version 2>&1 | head -n 1)"; else echo "java absent"; fi
        near=$2
        while [ ! -e "$near" ]; do near=$(dirname "$near"); done
        if [ -d "$near" ] && [ -w "$near" ]; then echo "directory writable"; else echo "directory readonly"; fi
        [ -z "$3" ] || [ ! -x "$3/bin/ycsb" ] || echo "installed yes"
        echo "cpus $(nproc 2>/dev/null || echo 1)"
        ;;
    journal-add)
        journal "$1"
        printf '%s\n' "$3" >>"$1/$2" || exit 1
        sync "$1/$2" 2>/dev/null || sync
        ;;
    journal-clear)
        [ -d "$1" ] || exit 0
        journal "$1"
        # Only faults of $3 (a|b) are over.
        [ -f "$1/$2" ] || exit 0
        left=$(grep -v -E "^($3) " "$1/$2")
        case $? in
            # The disk may be full, by one of those that are left.
            0) printf '%s\n' "$left" >"$1/$2.part" && mv "$1/$2.part" "$1/$2" || exit 1 ;;
            1) rm -f "$1/$2.part" "$1/$2" ;;
            *) exit 1 ;;
        esac
        ;;
    journal-read)
        [ -d "$1" ] || exit 0
        find_own "$1" journal
        # A login may print lines of its own.
        [ ! -e "$1/$2" ] || sed 's/^/open: /' "$1/$2"
        ;;
    *)
        fail "unknown verb $verb" 2
        ;;
esac
