package io.ycsbdrill.client.cli;

/** What a service does, call by call, before and after its fault. */
enum ServiceScript {
    NOTHING((since, age, shard, draw) -> takes(2)),
    STALL((since, age, shard, draw) -> during(since, 0, 3) ? until(3) : takes(2)),
    SHARD_FAILS((since, age, shard, draw) -> during(since, 0, 6) && shard == 0 ? refused() : takes(2)),
    SHARD_HANGS((since, age, shard, draw) -> during(since, 0, 3) && shard == 0 ? until(3) : takes(2)),
    SLOWER_FOR_EVER((since, age, shard, draw) -> takes(since > 0 ? 13 : 10)),
    STALL_THEN_LESS((since, age, shard, draw) -> during(since, 0, 2) ? until(2) : takes(since > 0 ? 10.87 : 10)),
    DRIFT((since, age, shard, draw) -> takes(1 + 2 * Math.max(0, Math.min(10, since)))),
    FLAPS((since, age, shard, draw) ->
            during(since, 0, 9) && since % 0.45 < 0.4 ? until(0.45 * Math.floor(since / 0.45) + 0.4) : takes(2)),
    HANGS((since, age, shard, draw) -> since > 0 ? until(1e6) : takes(2)),
    FAILS((since, age, shard, draw) -> since > 0 ? refused() : takes(2)),
    /** A hiccup in the baseline, then 150 times as slow. */
    HICCUP((since, age, shard, draw) ->
            since > 0 ? takes(300) : during(age, 4, 4.4) ? takes(1000 * (4.4 - age)) : takes(2)),
    SLOW_MODE((since, age, shard, draw) -> takes(draw < (since > 0 ? 0.6 : 0.03) ? 100 : 2)),
    UNKNOWN((since, age, shard, draw) -> during(since, 0, 5) && draw < 0.2 ? new Answer(0.002, End.UNKNOWN) : takes(2)),
    BURSTS((since, age, shard, draw) ->
            during(since, 0, 0.2) || during(since, 2, 2.2) || during(since, 4, 4.2) ? refused() : takes(2)),
    STALL_THEN_SLOW((since, age, shard, draw) -> during(since, 0, 3) ? until(3) : takes(during(since, 3, 13) ? 30 : 2)),
    /** What one thread cannot serve in time. */
    TOO_SLOW((since, age, shard, draw) -> takes(10)),
    STALL_WHILE_CALIBRATED((since, age, shard, draw) -> takes(during(age, 1.5, 4.5) ? 1000 * (4.5 - age) : 10));

    /** How a call ends. */
    enum End {
        OK,
        /** A read fails, a write is refused. */
        REFUSED,
        /** A write may have been applied; a read is served. */
        UNKNOWN
    }

    /**
     * What becomes of a call.
     *
     * @param seconds that it takes; below 0 it ends so many seconds after the fault
     */
    record Answer(double seconds, End end) {}

    private interface Rule {
        /**
         * Answers.
         *
         * @param since seconds since the fault, negative infinity before it
         * @param age seconds since the first call of the run
         * @param shard of the key, 0 to 2
         * @param draw random, 0 to 1
         */
        Answer call(double since, double age, int shard, double draw);
    }

    private final Rule rule;

    ServiceScript(Rule rule) {
        this.rule = rule;
    }

    Answer call(double since, double age, int shard, double draw) {
        return rule.call(since, age, shard, draw);
    }

    private static boolean during(double time, double from, double to) {
        return from <= time && time < to;
    }

    private static Answer takes(double millis) {
        return new Answer(millis / 1000, End.OK);
    }

    private static Answer until(double since) {
        return new Answer(-since, End.OK);
    }

    private static Answer refused() {
        return new Answer(0.001, End.REFUSED);
    }
}
