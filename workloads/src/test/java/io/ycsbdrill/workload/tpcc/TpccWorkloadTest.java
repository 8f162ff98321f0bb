package io.ycsbdrill.workload.tpcc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.binding.MemoryDb;
import io.ycsbdrill.binding.Statuses;
import io.ycsbdrill.workload.Consistency;
import io.ycsbdrill.workload.Consistency.Condition;
import io.ycsbdrill.workload.WholeOperations;
import io.ycsbdrill.workload.tpcc.MemoryTransactions.Fault;
import io.ycsbdrill.workload.tpcc.MemoryTransactions.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;
import site.ycsb.WorkloadException;
import site.ycsb.measurements.Measurements;

class TpccWorkloadTest {
    private final Store store = new Store(new ConcurrentSkipListMap<>());
    /** Of the operations of all clients. */
    private final Set<Status> outcomes = ConcurrentHashMap.newKeySet();

    @BeforeAll
    static void measurements() {
        Measurements.setProperties(new Properties());
    }

    @Test
    void theLoadMakesEveryRowOnceAndSaysHowMany() throws Exception {
        TpccWorkload workload = loaded("none");

        assertThat(store.rows).hasSize((int) workload.records(properties("none")));
        assertThat(store.rows)
                .containsKeys("w:2", "d:2:10", "c:1:1:10", "s:2:100", "i:100", "o:1:1:10", "n:2:10:10", "q:1:1");
        assertThat(store.rows.keySet().stream().filter(key -> key.startsWith("l:1:1:")))
                .hasSizeBetween(50, 150);
    }

    @ParameterizedTest
    @CsvSource({"tx, NONE", "tx, ANSWER_LOST", "2pc, NONE", "2pc, ANSWER_LOST"})
    void transactionsOfSeveralThreadsLeaveTheDataConsistent(String mode, Fault fault) throws Exception {
        TpccWorkload workload = loaded(mode);
        store.fault = fault;

        Consistency found = ran(workload, 4, 100);

        assertThat(found.violated()).as("%s", found.conditions()).isZero();
        assertThat(found.unreadable()).isZero();
        assertThat(found.promised()).isTrue();
        assertThat(found.figures().get("new-orders acknowledged")).isGreaterThan(50);
        assertThat(found.figures().get("payments acknowledged")).isGreaterThan(50);
        assertThat(store.rows.keySet().stream()
                        .filter(key -> key.startsWith("t:"))
                        .count())
                .as("decisions that are kept")
                .isLessThan(mode.equals("tx") ? 1 : 60);
    }

    @Test
    void anAuditWithoutTransactionsCountsWhatWasLost() throws Exception {
        TpccWorkload workload = loaded("none");
        workload.before(() -> new MemoryTransactions(store));
        // Each payment reads the warehouse before the one within it has written it.
        Payment outer = new Payment(new Inputs(new Scale(1, 10, 100), 1));
        Payment inner = new Payment(new Inputs(new Scale(1, 10, 100), 2));
        DB plain = new MemoryTransactions(store);
        boolean[] interrupted = {false};
        Unit unit = new PlainUnit(
                new MemoryDb(store.rows) {
                    @Override
                    public Status update(String table, String key, Map<String, ByteIterator> values) {
                        if (key.equals("w:1") && !interrupted[0]) {
                            interrupted[0] = true;
                            attempt(inner, new PlainUnit(plain, "usertable"), workload);
                        }
                        return super.update(table, key, values);
                    }
                },
                "usertable");
        attempt(outer, unit, workload);

        Consistency found = workload.after(() -> new MemoryTransactions(store), () -> false);

        assertThat(found.promised()).isFalse();
        assertThat(found.figures().get("payments acknowledged")).isEqualTo(2);
        assertThat(found.figures().get("cents lost in warehouses")).isPositive();
        assertThat(violated(found)).contains("warehouse", "payments", "acknowledged payments");
    }

