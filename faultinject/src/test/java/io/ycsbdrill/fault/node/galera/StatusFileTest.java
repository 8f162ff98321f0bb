package io.ycsbdrill.fault.node.galera;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

/** On what MariaDB 10.11.19 has written. */
class StatusFileTest {
    private static final String JOINING = """
            {
            	"date": "2026-11-21 03:05:26.824",
            	"timestamp": 1795230326.82480073,
            	"errors": [
            	],
            	"warnings": [
            		{
            			"timestamp": 1795230325.00000000,
            			"msg": "WSREP: Could not open state file for reading: '\\/var\\/lib\\/drill\\/n2\\/data\\/\\/grastate.dat'"
            		}
            	],
            	"events": [
            	],
            	"status": {
            		"state": "JOINING",
            		"comment": "Receiving SST",
            		"progress": { "from": -1, "to": -1, "total": -1, "done": -1, "indefinite": -1 }
            	}
            }
            """;

    @Test
    void changeOfStateHasItsMoment() {
        StatusFile status = StatusFile.parse(JOINING).orElseThrow();

        assertThat(status.state()).isEqualTo("JOINING");
        assertThat(status.comment()).isEqualTo("Receiving SST");
        assertThat(status.changed().orElseThrow())
                .isBetween(Instant.parse("2026-11-21T03:05:26.824Z"), Instant.parse("2026-11-21T03:05:26.825Z"));
        assertThat(status.recovered()).isFalse();
    }

    @Test
    void warningRewritesTheFileAndSaysNothingOfTheChange() {
        StatusFile status = StatusFile.parse(JOINING.replace("1795230326.82480073", "1795230326.00000000"))
                .orElseThrow();

        assertThat(status.state()).isEqualTo("JOINING");
        assertThat(status.changed()).isEmpty();
    }

    @Test
    void syncedAndDonorAreWhole() {
        assertThat(StatusFile.parse(JOINING.replace("JOINING", "SYNCED"))
                        .orElseThrow()
                        .recovered())
                .isTrue();
        assertThat(StatusFile.parse(JOINING.replace("JOINING", "DONOR"))
                        .orElseThrow()
                        .recovered())
                .isTrue();
    }

    @Test
    void halfAFileIsNoStatus() {
        assertThat(StatusFile.parse(JOINING.substring(0, 200))).isEmpty();
        assertThat(StatusFile.parse("")).isEmpty();
        assertThat(StatusFile.parse("{}")).isEmpty();
    }
}
