# What ycsb-drill does on the host of a node; read from standard input: sh -s -- VERB ARGUMENT...
# POSIX shell with /proc. It signals a process only when the pid file names it and its command line has the name of the program.
set -u
verb=$1
shift

fail() {
    echo "$1" >&2
    exit "${2:-1}"
}

state_of() {
    line=$(cat "/proc/$1/stat" 2>/dev/null) || return 1
    rest=${line##*) }
    echo "${rest%% *}"
}

parent_of() {
    line=$(cat "/proc/$1/stat" 2>/dev/null) || return 1
    rest=${line##*) }
    rest=${rest#* }
    echo "${rest%% *}"
}

# Whether process $1 runs one of the programs of $2 (a|b).
runs() {
    case $(state_of "$1") in
        '' | Z | X) return 1 ;;
    esac
    words=$(tr '\0' ' ' <"/proc/$1/cmdline" 2>/dev/null)
    names=$2
    while [ -n "$names" ]; do
        name=${names%%|*}
        case $words in
            *"$name"*) return 0 ;;
        esac
        case $names in
            *'|'*) names=${names#*|} ;;
            *) names= ;;
        esac
    done
    return 1
}

# The name of the program of process $1, by the first word of its command line.
program_of() {
    word=$(tr '\0' '\n' 2>/dev/null <"/proc/$1/cmdline" | head -n 1)
    printf '%s\n' "${word##*/}"
}

# Sets pid (of the file) and worker: its child with the same program, where there is one (NDB's angel has), else itself.
# Another child, such as the script of a state transfer, may have the program's name in an argument.
find_node() {
    pid=
    worker=
    [ -r "$1" ] || return 1
    pid=$(sed -n '1s/[^0-9]*\([0-9][0-9]*\).*/\1/p' "$1")
    [ -n "$pid" ] && runs "$pid" "$2" || return 1
    worker=$pid
    for other in /proc/[0-9]*; do
        other=${other#/proc/}
        if [ "$(parent_of "$other")" = "$pid" ] && runs "$other" "$2" \
            && [ "$(program_of "$other")" = "$(program_of "$pid")" ]; then
            worker=$other
        fi
    done
}

need_node() {
    find_node "$1" "$2" && return
    [ -e "$1" ] || fail "no pid file $1 here"
    [ -r "$1" ] || fail "pid file $1 cannot be read by $(id -un)"
    fail "pid file $1 names process ${pid:-none}, which does not run $2"
}

send() {
    kill "-$1" "$2" 2>/dev/null || ! runs "$2" "$programs" || fail "$(id -un) may not signal process $2; name another user"
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
    ! runs "$1" "$programs"
}

is_in_state() {
    [ "$(state_of "$1")" = "$2" ]
}

# The faults that somebody has to undo are lines of a file of one node's, in a directory of ours.
journal() {
    mkdir -m 700 -p "$1" || exit 1
    [ -O "$1" ] && [ ! -h "$1" ] || fail "directory $1 does not belong to $(id -un); name another one: journal"
}

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi
}

