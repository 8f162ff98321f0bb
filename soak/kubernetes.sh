#!/bin/sh
# A real Kubernetes on this machine, and in it what deploy/kubernetes promises: MariaDB Galera in pods, and MySQL NDB Cluster in others by the
# binding native; of each, two clients as an indexed Job that are merged on the volume, the drill as a job of the CronJob, and the rights of the
# manifests; a pod that is deleted and comes back.
#
#   soak/kubernetes.sh [-e 'galera ndb fleet'] [-c CACHE] [-d DIR] [-w SECONDS]
#
#   -e   only these; default: those of GALERA_HOME and NDB_HOME that are set, to a folder of bin/install-galera and bin/install-ndb. One more,
#        fleet, is run when it is named: 8 clients of 500 threads each, on a database that only waits
#   -c   where programs and images are kept between runs, default ~/.cache/ycsb-drill/kubernetes; 1 GB
#   -d   where logs and run directories go, default results/kubernetes
#   -w   waits so long before the end of each engine, to look into it
#
# Needs root, Go, etcd, containerd, runc, containernetworking-plugins, podman and mmdebstrap, and the archive (./mvnw -DskipTests package).
# The first run builds Kubernetes: a quarter of an hour. Everything runs in namespaces of its own, of processes, mounts and network, which
# has no way out: when this script ends, however it does, all of it is gone.
# Exit code 1 when a step failed; so it may on a machine that does much else: servers that get no processor drop out of their cluster, and
# records are missing.
set -u
. "$(dirname -- "$0")/functions.sh"

cache=${XDG_CACHE_HOME:-${HOME:-}/.cache}/ycsb-drill/kubernetes
hold=0
engines="${GALERA_HOME:+galera }${NDB_HOME:+ndb}"
while getopts e:c:d:w: option; do
    case $option in
        e) among -e "$OPTARG" 'galera ndb fleet' && engines=$OPTARG ;;
        c) cache=$OPTARG ;;
        d) results=$OPTARG ;;
        w) hold=$OPTARG && whole_number -w "$hold" ;;
        *) fail "see the head of $0" ;;
    esac
done
shift $((OPTIND - 1))
[ $# -eq 0 ] || fail "unexpected: $*; see the head of $0"
[ "$(id -u)" = 0 ] || fail 'only root can do this'
for program in go etcd containerd ctr runc podman mmdebstrap unshare ip openssl chrt; do
    command -v "$program" >/dev/null || fail "$program is not installed; see the head of $0"
done
[ -x /usr/lib/cni/ptp ] || fail 'no /usr/lib/cni/ptp: install containernetworking-plugins'
[ -n "$engines" ] || fail 'neither GALERA_HOME nor NDB_HOME is set; see the head of this script'
for engine in $engines; do
    case $engine in
        galera) [ -x "${GALERA_HOME:-}/usr/sbin/mariadbd" ] || fail "GALERA_HOME=${GALERA_HOME:-}: expected a folder with usr/sbin/mariadbd" ;;
        ndb) [ -x "${NDB_HOME:-}/bin/ndbmtd" ] || fail "NDB_HOME=${NDB_HOME:-}: expected a folder with bin/ndbmtd" ;;
    esac
done
ls "$home"/distribution/target/ycsb-drill-*.tar.gz >/dev/null 2>&1 || fail 'no archive: ./mvnw -DskipTests package'
mkdir -p "$cache" "$results" && cache=$(cd -- "$cache" && pwd -P) && results=$(cd -- "$results" && pwd -P) || exit 1

"$home/soak/kubernetes/build.sh" "$cache" || exit
"$home/soak/kubernetes/images.sh" "$cache" "$engines" || exit

state=$(mktemp -d "/tmp/$script.XXXXXX") || exit 1
chmod o+x "$state" # pods run as a user
groups=$(basename "$state")
all_groups() { find /sys/fs/cgroup -mindepth 1 -maxdepth 2 -type d -name "$groups"; }

inner=
finish() {
    [ -z "$inner" ] || kill -9 "$inner" 2>/dev/null
    wait
    # A group is empty a moment after its last process.
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        all_groups | while read -r group; do find "$group" -depth -type d -exec rmdir {} + 2>/dev/null; done
        [ -n "$(all_groups)" ] || break
        sleep 0.5
    done
    rm -rf --one-file-system "$state"
}
trap 'finish; exit 130' INT TERM HUP
for controller in /sys/fs/cgroup/*/; do
    case $controller in */unified/) continue ;; esac
    mkdir "$controller$groups" 2>/dev/null
done
unshare --net --mount --pid --ipc --uts --fork --kill-child --mount-proc \
    "$home/soak/kubernetes/inside.sh" "$cache" "$state" "$results" "$groups" "$hold" "$engines" &
inner=$!
echo "$inner" >"$state/outer"
wait "$inner"
code=$?
inner=
finish
[ ! -e "$state" ] && [ -z "$(all_groups)" ] || { echo "$script: left: $state $(all_groups)" >&2 && code=1; }
exit $code
