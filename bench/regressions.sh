#!/bin/sh
# Compares each ratio's last value in bench/results/ratios.tsv with the median of those before on the same kind of machine.
# usage: bench/regressions.sh [percent]     (default: 10)
# Exit code 1 when one is worse by more than that, 2 when there is nothing to compare.
set -eu
cd "$(dirname "$0")/.."
kept=bench/results/ratios.tsv
[ -s "$kept" ] || { echo "bench/regressions.sh: $kept is not there yet; run a bench" >&2; exit 2; }
awk -F '\t' -v bound="${1:-10}" '
    function median(list, n, v, i, j, x) { # of the first n numbers of a list
        split(list, v, " ")
        for (i = 2; i <= n; i++) for (j = i; j > 1 && v[j] + 0 < v[j - 1] + 0; j--) { x = v[j]; v[j] = v[j - 1]; v[j - 1] = x }
        return n % 2 ? v[(n + 1) / 2] : (v[n / 2] + v[n / 2 + 1]) / 2
    }
    { key = $3 "\t" $4 ": " $5; better[key] = $6; if (!(key in n)) order[++keys] = key; values[key] = values[key] " " $7; last[key] = $7; n[key]++ }
    END {
        for (k = 1; k <= keys; k++) {
            key = order[k]
            if (n[key] < 2) continue
            compared++
            before = median(values[key], n[key] - 1)
            worse = 100 * (better[key] == "less" ? last[key] / before - 1 : before / last[key] - 1)
            split(key, part, "\t")
            printf "%s %.3f, before %.3f: %s (%s)\n", part[2], last[key], before, (worse > bound ? "WORSE" : "no worse"), part[1]
            bad += (worse > bound)
        }
        if (!compared) { print "nothing was measured twice on one kind of machine" ; exit 2 }
        printf "%d of %d ratios are more than %s %% worse\n", bad, compared, bound
        exit (bad > 0)
    }' "$kept"
