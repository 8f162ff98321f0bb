#!/bin/sh
# Checks the statistics of experiments on simulated engines whose truth is known: how often a 95 % interval contains it, how often A differs from
# itself, how often a true difference is found. Prints the tables of docs/statistics.md.
# usage: bench/calibration.sh [experiments]     (default: 10000 per figure; about a minute)
# Exit code 1 when a figure is outside of what docs/statistics.md promises.
set -eu
cd "$(dirname "$0")/.."
./mvnw -q -B -pl report -am test-compile dependency:build-classpath -Dmdep.outputFile=target/bench.classpath -Dmdep.includeScope=test
exec java -cp "report/target/test-classes:report/target/classes:$(cat report/target/bench.classpath)" \
    io.ycsbdrill.report.stat.Calibration "$@"
