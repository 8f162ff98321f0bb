package io.ycsbdrill.fault.node.galera;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TransferTest {

    /** Of real servers; both logs say "rsync SST started" and "SST received". */
    @ParameterizedTest
    @CsvSource({
        "joiner-ist.log, 'state transfer: IST, 413 write sets'",
        "joiner-sst.log, 'state transfer: SST, a copy of everything'"
    })
    void logsTellWhichOneItWas(String log, String told) throws IOException {
        Transfer transfer = new Transfer();

        LogReaderTest.read(log).forEach(event -> transfer.line(event.text()));

        assertThat(transfer.summary()).contains(told);
    }

    @Test
    void copyThatIsFollowedByWriteSetsIsACopy() {
        Transfer transfer = new Transfer();
        assertThat(transfer.summary()).isEmpty();

        transfer.line("WSREP: Prepared IST receiver for 12-40, listening at: tcp://127.0.0.1:1");
        transfer.line("WSREP_SST: rsync SST completed on joiner");
        assertThat(transfer.summary()).contains("state transfer: SST, a copy of everything");
        transfer.line("WSREP: Receiving IST: 7 writesets, seqnos 34-40");
        transfer.line("WSREP: IST received: 5b30-11f1:40");

        assertThat(transfer.summary()).contains("state transfer: SST, a copy of everything, then 7 write sets");
    }
}
