package io.ycsbdrill.workload.tpcc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.binding.Statuses;
import io.ycsbdrill.workload.tpcc.MemoryTransactions.Store;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import org.junit.jupiter.api.Test;
import site.ycsb.ByteIterator;
import site.ycsb.Status;

/** What becomes of a two-phase commit whose client has gone. */
class IntentsTest {
    private static final String TABLE = "usertable";
    private static final long PATIENCE_NANOS = 1_000_000_000L;

    private final Store store = new Store(new ConcurrentSkipListMap<>());
    private final MemoryTransactions db = new MemoryTransactions(store);
    private final Intents intents = new Intents(db, TABLE, PATIENCE_NANOS);

    IntentsTest() {
        db.insert(TABLE, "a", Values.of("1", Values.INTENT, ""));
        db.insert(TABLE, "b", Values.of("2", Values.INTENT, ""));
    }

    @Test
    void whatWasDecidedIsDoneByWhoeverMeetsIt() throws Ended {
        intents.intend("gone", "a", "1", "10");
        intents.intend("gone", "b", "2", "");
        intents.intend("gone", "new", "", "30");
        assertThat(intents.decide("gone", Intents.COMMITTED)).isEqualTo(Intents.COMMITTED);

        assertThat(other(0).read("a").get(0)).as("a plain read").isEqualTo("10");
        for (String key : new String[] {"a", "b", "new"}) {
            other(0).readForUpdate(key);
        }

        assertThat(intents.read("a").value()).isEqualTo("10");
        assertThat(intents.read("b").exists()).isFalse();
        assertThat(intents.read("new").value()).isEqualTo("30");
    }

    @Test
    void whatWasNotDecidedIsTakenBackAfterTheLeaseAndCannotBeDecidedAnyMore() throws Ended {
        intents.intend("gone", "a", "1", "10");
        intents.intend("gone", "new", "", "30");

        assertThatThrownBy(() -> other(3_600_000_000_000L).readForUpdate("a"))
                .as("within the lease")
                .isInstanceOf(Ended.class)
                .hasMessage("CONFLICT");
        assertThat(other(0).readForUpdate("a").get(0)).isEqualTo("1");
        assertThat(other(0).readForUpdate("new")).isNull();

        assertThat(intents.decide("gone", Intents.COMMITTED)).isEqualTo(Intents.ABORTED);
        assertThat(intents.read("new").exists()).isFalse();
    }

    /** It is in doubt, and not the one that has met it, which has written nothing. */
    @Test
    void aForeignTransactionThatCannotBeDecidedIsNoDoubtAboutOnesOwn() {
        intents.intend("gone", "a", "1", "10");
        MemoryTransactions doubtful = new MemoryTransactions(store) {
            @Override
            public Status insert(String table, String key, Map<String, ByteIterator> values) {
                return key.startsWith("t:") ? Statuses.UNKNOWN : super.insert(table, key, values);
            }
        };
        TwoPhaseUnit own = new TwoPhaseUnit(doubtful, TABLE, 0, new TwoPhaseUnit.Met(0));

        assertThatThrownBy(() -> own.readForUpdate("a"))
                .isInstanceOf(Ended.class)
                .hasMessage("TEMPORARY");
    }

    @Test
    void aReadWithoutAnAnswerLeavesNothingBehind() throws Ended {
        store.lateReads.set(1);

        assertThatThrownBy(() -> intents.read("a")).isInstanceOf(Ended.class).hasMessage("TEMPORARY");
        assertThat(intents.read("a").value()).isEqualTo("1");
    }

    @Test
    void aRowThatHasChangedSinceItWasReadIsAConflict() throws Ended {
        TwoPhaseUnit first = other(0);
        first.update("a", Row.of("10"));
        TwoPhaseUnit second = other(0);
        second.update("b", Row.of("20"));
        second.update("a", Row.of("11"));
        assertThat(second.commit()).isEqualTo(Status.OK);

        assertThat(first.commit()).isEqualTo(Statuses.CONFLICT);

        assertThat(intents.read("a").value()).isEqualTo("11");
        assertThat(intents.read("b").value()).isEqualTo("20");
        assertThat(store.rows).hasSize(2);
    }

    private TwoPhaseUnit other(long leaseNanos) {
        return new TwoPhaseUnit(new MemoryTransactions(store), TABLE, PATIENCE_NANOS, new TwoPhaseUnit.Met(leaseNanos));
    }
}