filter() {
    command -v nft >/dev/null || fail "there is no program nft here; install the package nftables"
    as_root nft "$@"
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
            ! ip -o addr 2>/dev/null | grep -q -F " $address/" || fail "$name is this host itself"
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

# Whether directory $1 is on the root file system, or on another mount of the same device.
on_root() {
    [ "$(df -P "$1" | awk 'END { print $1 }')" = "$(df -P / | awk 'END { print $1 }')" ]
}

# The file that takes all space of a file system.
ballast() {
    plain_path "$1" filled
    file=$1/.ycsb-drill-full
}

case $verb in
    kill)
        programs=$2
        # A server with much memory takes its time also after that: $3 tenths of a second at most.
        find_node "$1" "$2" || exit 0
        send KILL "$worker"
        await "$3" gone "$worker" || fail "process $worker is there $(($3 / 10)) s after SIGKILL"
        ;;
    stop)
        programs=$2
        find_node "$1" "$2" || exit 0
        send TERM "$pid"
        await "$3" gone "$pid" || fail "process $pid is there $(($3 / 10)) s after SIGTERM"
        ;;
    pause)
        programs=$2
        need_node "$1" "$2"
        send STOP "$worker"
        await 50 is_in_state "$worker" T || fail "process $worker is not stopped 5 s after SIGSTOP"
        ;;
    resume)
        programs=$2
        find_node "$1" "$2" || exit 0
        send CONT "$worker"
        ;;
    paused)
        find_node "$1" "$2" || exit 1
        is_in_state "$worker" T
        ;;
    alive)
        # Exit code 3: there is no such process. What may not be looked at says nothing.
        ! find_node "$1" "$2" || exit 0
        [ ! -e "$1" ] || [ -r "$1" ] || fail "pid file $1 cannot be read by $(id -un)"
        near=$(dirname "$1")
        while [ ! -e "$near" ]; do near=$(dirname "$near"); done
        [ -x "$near" ] || fail "directory $near may not be searched by $(id -un)"
        if [ ! -e "$1" ]; then
            # A server may write its file late. That a name is in an argument, or is a user's, says nothing.
            names=$(printf '%s' "$2" | tr '|' '\n')
            for other in $(grep -l -s -F -e "$names" /proc/[0-9]*/cmdline); do
                other=${other#/proc/}
                other=${other%/cmdline}
                case "|$2|" in
                    *"|$(program_of "$other")|"*) fail "process $other may be it, but there is no pid file $1" ;;
                esac
            done
        fi
        exit 3
        ;;
    start)
        # A server of its own, or a program that starts one and ends: both must outlive the connection.
        log=$(mktemp "${TMPDIR:-/tmp}/ycsb-drill-start.XXXXXX") || exit 1
        command -v "$1" >/dev/null || fail "there is no program $1 here"
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
        # A filter that cannot be asked could not mend anything either.
        filter list tables >/dev/null
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
        # shellcheck disable=SC2086
        set -- ${SSH_CONNECTION:-}
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
    mend)
        # Only a filter that answers says that nothing is cut.
        command -v nft >/dev/null || exit 0
        tables=$(filter list tables) || exit 1
        printf '%s\n' "$tables" | grep -q " $1\$" || exit 0
        filter delete table inet "$1"
        ;;
    lost)
        # Packets that were dropped: out NUMBER, in NUMBER.
        is_cut "$1" || fail "nothing is cut here"
        filter list table inet "$1" | awk '
            /chain output/ { way = "out" }
            /chain input/ { way = "in" }
            match($0, /counter packets [0-9]+/) { n[way] += substr($0, RSTART + 16, RLENGTH - 16) }
            END { print "out " n["out"] + 0; print "in " n["in"] + 0 }'
        ;;
    fill)
        ballast "$1"
        [ -d "$1" ] || fail "no directory $1 here"
        ! on_root "$1" || fail "$1 is on the root file system of this host, which is not filled: all that runs here would be hit"
        command -v timeout >/dev/null || fail "there is no program timeout here; install the package coreutils"
        # At once where the file system can, then to the last block. For $2 seconds at most: later nobody would end it.
        as_root timeout -k 2 "$2" sh -c 'umask 077; rm -f "$1"; fallocate -l "$2k" "$1" 2>/dev/null
            dd if=/dev/zero bs=64k oflag=append conv=notrunc of="$1" 2>/dev/null
            dd if=/dev/zero bs=4k oflag=append conv=notrunc of="$1" 2>/dev/null
            [ -s "$1" ]' sh "$file" "$(space_of "$1")"
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
        [ -d "$3" ] || fail "no directory $3 here"
        content=$(ls -A "$3") || exit 1
        if [ -n "$content" ]; then
            [ -e "$3/$4" ] || fail "$3 has no $4, so it is not taken for a data directory and stays as it is"
            # It may be a link to a directory of another disk.
            find -H "$3" -mindepth 1 -delete || exit 1
            [ -z "$(ls -A "$3")" ] || fail "$3 could not be emptied"
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
        grep -v -E "^($3) " "$1/$2" >"$1/$2.part"
        if [ -s "$1/$2.part" ]; then mv "$1/$2.part" "$1/$2"; else rm -f "$1/$2.part" "$1/$2"; fi
        ;;
    journal-read)
        [ -d "$1" ] || exit 0
        [ -O "$1" ] && [ ! -h "$1" ] || fail "directory $1 does not belong to $(id -un)"
        [ ! -e "$1/$2" ] || cat "$1/$2"
        ;;
    *)
        fail "unknown verb $verb" 2
        ;;
esac
