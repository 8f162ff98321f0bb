#!/bin/sh
# The blocks of README and docs that bring up a cluster on this machine, as somebody types them who reads: each command as it stands there,
# in a folder of its own, and at the end the cluster goes down. Prints each command with its seconds; exit code 1 when one of them fails.
#
#   soak/pages.sh [PAGE]...
#
# Without a page all of them (three quarters of an hour). Left out, and said so: installers, other hosts, files that a reader writes, and
# blocks of an engine that is not installed here. A drill that misses a limit has its answer, too; of one that is
# undecided the line is shown.
set -u
home=$(cd -- "$(dirname -- "$0")/.." && pwd -P)
cd "$home" || exit 2
[ $# -gt 0 ] || set -- README.md docs/*.md
work=$(mktemp -d "${TMPDIR:-/tmp}/pages.XXXXXX") || exit 2
export YCSB_DRILL_STATE="$work/state"
chmod o+x "$work" # servers that do not run as root
mkdir "$work/state" "$work/me" "$work/me/bin" && ln -s "$home"/bin/* "$work/me/bin"
# What could not be stopped is still recorded there.
trap '"$home/bin/ycsb" cluster down all >"$work/said" 2>&1 || { cat "$work/said"; echo "left: $work"; exit 1; }; rm -rf --one-file-system "$work"' EXIT
trap 'exit 130' HUP INT TERM
bin/ycsb --version || exit 2 # builds it

# One file for each block, whose lines are the page, the number of the line, and the command.
awk -v to="$work/block" '
    /^```/ { inside = !inside; if (inside) { n++; plain = /^```(sh|bash|console)?$/ } open = ""; next }
    inside && plain {
        line = open $0
        if (sub(/\\$/, " ", line)) { open = line; next }
        open = ""
        sub(/(^|[ \t])#.*/, "", line)
        if (line != "") printf "%s:%d\t%s\n", FILENAME, FNR, line >(to n)
    }' "$@"

failed=0
for block in $(ls "$work"/block* 2>/dev/null | sort -V); do
    grep -Eq '	(\./)?bin/ycsb cluster up( [a-z.].*)?$' "$block" || continue
    while IFS='	' read -r where command; do
        case $command in
            *cluster\ up\ *mine.* | *cluster\ up\ *my-*) echo "left out  $where and what follows: $command" && break ;;
            *bin/install-* | *mgm1* | *mine.* | *my-*) echo "left out  $where: $command" && continue ;;
            bin/ycsb* | ./bin/ycsb*) ;;
            *) continue ;;
        esac
        begun=$(date +%s)
        code=0
        (cd "$work/me" && sh -c "$command") </dev/null >"$work/said" 2>&1 || code=$?
        if [ $code = 2 ] && grep -q '_HOME' "$work/said" && [ "${command#*cluster up}" != "$command" ]; then
            echo "left out  $where: $command: $(grep -m 1 '_HOME' "$work/said")"
            break
        fi
        printf '%5d s   %s: %s\n' $(($(date +%s) - begun)) "$where" "$command"
        case $code:$command in
            0:* | 3:*\ drill\ *) ;;
            1:*\ drill\ *)
                # On a busy machine there may be nothing that anybody can say.
                grep -m 1 '^Verdict: UNDECIDED' "$work/said" || { tail -n 20 "$work/said" && failed=1 && break; }
                ;;
            *)
                echo "exit code $code:" && tail -n 20 "$work/said"
                failed=1
                break
                ;;
        esac
    done <"$block"
    bin/ycsb cluster down all >"$work/said" 2>&1 || { failed=1 && break; }
done
exit $failed
