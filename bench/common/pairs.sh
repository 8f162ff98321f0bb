# For bench/*.sh that compare a binding (class OurClient) with a rival, in turn. To be sourced.

median() { sort -n | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }

# median_of RESULTS FIRST SECOND COLUMN: of the lines that begin with these two words.
median_of() {
    awk -v c="$2" -v o="$3" -v n="$4" '$1 == c && $2 == o { print $n }' "$1" | median
}

# ratio_of RESULTS CLASS OPERATION COLUMN: ours to the rival's, pair by pair, of which the median: what else the machine does changes
# from pair to pair, but hardly within one.
ratio_of() {
    awk -v c="$2" -v o="$3" -v n="$4" '$2 == o && $1 == "OurClient" { a[++i] = $n } $2 == o && $1 == c { b[++j] = $n }
        END { for (k = 1; k <= i; k++) print a[k] / b[k] }' "$1" | median
}

# compare BENCH CLASS NAME RESULTS: a table of the medians of RESULTS, whose lines are "class operation op/s us-of-CPU"; fails when our CPU time per
# operation is above 1.15 times the rival's.
compare() {
    within=0
    printf '%-14s %12s %12s %7s %12s %12s %7s\n' operation 'ours op/s' "$3" ratio 'ours us CPU' "$3" ratio
    for operation in read update insert+delete scan; do
        a=$(median_of "$4" OurClient "$operation" 3); b=$(median_of "$4" "$2" "$operation" 3)
        c=$(median_of "$4" OurClient "$operation" 4); d=$(median_of "$4" "$2" "$operation" 4)
        cpu=$(ratio_of "$4" "$2" "$operation" 4)
        awk -v o="$operation" -v a="$a" -v b="$b" -v c="$c" -v d="$d" -v r="$(ratio_of "$4" "$2" "$operation" 3)" -v s="$cpu" 'BEGIN {
            printf "%-14s %12.0f %12.0f %7.2f %12.1f %12.1f %7.2f\n", o, a, b, r, c, d, s; exit s > 1.15 }' || within=1
        record "$1" "$operation: CPU to $3" less "$cpu"
    done
    return $within
}

# from_state NAME [ENGINE]: a property of the cluster that `bin/ycsb cluster up ENGINE`, without it of NDB, has started; nothing when there
# is none.
from_state() {
    state=${YCSB_DRILL_STATE:-${XDG_STATE_HOME:-$HOME/.local/state}/ycsb-drill}/${2:-ndb}/cluster.json
    [ ! -f "$state" ] || sed -n "s/.*\"$1\" *: *\"\([^\"]*\)\".*/\1/p" "$state" | head -1
}

# The kind of this machine, so that ratios are compared with those of the same kind only.
machine() { echo "$(nproc) x $(sed -n 's/^model name[[:space:]]*: //p' /proc/cpuinfo | head -1 | tr -s ' \t' ' '), $(uname -m)"; }

# record BENCH FIGURE less|more RATIO: keeps the ratio of ours to the rival's in bench/results/ratios.tsv, and says how it compares with the
# last one on such a machine. less, more: which way is better. Told to stderr, as the bench's own result is on stdout.
record() {
    kept=bench/results/ratios.tsv
    machine=$(machine)
    [ -f "$kept" ] && awk -F '\t' -v m="$machine" -v b="$1" -v f="$2" -v r="$4" '
        $3 == m && $4 == b && $5 == f { date = substr($1, 1, 10); last = $7 }
        END { if (last) printf "%s, %s: ratio %.3f, on %s it was %.3f\n", b, f, r, date, last }' "$kept" >&2
    printf '%s\t%s\t%s\t%s\t%s\t%s\t%.3f\n' "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "$(git rev-parse --short HEAD 2>/dev/null || echo unknown)" "$machine" \
        "$1" "$2" "$3" "$4" >>"$kept"
}
