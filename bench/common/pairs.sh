# For bench/*.sh that compare a binding ("ours") with a rival: runs both in turn, prints medians, checks the bound. To be sourced.

# pairs_of CLIENT PAIRS RESULTS: calls `measure ours` and `measure CLIENT` in turn, each first as often as the other. `measure` prints
# a line "operation op/s us-of-CPU" for each of four operations; RESULTS gets them all, each with its client before it.
pairs_of() {
    : >"$3"
    pair=1
    while [ "$pair" -le "$2" ]; do
        if [ $((pair % 2)) -eq 1 ]; then order="ours $1"; else order="$1 ours"; fi
        for client in $order; do
            measure "$client" >"$3.one"
            [ "$(wc -l <"$3.one")" -eq 4 ] || { echo "$0: $client did not finish" >&2; exit 1; }
            sed "s/^/$client /" "$3.one" >>"$3"
        done
        pair=$((pair + 1))
    done
}

# median_of RESULTS FIRST SECOND COLUMN: of the lines that begin with these two words.
median_of() {
    awk -v c="$2" -v o="$3" -v n="$4" '$1 == c && $2 == o { print $n }' "$1" | sort -n |
        awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'
}

# compare CLIENT NAME RESULTS: the table of medians; fails when our CPU time per operation is above 1.15 times the rival's.
compare() {
    within=0
    printf '%-14s %12s %12s %7s %12s %12s %7s\n' operation 'ours op/s' "$2" ratio 'ours us CPU' "$2" ratio
    for operation in read update insert+delete scan; do
        a=$(median_of "$3" ours "$operation" 3); b=$(median_of "$3" "$1" "$operation" 3)
        c=$(median_of "$3" ours "$operation" 4); d=$(median_of "$3" "$1" "$operation" 4)
        awk -v o="$operation" -v a="$a" -v b="$b" -v c="$c" -v d="$d" 'BEGIN {
            printf "%-14s %12.0f %12.0f %7.2f %12.1f %12.1f %7.2f\n", o, a, b, a / b, c, d, c / d; exit c / d > 1.15 }' ||
            within=1
    done
    return $within
}
