package com.example.orders;

import static io.ycsbdrill.testing.assertj.DrillAssertions.assertThat;

import io.ycsbdrill.base.Phase;
import io.ycsbdrill.fault.RestartNode;
import io.ycsbdrill.fault.StopMode;
import io.ycsbdrill.fault.schedule.Slo;
import io.ycsbdrill.testing.DrillCluster;
import io.ycsbdrill.testing.DrillResult;
import io.ycsbdrill.testing.junit.EmbeddedCluster;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** What a crash of one data node means for those who read and write meanwhile. */
@EmbeddedCluster(dataNodes = 2, directory = "target/drills")
@EnabledOnOs(OS.LINUX)
class NodeCrashTest {

    @Test
    void theServiceGoesOnAndTheNodeComesBack(DrillCluster cluster) {
        DrillResult drill = cluster.drill("node-crash")
                .step("crash", new RestartNode(StopMode.KILL, Duration.ofSeconds(1)))
                .records(500)
                .threads(2)
                .rate(200)
                .steadyAfter(Duration.ofSeconds(5))
                // Generous: the machine of a build does much else at the same time.
                .slo(new Slo(Optional.of(Duration.ofSeconds(10)), Optional.of(Duration.ofSeconds(5))))
                .cooldown(Duration.ofSeconds(10))
                .run();

        assertThat(drill)
                .wentThrough(Phase.DOWN, Phase.LOCAL_RECOVERY)
                .recoveredWithin(Duration.ofMinutes(2))
                .wasUnavailableAtMost(Duration.ofSeconds(30))
                .losesNothing();
    }
}
