package io.ycsbdrill.client.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.binding.BulkInserts;
import io.ycsbdrill.client.ConfigException;
import io.ycsbdrill.client.run.RunSpec;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import site.ycsb.BasicDB;
import site.ycsb.Status;

class AutoLoadTest {

    /** One that loads by batches. */
    public static final class Batching extends BasicDB implements BulkInserts {
        @Override
        public List<Status> insertAll(String table, List<Row> rows) {
            throw new UnsupportedOperationException();
        }

        @Override
        public int rowsOfALoad() {
            return 50;
        }
    }

    private static String batchOf(Class<?> binding, String... properties) {
        Properties all = new Properties();
        all.setProperty("recordcount", "100");
        for (int i = 0; i < properties.length; i += 2) {
            all.setProperty(properties[i], properties[i + 1]);
        }
        return AutoLoad.of(run(binding, all)).properties().getProperty("db.batchsize");
    }

    private static RunSpec run(Class<?> binding, Properties properties) {
        return RunSpec.builder()
                .mode(RunSpec.Mode.RUN)
                .binding("b", binding.getName())
                .properties(properties)
                .out(Path.of("r"))
                .build();
    }

    @Test
    void theFileForTheResultIsLeftToTheRun() {
        Properties properties = new Properties();
        properties.setProperty("recordcount", "100");
        properties.setProperty("exportfile", "result.txt");
        RunSpec run = run(BasicDB.class, properties);

        assertThat(AutoLoad.of(run).properties()).doesNotContainKey("exportfile");
        assertThat(run.properties()).containsKey("exportfile");
    }

    @Test
    void whereNothingSaysHowManyRecordsThereAreThatIsSaid() {
        assertThatThrownBy(() -> AutoLoad.of(run(BasicDB.class, new Properties())))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("set recordcount");
    }

    @Test
    void rowsGoTogetherWhereTheBindingSaysSoAndNobodyElse() {
        assertThat(batchOf(Batching.class)).isEqualTo("50");
        assertThat(batchOf(Batching.class, "db.batchsize", "7")).isEqualTo("7");
        assertThat(batchOf(Batching.class, "workload", "site.ycsb.workloads.CoreWorkload"))
                .isEqualTo("50");
        // It may insert several rows for a record.
        assertThat(batchOf(Batching.class, "workload", "org.example.Own")).isEqualTo("1");
        assertThat(batchOf(BasicDB.class)).isEqualTo("1");
    }
}