    private static void attempt(Business business, Unit unit, TpccWorkload workload) {
        try {
            business.attempt(unit);
            assertThat(unit.commit()).isEqualTo(Status.OK);
            business.enter(workload.ledger(), true);
        } catch (Ended e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aWriteOutsideOfItsTransactionIsFound() throws Exception {
        TpccWorkload workload = loaded("tx");
        store.fault = Fault.WRITE_OUTSIDE;
        store.busyCustomers.set(5);

        Consistency found = ran(workload, 1, 100);

        assertThat(violated(found)).contains("warehouse", "payments", "acknowledged payments");
    }

    @Test
    void anAbortedTransactionThatIsDoneAgainIsNotFound() throws Exception {
        TpccWorkload workload = loaded("tx");
        store.busyCustomers.set(5);

        Consistency found = ran(workload, 1, 100);

        assertThat(store.busyCustomers).hasValue(0);
        assertThat(violated(found)).isEmpty();
    }

    /** Nothing was written before them. Without transactions nothing is tried again. */
    @ParameterizedTest
    @CsvSource({"none, true", "2pc, false"})
    void readsWithoutAnAnswerLeaveNothingUnknown(String mode, boolean failures) throws Exception {
        TpccWorkload workload = loaded(mode);
        workload.before(() -> new MemoryTransactions(store));
        store.lateReads.set(5);

        run(workload, 1, 100);

        assertThat(store.lateReads).hasValue(0);
        assertThat(outcomes).isEqualTo(failures ? Set.of(Status.OK, Statuses.FAILED) : Set.of(Status.OK));
        Consistency found = workload.after(() -> new MemoryTransactions(store), () -> false);
        assertThat(found.figures())
                .containsEntry("new-orders of unknown outcome", 0L)
                .containsEntry("payments of unknown outcome", 0L);
    }

    /** The district counts the order by then, and nothing takes that back. */
    @Test
    void aRowThatIsMissingAfterTheFirstWriteLeavesTheOutcomeUnknown() throws Exception {
        TpccWorkload workload = loaded("none");
        store.rows.keySet().removeIf(key -> key.startsWith("s:") && key.endsWith("5"));

        Consistency found = ran(workload, 1, 100);

        assertThat(outcomes).contains(PlainUnit.PARTLY_APPLIED);
        assertThat(found.figures().get("new-orders of unknown outcome")).isPositive();
    }

    @Test
    void anAcknowledgedCommitThatWasNotDoneIsFound() throws Exception {
        TpccWorkload workload = loaded("tx");
        store.fault = Fault.COMMIT_IGNORED;

        Consistency found = ran(workload, 1, 200);

        assertThat(violated(found))
                .contains("acknowledged orders", "acknowledged payments")
                .doesNotContain("warehouse");
        assertThat(found.figures().get("new-orders lost")).isPositive();
    }

    @Test
    void whatCouldNotBeReadIsNotLost() throws Exception {
        TpccWorkload workload = loaded("tx");
        workload.before(() -> new MemoryTransactions(store));
        run(workload, 1, 100);

        Consistency found = workload.after(() -> new MemoryTransactions(store), () -> true);

        assertThat(found.unreadable()).isPositive();
        assertThat(found.conditions()).isEmpty();
        assertThat(found.figures().get("new-orders acknowledged")).isPositive();
        assertThat(found.figures().keySet()).noneMatch(figure -> figure.contains("lost"));
    }

    /** One row at a time is made wrong: the condition that it breaks is violated, and those beside it that must be. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    W_YTD a cent more             | warehouse, payments, acknowledged payments
                    D_YTD a cent more             | warehouse
                    D_NEXT_O_ID one more          | newest
                    D_NEXT_O_ID one less          | newest, acknowledged orders
                    newest order gone             | newest, lines, acknowledged orders
                    newest new-order gone         | newest
                    a new-order in between gone   | gaps
                    oldest new-order gone         | gaps
                    next to deliver one less      | gaps
                    a line gone                   | lines
                    a line too many               | lines
                    a line without its order      | lines
                    a line delivered early        | lines
                    an order in between gone      | lines, acknowledged orders
                    a history row gone            | payments
                    a history row of a cent more  | payments
                    C_YTD_PAYMENT a cent more     | payments, balances
                    C_PAYMENT_CNT one more        | payments
                    C_BALANCE a cent more         | balances
                    OL_AMOUNT a cent more         | balances
                    """)
    void everyPlantedViolationIsFound(String violation, String conditions) throws Exception {
        TpccWorkload workload = loaded("tx");
        workload.before(() -> new MemoryTransactions(store));
        run(workload, 1, 600);

        new Violations(store).plant(violation);

        Consistency found = workload.after(() -> new MemoryTransactions(store), () -> false);
        assertThat(violated(found)).as("%s", found.conditions()).contains(conditions.split(", "));
    }

    /** What an earlier run has left would be taken for what this mode has done. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "D_NEXT_O_ID one more",
                "D_NEXT_O_ID one less",
                "newest new-order gone",
                "a new-order in between gone",
                "oldest new-order gone",
                "next to deliver one less"
            })
    void aTableThatIsInconsistentBeforeTheRunIsRefusedByModesThatPromise(String violation) throws Exception {
        ran(loaded("tx"), 1, 600);
        TpccWorkload next = another("tx");
        next.before(() -> new MemoryTransactions(store));
        new Violations(store).plant(violation);

        assertThatThrownBy(() -> next.before(() -> new MemoryTransactions(store)))
                .hasMessageContaining("table usertable is inconsistent before the run already")
                .hasMessageContaining("district 1:")
                .hasMessageContaining("-p table=NAME");
        another("none").before(() -> new MemoryTransactions(store));
    }

    @ParameterizedTest
    @ValueSource(strings = {"tx", "2pc"})
    void aBindingWithoutTransactionsIsRefusedWithTheReason(String mode) {
        assertThat(new TpccWorkload().refusal(properties(mode), new MemoryDb()))
                .hasValueSatisfying(reason ->
                        assertThat(reason).contains("tpcc.mode=" + mode + " needs transactions", "MemoryDb has none"));
        assertThat(new TpccWorkload().refusal(properties("none"), new MemoryDb()))
                .isEmpty();
    }

    @Test
    void invalidPropertiesAreNamedAllAtOnce() {
        Properties wrong = properties("txx");
        wrong.setProperty("tpcc.warehouses", "0");
        wrong.setProperty("tpcc.wharehouses", "3");
        wrong.setProperty("fieldlength", "100");
        wrong.setProperty("retry.temporary", "3");
        wrong.setProperty("recordcount", "1000");

        assertThatThrownBy(() -> new TpccWorkload().init(wrong))
                .isInstanceOf(WorkloadException.class)
                .hasMessageContaining("tpcc.mode=txx: expected one of none, tx, 2pc")
                .hasMessageContaining("tpcc.warehouses=0: expected a whole number from 1 to 10000")
                .hasMessageContaining("tpcc.wharehouses is not a property")
                .hasMessageContaining("fieldlength=100: expected 1000 or more")
                .hasMessageContaining("retry.temporary=3")
                .hasMessageContaining("recordcount=1000: expected");
    }

    private static List<String> violated(Consistency found) {
        return found.conditions().stream()
                .filter(condition -> condition.violated() > 0)
                .map(Condition::name)
                .toList();
    }

    private Consistency ran(TpccWorkload workload, int threads, int operations) throws Exception {
        workload.before(() -> new MemoryTransactions(store));
        run(workload, threads, operations);
        return workload.after(() -> new MemoryTransactions(store), () -> false);
    }

    private void run(TpccWorkload workload, int threads, int operations) throws Exception {
        List<Thread> running = new ArrayList<>();
        for (int t = 0; t < threads; t++) {
            int number = t;
            Thread thread = new Thread(() -> {
                Client client = new Client(new MemoryTransactions(store));
                Object state = workload.initThread(properties("tx"), number, threads);
                for (int i = 0; i < operations; i++) {
                    workload.doTransaction(client, state);
                }
            });
            thread.start();
            running.add(thread);
        }
        for (Thread thread : running) {
            thread.join();
        }
    }

    /** Passes whole operations on. */
    private final class Client extends MemoryDb implements WholeOperations {
        private final DB binding;

        Client(DB binding) {
            this.binding = binding;
        }

        @Override
        public Status whole(String name, Work work) {
            Status status = work.on(binding);
            outcomes.add(status);
            return status;
        }
    }

    private static TpccWorkload another(String mode) throws WorkloadException {
        TpccWorkload workload = new TpccWorkload();
        workload.init(properties(mode));
        return workload;
    }

    private TpccWorkload loaded(String mode) throws WorkloadException {
        TpccWorkload workload = another(mode);
        DB db = new MemoryDb(store.rows);
        while (workload.doInsert(db, null)) {
            continue;
        }
        return workload;
    }

    private static Properties properties(String mode) {
        Properties properties = new Properties();
        properties.setProperty("tpcc.mode", mode);
        properties.setProperty("tpcc.warehouses", "2");
        properties.setProperty("tpcc.customers", "10");
        properties.setProperty("tpcc.items", "100");
        properties.setProperty("tpcc.backoff", "1ms");
        properties.setProperty("tpcc.seed", "7");
        properties.setProperty("fieldcount", "2");
        properties.setProperty("fieldlength", "1000");
        return properties;
    }
}
