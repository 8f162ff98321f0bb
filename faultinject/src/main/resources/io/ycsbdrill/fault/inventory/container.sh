# What ycsb-drill does with a container, on the machine where its engine is called; it stands before node.sh, which calls of_container.
# A container is harmed only when a process of the node's program is seen to run in it. inside runs node.sh there, as input of a command.

# Sets id, state, init (its first process, 0 when it has none), network and own_pids (yes: its processes see no others).
look_at_container() {
    said=$("$engine" inspect --type container \
        -f '{{.Id}} {{.State.Status}} {{.State.Pid}} {{.HostConfig.NetworkMode}} pid-{{.HostConfig.PidMode}} {{.Name}}' "$container") ||
        fail "$engine does not know container $container, or cannot be asked" 255
    # shellcheck disable=SC2086
    set -- $said
    id=$1 state=$2 init=$3 network=$4
    # The engine takes a name that no container has for the beginning of an id, if it can be one: db, cafe.
    [ "${6#/}" = "$container" ] || [ ${#container} -ge 12 ] ||
        fail "there is no container $container; $engine took that for the beginning of the id of ${6#/}, which is left alone" 255
    case $5 in
        pid- | pid-private) own_pids=yes ;;
        *) own_pids=no ;;
    esac
}

# Whether processes of it may exist.
is_up() {
    case $state in
        created | configured | initialized | exited | stopped | dead) return 1 ;;
    esac
}

is_down_now() {
    look_at_container
    ! is_up
}

# Whether it is down, or has another first process than this one.
is_over() {
    look_at_container
    ! is_up || [ "$init" != "$1" ]
}

# Runs a verb of node.sh in it.
within() {
    # shellcheck disable=SC2086
    inside "$engine" exec -i ${account:+-u "$account"} "$id" sh -s -- "$@"
}

# Fails unless a process in it is that of the node: pid file $1, programs $2, directory $3.
prove_container() {
    said=$(within ours "$1" "$2" "$3" "$own_pids" 2>&1) || fail "container $container is left alone: $said"
}

# Resumes it, as nothing can be looked at in one that is paused. One that is to be killed must not serve what has waited for it: its
# processes (held) are stopped before, where they are seen on this machine and may be signalled.
thaw() {
    line=$(grep -m 1 -F "$id" "/proc/$init/cgroup" 2>/dev/null)
    [ "$verb" != kill ] || [ -z "$line" ] || held=$(grep -l -s -x -F -e "$line" /proc/[0-9]*/cgroup | cut -d / -f 3 | tr '\n' ' ')
    # shellcheck disable=SC2086
    [ -z "$held" ] || as_root kill -STOP $held 2>/dev/null
    "$engine" unpause "$id" >/dev/null || {
        release
        exit 1
    }
}

release() {
    # shellcheck disable=SC2086
    [ -z "$held" ] || as_root kill -CONT $held 2>/dev/null
}

# Sets net, the network namespace that is the container's alone; fails where there is none, or it is not one of this machine.
enter_network() {
    net=$(as_root readlink "/proc/$init/ns/net" 2>/dev/null)
    # Its id is in no other's control group: the number is that of a process in this container now, and so it was before.
    grep -q -F "$id" "/proc/$init/cgroup" 2>/dev/null && [ -n "$net" ] ||
        fail "container $container does not run on this machine, where its links would have to be cut"
    [ "$net" != "$(readlink /proc/self/ns/net)" ] ||
        fail "container $container uses the network of its host: its links cannot be cut without those of others; give it a network of its own"
    case $network in
        ns:*) fail "the network of container $container, $network, outlives it: what is cut there would stay; give it a network of its own" ;;
    esac
    # shellcheck disable=SC2012
    for other in $(as_root ls -l /proc/[0-9]*/ns/net 2>/dev/null | awk -v net="$net" '$NF == net { split($(NF - 2), part, "/"); print part[3] }'); do
        grep -q -F "$id" "/proc/$other/cgroup" 2>/dev/null || [ ! -d "/proc/$other" ] ||
            fail "container $container shares its network with process $other: its links cannot be cut without those of others"
    done
}

# Runs a program in that network.
in_network() {
    # shellcheck disable=SC2016
    as_root nsenter --net="/proc/$init/ns/net" sh -c '[ "$(readlink /proc/self/ns/net)" = "$0" ] && exec "$@"' "$net" "$@"
}

