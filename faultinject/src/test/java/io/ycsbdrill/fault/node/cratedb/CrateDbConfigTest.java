package io.ycsbdrill.fault.node.cratedb;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CrateDbConfigTest {
    @TempDir
    Path folder;

    private final Locale before = Locale.getDefault();

    @AfterEach
    void restore() {
        Locale.setDefault(before);
    }

    @Test
    void configurationHasTheSameDigitsForEveryUser() {
        Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
        assertThat("%d".formatted(4200)).as("digits of this locale").isNotEqualTo("4200");

        assertThat(CrateDbConfig.node(
                        new CrateDbFiles(folder),
                        List.of("node1", "node2", "node3"),
                        3,
                        List.of(
                                new CrateDbConfig.Ports(4200, 5432, 4300),
                                new CrateDbConfig.Ports(4201, 5433, 4301),
                                new CrateDbConfig.Ports(4202, 5434, 4302)),
                        1))
                .contains(
                        "http.port: 4201\n",
                        "psql.port: 5433\n",
                        "transport.tcp.port: 4301\n",
                        "gateway.expected_data_nodes: 3\n",
                        "gateway.recover_after_data_nodes: 2\n");
    }
}
