package io.ycsbdrill.binding.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import site.ycsb.DBException;

class SharedTest {
    private final List<String> seen = new ArrayList<>();
    private final Shared<String, AutoCloseable> shared = new Shared<>(settings -> {
        seen.add("open " + settings);
        return () -> seen.add("close " + settings);
    });

    /** One user's part, which may refuse to open. */
    private final class Part implements Shared.Part {
        private final boolean opens;

        Part(boolean opens) {
            this.opens = opens;
        }

        @Override
        public void open() throws DBException {
            if (!opens) {
                throw new DBException("no server");
            }
        }

        @Override
        public void close() {
            seen.add("close part");
        }
    }

    private Part join(String settings, boolean opens) throws DBException {
        return shared.join(settings, all -> new Part(opens));
    }

    @Test
    void theFirstToComeOpensAndTheLastToGoCloses() throws DBException {
        Part first = join("a", true);
        Part second = join("a", true);
        Part other = join("b", true);
        assertThat(seen).containsExactly("open a", "open b");

        shared.leave("a", first);
        shared.leave("b", other);
        shared.leave("a", second);

        assertThat(seen.subList(2, seen.size()))
                .containsExactly("close part", "close part", "close b", "close part", "close a");
    }

    @Test
    void aPartThatDoesNotOpenIsClosedAndWhatIsSharedGivenBack() throws DBException {
        assertThatThrownBy(() -> join("a", false)).hasMessage("no server");
        assertThat(seen).containsExactly("open a", "close part", "close a");

        shared.leave("a", join("a", true));
        assertThat(seen).endsWith("open a", "close part", "close a");
    }
}
