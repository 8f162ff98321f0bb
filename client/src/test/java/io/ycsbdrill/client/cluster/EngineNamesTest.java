package io.ycsbdrill.client.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.fault.node.Engine;
import io.ycsbdrill.report.page.RunWords;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;

class EngineNamesTest {
    @Test
    void everyEngineHasTheNameThatItsMakersGiveItOnThePages() {
        assertThat(ServiceLoader.load(Engine.class)).isNotEmpty().allSatisfy(engine -> assertThat(
                        RunWords.product(engine.name()))
                .isNotEqualTo(engine.name()));
    }
}
