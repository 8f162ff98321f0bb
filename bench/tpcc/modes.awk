# Tables from the cells.csv of bench/tpcc-modes.sh: medians over the runs of a mode with a number of threads in which the figure is known.
BEGIN {
    FS = ","
    types = split("NEW_ORDER PAYMENT ORDER_STATUS DELIVERY STOCK_LEVEL", type, " ")
}
NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
$column["state"] != "ok" { print "cell " $1 " does not count: " $column["reason"] > "/dev/stderr"; next }
{
    name = $column["axis mode"] " | " $column["axis threads"]
    if (!(name in runs)) order[++names] = name
    runs[name]++
    aborted = 0
    for (t = 1; t <= types; t++) {
        aborted += figure(type[t] "-ABORTED_not_ok_ops")
        for (p = split("mean p95 p99", percentile, " "); p; p--) {
            keep(name, type[t] percentile[p], figure(type[t] "_service_" percentile[p] "_us"))
        }
    }
    keep(name, "tx", figure("throughput_ops_s"))
    keep(name, "new", figure("NEW_ORDER_ops_s"))
    keep(name, "aborted", aborted / (figure("ok_ops") + figure("not_ok_ops")))
    share = figure("ok_share")
    keep(name, "not ok", share == "" ? "" : 100 * (1 - share))
    keep(name, "inconsistent", figure("inconsistent"))
}
END {
    print "| mode | threads | runs | tx/s | new-orders/s | aborted attempts per transaction | not ok | conditions violated by a run |"
    print "| --- | --- | --- | --- | --- | --- | --- | --- |"
    for (i = 1; i <= names; i++) {
        name = order[i]
        printf "| %s | %d | %s | %s | %s | %s | %s |\n", name, runs[name], text(name, "tx", "%.1f"), text(name, "new", "%.1f"), text(name, "aborted", "%.2f"), text(name, "not ok", "%.1f %%"), text(name, "inconsistent", "%d")
    }
    print "\nService times in ms over all attempts, mean / p95 / p99:\n"
    printf "| mode | threads |"
    for (t = 1; t <= types; t++) printf " %s |", type[t]
    printf "\n| --- | --- |"
    for (t = 1; t <= types; t++) printf " --- |"
    print ""
    for (i = 1; i <= names; i++) {
        name = order[i]
        printf "| %s |", name
        for (t = 1; t <= types; t++) {
            printf " %s / %s / %s |", ms(name, type[t] "mean"), ms(name, type[t] "p95"), ms(name, type[t] "p99")
        }
        print ""
    }
    print ""
}
# Empty when the cell does not have it: that is not 0, but in a sum.
function figure(name) { return name in column && $column[name] != "" ? $column[name] + 0 : "" }
function keep(name, what, value) { if (value != "") values[name, what, ++known[name, what]] = value }
function text(name, what, form,    v) { v = median(name, what); return v == "" ? "n/a" : sprintf(form, v) }
function ms(name, what,    v) { v = median(name, what); return v == "" ? "n/a" : sprintf(v < 1e5 ? "%.3g" : "%.0f", v / 1000) }
# Empty without a value.
function median(name, what,    i, j, v, n, sorted) {
    n = known[name, what]
    if (n == 0) return ""
    for (i = 1; i <= n; i++) {
        v = values[name, what, i]
        for (j = i - 1; j > 0 && sorted[j] > v; j--) sorted[j + 1] = sorted[j]
        sorted[j + 1] = v
    }
    return n % 2 ? sorted[(n + 1) / 2] : (sorted[n / 2] + sorted[n / 2 + 1]) / 2
}
