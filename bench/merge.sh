#!/bin/sh
# What the merge of many clients' long runs takes: time, and that the memory given is enough. The directories are those of one real client
# of a minute, repeated to the length asked for; clients share their large files by links, so that the disk holds them.
# usage: bench/merge.sh [clients [hours [heap]]]     (default: 200 clients, 24 hours, 512m)
# Needs 0.3 GB of disk for 24 hours, and as much for the result. Exit code 1 when the sum is not that of the parts.
set -eu
cd "$(dirname "$0")/.."
clients=${1:-200}
hours=${2:-24}
heap=${3:-512m}
minutes=$(awk -v h="$hours" 'BEGIN { printf "%d", h * 60 }')
out=$(mktemp -d "${TMPDIR:-/tmp}/merge.XXXXXX")
trap 'rm -rf "$out"' EXIT

bin/ycsb run basic -P workloads/workloada -p basicdb.verbose=false -threads 2 --rate 400 --client "1/$clients" --start-at +60s \
    --duration 65s --out "$out/minute" >/dev/null 2>"$out/err" || { cat "$out/err" >&2; exit 1; }

# What is repeated is the first minute, 600 slices and 6 windows; the last ones of a run may be short.
long=$out/long
mkdir "$long"
cp "$out/minute"/summary.json "$out/minute"/totals.jsonl "$long"
awk -F, -v OFS=, -v n="$minutes" '
    NR == 1 { print; next }
    $1 < 6 { rows[++count] = $0 }
    END { for (m = 0; m < n; m++) for (i = 1; i <= count; i++) {
        fields = split(rows[i], f, ","); f[1] += 6 * m; f[2] = f[1] * 10; f[3] = f[2] + 10
        line = f[1]; for (k = 2; k <= fields; k++) line = line OFS f[k]; print line } }' "$out/minute/windows.csv" >"$long/windows.csv"
awk -v n="$minutes" '
    match($0, /"window":[0-9]+/) && (w = substr($0, RSTART + 9, RLENGTH - 9)) < 6 { number[++count] = w; sub(/^.*"end_ns":[0-9]+/, ""); tail[count] = $0 }
    END { for (m = 0; m < n; m++) for (i = 1; i <= count; i++) {
        w = number[i] + 6 * m; printf "{\"window\":%d,\"start_ns\":%.0f,\"end_ns\":%.0f%s\n", w, w * 1e10, (w + 1) * 1e10, tail[i] } }' \
    "$out/minute/windows.jsonl" >"$long/windows.jsonl"
# The slices of 60 s are repeated from the first that has all operations on: none may be missing after it was first seen.
awk -F, -v n="$minutes" '
    NR == 1 { print; next }
    $1 < 600 { seen[$3] = 1; row[$1, $3] = "," $3 "," $4 "," $5 "," $6 "," $7 }
    END { for (m = 0; m < n; m++) for (s = 0; s < 600; s++) {
        at = m * 600 + s
        for (o in seen) if (o != "TOTAL") print at "," at / 10 ((s, o) in row ? row[s, o] : "," o ",0,0,0,")
        print at "," at / 10 row[s, "TOTAL"] } }' "$out/minute/slices.csv" >"$long/slices.csv"
client=1
while [ "$client" -le "$clients" ]; do
    mkdir "$out/client-$client"
    ln "$long"/* "$out/client-$client"
    awk -v c="$client" -v s="$((minutes * 60))" '
        /"part"/ { part = 1 }
        part && /"number"/ { sub(/"number" *: *[0-9]+/, "\"number\" : " c); part = 0 }
        /"(durationNanos|stoppedNanos)"/ { sub(/: *[0-9]+/, ": " s "000000000") }
        { print }' "$out/minute/run.json" >"$out/client-$client/run.json"
    client=$((client + 1))
done
bytes=$(du -sk "$long" | cut -f1)
echo "$clients clients of $hours h: $((bytes / 1024)) MB each, $((bytes * clients / 1048576)) GB in all; merging with -Xmx$heap"

started=$(date +%s)
YCSB_JVM_ARGS="${YCSB_JVM_ARGS:-} -Xmx$heap" bin/ycsb merge "$out"/client-* --out "$out/merged" >"$out/text" 2>"$out/err" || { tail -n 20 "$out/err" >&2; exit 1; }
echo "merged in $(($(date +%s) - started)) s"
sum() { awk -F, '$4 == "TOTAL" { s += $5 + $6 + $7 } END { printf "%.0f", s }' "$1/windows.csv"; }
slices() { awk -F, '$3 == "TOTAL" { s += $4 + $5 + $6 } END { printf "%.0f", s }' "$1/slices.csv"; }
awk -v a="$(sum "$long")" -v b="$(sum "$out/merged")" -v c="$(slices "$long")" -v d="$(slices "$out/merged")" -v n="$clients" 'BEGIN {
    printf "operations in windows: %.0f of %.0f; in slices: %.0f of %.0f\n", b, a * n, d, c * n; exit b != a * n || d != c * n }'
