package io.ycsbdrill.client.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.client.audit.ReadJudge.Fault;
import io.ycsbdrill.client.audit.ReadJudge.Finding;
import io.ycsbdrill.client.audit.ReadJudge.Judged;
import io.ycsbdrill.client.audit.journal.Read;
import io.ycsbdrill.client.audit.journal.Stamp;
import io.ycsbdrill.client.audit.journal.Write;
import io.ycsbdrill.client.audit.journal.Write.Kind;
import io.ycsbdrill.client.audit.journal.WriteHistory.KeyWrites;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What becomes of a row that was not always there: of which kind the findings are, and how often each is counted. */
class OrdersTest {
    private static final long NEVER = Long.MAX_VALUE;

    private final List<Write> writes = new ArrayList<>();
    private final List<Read> reads = new ArrayList<>();
    private int fieldCount = 1;
    private boolean partly;

    private void write(Kind kind, long id, long start, long end) {
        writes.add(new Write(kind == Kind.UPDATE ? 0 : Write.ROW, kind, end < NEVER, id, start, end));
    }

    private void read(long id, long start, long end) {
        reads.add(new Read(0, id, start, end));
    }

    private void readNoRow(long start, long end) {
        reads.add(new Read(Write.ROW, Stamp.OTHER, start, end));
    }

    /** What is counted when the row is not there in the end. */
    private String absent() {
        return counted(ReadRow.ABSENT);
    }

    /** What is counted when each field has this value in the end. */
    private String shows(long id) {
        Map<String, Long> values = new TreeMap<>();
        for (int field = 0; field < fieldCount; field++) {
            values.put("field" + field, id);
        }
        return counted(new ReadRow(true, values));
    }

    private String counted(ReadRow found) {
        Judged run =
                new ReadJudge(() -> true, key -> false, Optional.empty()).judge(new KeyWrites("user1", writes, reads));
        Map<String, Integer> numbers = new HashMap<>();
        for (int field = 0; field < fieldCount; field++) {
            numbers.put("field" + field, field);
        }
        KeyJudge.Verdict verdict = new KeyJudge(numbers, List.of(), id -> true).judge(run.history(), found);
        partly = run.partly() || verdict.partly();
        Tally tally = new Tally();
        tally.add("user1", verdict, false);
        List<String> counts = new ArrayList<>();
        for (Fault fault : Fault.values()) {
            long of = run.findings().stream()
                    .map(Finding::fault)
                    .filter(fault::equals)
                    .count();
            counts.addAll(Collections.nCopies((int) of, "read " + fault));
        }
        tally.findings()
                .forEach(at -> counts.add(
                        at.finding() instanceof KeyJudge.Lost lost
                                ? "lost " + lost.write().id()
                                : "phantom"));
        counts.add("acknowledged " + tally.ackedLost() + ", shown " + tally.shownLost() + ", rows " + tally.rowsLost()
                + ", phantoms " + tally.phantoms());
        return String.join("; ", counts);
    }

    /** It was judged again with what is there in the end, and became the loss of a write. */
    @Test
    void aReadThatWasWrongIsNotALossToo() {
        write(Kind.INSERT, 1, 0, 1);
        write(Kind.UPDATE, 2, 2, 3);
        read(1, 4, 5);
        write(Kind.DELETE, 3, 6, NEVER);

        assertThat(absent()).isEqualTo("read STALE; acknowledged 0, shown 0, rows 0, phantoms 0");
    }

    @Test
    void aReadThatMissesARowIsNoLostRowWhenThatIsDeletedLater() {
        write(Kind.INSERT, 1, 0, 1);
        readNoRow(2, 3);
        write(Kind.DELETE, 2, 4, 5);

        assertThat(absent()).isEqualTo("read STALE; acknowledged 0, shown 0, rows 0, phantoms 0");
    }

    @Test
    void aReadThatWasWrongMakesNoPhantomOfTheRowThatIsThere() {
        write(Kind.DELETE, 1, 0, 1);
        write(Kind.INSERT, 2, 2, 3);
        write(Kind.UPDATE, 3, 4, 5);
        read(2, 6, 7);

        assertThat(shows(3)).isEqualTo("read STALE; acknowledged 0, shown 0, rows 0, phantoms 0");
    }

    /** That was named which was acknowledged, though a read had rightly not found it any more. */
    @Test
    void ofARowThatIsGoneThatIsLostWhichItHadAtLast() {
        gone();

        assertThat(absent()).isEqualTo("lost 3; acknowledged 0, shown 1, rows 0, phantoms 0");
    }

    /** Inserted, deleted, inserted and shown again; then only a second delete explains that there is no row. */
    private void gone() {
        write(Kind.INSERT, 1, 0, 1);
        write(Kind.DELETE, 2, 2, NEVER);
        readNoRow(10, 11);
        write(Kind.INSERT, 3, 12, NEVER);
        read(3, 20, 21);
    }

    @Test
    void aRowThatNothingCanHaveMadeAgainIsAPhantomAndNoLostDelete() {
        backAgain();

        assertThat(shows(2)).isEqualTo("phantom; acknowledged 0, shown 0, rows 0, phantoms 1");
    }

    /** Deleted, inserted and shown, then rightly not found: only a second insert would explain that there is a row. */
    private void backAgain() {
        write(Kind.DELETE, 1, 2, 3);
        write(Kind.INSERT, 2, 4, NEVER);
        read(2, 5, 6);
        write(Kind.DELETE, 3, 7, NEVER);
        readNoRow(8, 9);
    }

    /** Each field that is read back was a call more: such rows were not judged, and counted as judged. */
    @Test
    void howManyFieldsARowHasDoesNotMatter() {
        fieldCount = 80;
        backAgain();
        for (int i = 0; i < 40; i++) {
            readNoRow(10 + 2 * i, 11 + 2 * i);
        }

        assertThat(shows(2)).isEqualTo("phantom; acknowledged 0, shown 0, rows 0, phantoms 1");
        assertThat(partly).isFalse();
    }

    @Test
    void updatesOfUnknownOutcomeThatNobodyHasSeenDoNotMatter() {
        gone();
        for (int i = 0; i < 30; i++) {
            write(Kind.UPDATE, 100 + i, 0, NEVER);
        }

        assertThat(absent()).isEqualTo("lost 3; acknowledged 0, shown 1, rows 0, phantoms 0");
        assertThat(partly).isFalse();
    }

    /** They counted as explained, and as judged. */
    @Test
    void ofTooManyOrdersItIsSaidThatTheyAreTooMany() {
        gone();
        for (int i = 0; i < 20; i++) {
            write(Kind.INSERT, 100 + i, 0, NEVER);
        }
        assertThat(absent()).isEqualTo("acknowledged 0, shown 0, rows 0, phantoms 0");
        assertThat(partly).as("at the read-back").isTrue();

        shows(3);
        assertThat(partly).as("when an order is found").isFalse();

        readNoRow(22, 23);
        absent();
        assertThat(partly).as("during the run").isTrue();
    }

    @Test
    void ofTooManyCallsNoOrderIsTried() {
        gone();
        for (int i = 0; i < 50; i++) {
            read(3, 22, 23);
        }
        assertThat(absent()).isEqualTo("acknowledged 0, shown 0, rows 0, phantoms 0");
        assertThat(partly).isTrue();
    }
}
