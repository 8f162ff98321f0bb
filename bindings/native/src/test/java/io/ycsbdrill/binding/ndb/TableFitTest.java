package io.ycsbdrill.binding.ndb;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.binding.ndb.client.ColumnShape.Kind;
import io.ycsbdrill.binding.ndb.client.NdbTableShape;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import site.ycsb.DBException;

class TableFitTest {

    /** The rows with an answer were tried on NDB 9.7. */
    @ParameterizedTest
    @CsvSource({
        "10,100,memory,true",
        "10,1600,memory,true",
        "1,16384,memory,true",
        "10,4000,memory,false",
        "10,800,disk,true",
        "6,1600,disk,true",
        "7,1600,disk,false",
        "2,8180,disk,false",
        "1,29000,disk,true"
    })
    void rowSizesThatNdbTakes(int count, int length, String storage, boolean fits) throws DBException {
        Properties properties = properties(count, length);
        properties.setProperty("ndb.storage", storage);

        List<String> problems = TableFit.problems(TableFit.definition(NdbProperties.of(properties)));

        assertThat(problems.isEmpty()).as("%s", problems).isEqualTo(fits);
    }

    @Test
    void tableAsTheWorkloadNeedsItFits() throws DBException {
        assertThat(TableFit.problems(FakeCluster.shape(), NdbProperties.of(properties(2, 100))))
                .isEmpty();
    }

    @Test
    void everythingThatDoesNotFitIsSaidAtOnce() throws DBException {
        assertThat(TableFit.problems(FakeCluster.shape(), NdbProperties.of(properties(3, 200))))
                .hasSize(2)
                .anySatisfy(problem -> assertThat(problem).contains("fieldcount=3", "no column field2"))
                .anySatisfy(problem -> assertThat(problem).contains("fieldlength=200", "FIELD0 (100)"));
    }

    @Test
    void aTableWithoutTheCollationThatIsAskedForIsRefused() throws DBException {
        Properties properties = properties(1, 100);
        properties.setProperty("ndb.table.collation", "utf8mb4_unicode_ci");
        NdbProperties settings = NdbProperties.of(properties);

        assertThat(TableFit.problems(table("binary", 400), settings))
                .singleElement()
                .asString()
                .startsWith(
                        "ndb.table.collation=utf8mb4_unicode_ci, but columns have another character set: FIELD0 (binary)");
        assertThat(TableFit.problems(table("utf8mb4", 100), settings))
                .singleElement()
                .asString()
                .contains("FIELD0 (100)");
        assertThat(TableFit.problems(table("utf8mb4", 400), settings)).isEmpty();
    }

    private static NdbTableShape table(String charset, int capacity) {
        return new NdbTableShape(
                "t",
                List.of(
                        FakeCluster.column("id", 0, Kind.SHORT_VARIABLE, 50, "binary", true),
                        FakeCluster.column("FIELD0", 1, Kind.LONG_VARIABLE, capacity, charset, false)),
                1);
    }

    @Test
    void keyInACharacterSetOfTwoBytesIsRefused() throws DBException {
        NdbTableShape shape =
                new NdbTableShape("t", List.of(FakeCluster.column("id", 0, Kind.SHORT_VARIABLE, 50, "ucs2", true)), 1);

        assertThat(TableFit.problems(shape, NdbProperties.of(properties(1, 1))))
                .anySatisfy(problem -> assertThat(problem).contains("character set ucs2"));
    }

    static Properties properties(int count, int length) {
        Properties properties = new Properties();
        properties.setProperty("ndb.connectstring", "host:1186");
        properties.setProperty("fieldcount", "" + count);
        properties.setProperty("fieldlength", "" + length);
        return properties;
    }
}
