#!/bin/sh
# README's first command as somebody takes it who has Debian with a JDK, git and nothing else: the commit is cloned inside a container, the
# command is run, and the report must be there. Prints the seconds from the clone to the report; exit code 1 when there is none, or nobody can say what its verdict is.
#
#   soak/fresh-container.sh [DIR]
#
# DIR gets the report; else nothing is left. It needs root, podman, runc and mmdebstrap, the Internet for Debian's packages and the first
# build, and 4 GB in TMPDIR. Images and containers are in a store of its own, which ends with this script. The container has the network
# and the certificates of this machine. What is not committed is not tried.
set -eu
home=$(cd -- "$(dirname -- "$0")/.." && pwd -P)

fail() {
    echo "fresh-container: $1" >&2
    exit "${2:-1}"
}

[ "$(id -u)" = 0 ] || fail "it needs root" 2
for program in podman runc mmdebstrap git; do
    command -v "$program" >/dev/null || fail "no $program: install the package of that name" 2
done
[ -z "${1:-}" ] || mkdir -p "$1"
command=$(sed -n '/^```$/,/^```$/p' "$home/README.md" | sed -n 's/ *#.*//; /^\.\/bin\/ycsb drill /{p;q;}')
[ -n "$command" ] || fail "README has no block that begins with ./bin/ycsb drill" 2

work=$(mktemp -d "${TMPDIR:-/tmp}/fresh.XXXXXX")
tool() {
    podman --root "$work/store" --runroot "$work/run" --storage-driver vfs --runtime runc --cgroup-manager cgroupfs "$@"
}
trap 'tool rm --all --force >"$work/log" 2>&1 || cat "$work/log" >&2; rm -rf --one-file-system "$work"' EXIT
trap 'exit 130' INT TERM

git -C "$home" bundle create -q "$work/commit.bundle" HEAD
suite=$(. /etc/os-release && echo "${VERSION_CODENAME:-bookworm}")
sources=$(ls /etc/apt/sources.list /etc/apt/sources.list.d/debian.sources 2>/dev/null | tail -n 1)
mmdebstrap --quiet --variant=minbase --include=openjdk-17-jdk-headless,git,ca-certificates "$suite" "$work/root.tar" $sources \
    >"$work/log" 2>&1 || { cat "$work/log" >&2; fail "mmdebstrap made no Debian"; }
tool import -q "$work/root.tar" fresh:1 >/dev/null
rm -f "$work/root.tar"

# Hard limits of this machine may be lower than those that podman asks for.
tool run --detach --name fresh --network host --ulimit nofile=4096:8192 --ulimit nproc=4000:4000 \
    --volume /etc/ssl/certs:/etc/ssl/certs:ro --volume "$work/commit.bundle:/commit.bundle:ro" fresh:1 sleep 3600 >/dev/null

started=$(date +%s)
code=0
tool exec fresh sh -c "cd /root && git clone -q /commit.bundle ycsb-drill && cd ycsb-drill && $command" >"$work/said" 2>&1 || code=$?
took=$(($(date +%s) - started))
report=$(sed -n 's/^report: //p' "$work/said" | tail -n 1)
if [ -n "$report" ]; then
    tool exec -w /root/ycsb-drill fresh cat "$report" >"$work/report.html" || report=
fi
if [ -n "${1:-}" ]; then
    cp "$work/said" "$1/said.txt"
    [ -z "$report" ] || cp "$work/report.html" "$1/report.html"
fi
if [ -z "$report" ] || [ ! -s "$work/report.html" ]; then
    tail -n 40 "$work/said" >&2
    fail "no report after $took s, exit code $code"
fi
echo "$took s from the clone to the report, exit code $code: $command"
# A drill that missed a limit (3) has its answer, too; one of which nobody can say it has none.
case $code in
0 | 3) ;;
*)
    grep -a '^error: ' "$work/said" >&2 || true
    exit 1
    ;;
esac