# Empties directory $3 of a container that is down: by another one of the same image, which has its volumes and nothing else.
wipe_container() {
    plain_path "$3" emptied
    ! is_up || fail "container $container is $state; its directory $3 stays as it is"
    # The volume that has the directory: the one mounted nearest to it.
    source=$("$engine" inspect --type container -f '{{range .Mounts}}{{.Destination}}|{{.Source}}{{"\n"}}{{end}}' "$id" |
        awk -F '|' -v dir="$3" '(dir == $1 || index(dir, $1 "/") == 1) && length($1) > most { most = length($1); found = $2 } END { print found }')
    [ -n "$source" ] || fail "directory $3 of container $container is on no volume, so nothing can be emptied while it is down; give an initialise command of your own"
    for other in $("$engine" ps -q --no-trunc); do
        "$engine" inspect --type container -f '{{if or .State.Running .State.Paused .State.Restarting}}{{range .Mounts}}{{if .RW}}{{.Source}}{{"\n"}}{{end}}{{end}}{{end}}' "$other" |
            awk -v ours="$source" '$0 != "" && ($0 == ours || index($0, ours "/") == 1 || index(ours, $0 "/") == 1) { found = 1 } END { exit found }' ||
            fail "container $("$engine" inspect --type container -f '{{.Name}} ({{.State.Status}})' "$other") uses $source, too; directory $3 of container $container stays as it is"
    done
    users=$([ ! -d "$source" ] || users_of "$source" | tr '\n' ' ')
    [ -z "$users" ] || fail "process $users uses $source; directory $3 of container $container stays as it is"
    image=$("$engine" inspect --type container -f '{{.Image}}' "$id") || exit 1
    helper=ycsb-drill-wipe-$$-$(date +%s)
    # Not --rm, which removes volumes without a name.
    inside "$engine" run -i --name "$helper" --network none --user "${account:-0}" --volumes-from "$id" --entrypoint sh "$image" -s -- wipe "$@"
    code=$?
    "$engine" rm -f "$helper" >/dev/null || exit 1
    exit "$code"
}

# Does a verb of node.sh with the arguments it has on a host. Returns only for the verbs of links, with net set.
of_container() {
    look_at_container
    case $verb in
        kill | stop)
            if ! is_up; then
                echo "already down: container $container is $state"
                exit 0
            fi
            held=
            if [ "$state" = paused ]; then
                thaw
                if ! (prove_container "$1" "$2" "$3"); then
                    "$engine" pause "$id" >/dev/null
                    release
                    exit 1
                fi
            else
                prove_container "$1" "$2" "$3"
            fi
            # A day: whoever waits gives up first, and nothing is killed instead.
            [ "$verb" = kill ] || exec "$engine" stop -t 86400 "$id"
            "$engine" kill --signal=KILL "$id" >/dev/null || {
                release
                exit 1
            }
            await "$4" is_down_now || fail "container $container is $state $(($4 / 10)) s after SIGKILL"
            ;;
        start)
            [ "$state" != paused ] || fail "container $container is paused; resume it first"
            # Of one that is up the engine says that it was started. Its server may be about to end, as that of a data node of NDB which its
            # cluster has ejected: nobody would start it then. What is up after that, or again, is no start's matter.
            is_up && await 150 is_over "$init"
            exec "$engine" start "$id"
            ;;
        pause)
            [ "$state" != paused ] || exit 0
            is_up || fail "container $container is $state"
            prove_container "$1" "$2" "$3"
            exec "$engine" pause "$id"
            ;;
        resume) [ "$state" != paused ] || exec "$engine" unpause "$id" ;;
        paused) [ "$state" = paused ] || exit 1 ;;
        alive)
            is_up || exit 3
            [ "$state" = paused ] || (prove_container "$@") 2>/dev/null || within alive "$@" || exit
            ;;
        wipe) wipe_container "$@" ;;
        probe)
            is_up || fail "container $container is $state"
            within probe "$1" "$2" "" "" "" || exit
            (prove_container "$1" "$2" "$5" && echo "$said" && echo "signal engine") 2>/dev/null
            if ! command -v nft >/dev/null; then echo "links absent"; elif why=$( (enter_network) 2>&1); then echo "links yes"; else echo "links $why"; fi
            ;;
        may-cut | cut | lose | corrupt | mend | lost)
            if ! is_up; then
                # Its network is gone, and what was cut with it.
                [ "$verb" != mend ] || exit 0
                fail "container $container is $state" 3
            fi
            enter_network
            return
            ;;
        *) fail "container $container: unknown verb $verb" 2 ;;
    esac
    exit 0
}
