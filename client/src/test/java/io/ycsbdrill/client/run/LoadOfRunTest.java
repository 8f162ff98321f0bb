package io.ycsbdrill.client.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.client.audit.Load;
import io.ycsbdrill.client.session.WorkloadKeys;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import site.ycsb.workloads.CoreWorkload;

class LoadOfRunTest {
    @Test
    void keysAreThoseThatTheWorkloadInserts() {
        for (String order : List.of("hashed", "ordered", "uuid")) {
            for (String padding : List.of("1", "12", "30")) {
                Properties properties = new Properties();
                properties.setProperty("workload", CoreWorkload.class.getName());
                properties.setProperty("insertorder", order);
                properties.setProperty("zeropadding", padding);

                assertThat(LongStream.range(95, 105)
                                .mapToObj(LoadOfRun.keys(properties))
                                .toList())
                        .as("%s, %s", order, padding)
                        .isEqualTo(WorkloadKeys.of(properties, 95, 10).stream()
                                .map(WorkloadKeys.Key::key)
                                .toList());
            }
        }
    }

    @Test
    void rowsAreThoseThatARunReads() {
        Load part = LoadOfRun.of(Specs.aRun(1)
                .with("insertstart", "20")
                .with("insertcount", "30")
                .in(Path.of("r")));
        assertThat(part.first()).isEqualTo(20);
        assertThat(part.rows()).isEqualTo(30);
        assertThat(LoadOfRun.of(Specs.aRun(1).with("insertstart", "20").in(Path.of("r")))
                        .rows())
                .isEqualTo(80);
        assertThat(LoadOfRun.of(Specs.aLoad(100).in(Path.of("r"))).rows()).isZero();
    }
}
