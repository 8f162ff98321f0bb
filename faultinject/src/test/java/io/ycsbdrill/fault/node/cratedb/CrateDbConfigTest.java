package io.ycsbdrill.fault.node.cratedb;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.fault.node.haproxy.HaproxyOptions;
import io.ycsbdrill.fault.node.kit.ClusterPlan;
import io.ycsbdrill.fault.node.kit.CommonOptions;
import io.ycsbdrill.fault.node.kit.Members;
import io.ycsbdrill.fault.node.kit.NodeSandbox;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
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

        ClusterPlan<CrateDbOptions> plan = new ClusterPlan<>(
                folder,
                new CrateDbEngine().parse(Map.of()),
                new CommonOptions(0, new NodeSandbox.Wanted(List.of()), HaproxyOptions.NONE),
                Members.numbered(folder, 3),
                CrateDbConfig.PORTS,
                List.of(4200, 5432, 4300, 4201, 5433, 4301, 4202, 5434, 4302),
                Optional.empty(),
                line -> {});

        assertThat(CrateDbConfig.node(new CrateDbFiles(folder), plan, "node2"))
                .contains(
                        "http.port: 4201\n",
                        "psql.port: 5433\n",
                        "transport.tcp.port: 4301\n",
                        "gateway.expected_data_nodes: 3\n",
                        "gateway.recover_after_data_nodes: 2\n");
    }
}
