package io.ycsbdrill.binding.ndb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.binding.ndb.NdbProperties.Replicas;
import io.ycsbdrill.binding.ndb.client.NdbConnection;
import io.ycsbdrill.binding.ndb.client.NdbException;
import io.ycsbdrill.binding.ndb.client.NdbFailure;
import io.ycsbdrill.binding.ndb.client.TableDefinition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import site.ycsb.DBException;

class NdbPropertiesTest {

    @Test
    void allProblemsAreReportedTogether() {
        Properties properties = new Properties();
        properties.setProperty("ndb.connections", "0");
        properties.setProperty("ndb.storage", "tape");
        properties.setProperty("ndb.sql", "localhost");
        properties.setProperty("ndb.database", "a`b");
        properties.setProperty("ndb.conections", "2");

        assertThatThrownBy(() -> NdbProperties.of(properties))
                .isInstanceOf(DBException.class)
                .hasMessageContaining("ndb.connectstring is missing")
                .hasMessageContaining("ndb.connections=0: expected a whole number from 1 to 64")
                .hasMessageContaining("ndb.storage=tape: expected one of memory, disk")
                .hasMessageContaining("ndb.sql=localhost: expected an SQL node as host:port")
                .hasMessageContaining("ndb.database=a`b")
                .hasMessageContaining("ndb.conections is not a property of this binding");
    }

    @ParameterizedTest
    @ValueSource(strings = {"host:x", "a:1,", "host:1186 -v", "host:118699"})
    void connectStringsThatNdbWouldTakeForLocalhostAreRefused(String connectString) {
        Properties properties = new Properties();
        properties.setProperty("ndb.connectstring", connectString);

        assertThatThrownBy(() -> NdbProperties.of(properties))
                .hasMessageContaining("ndb.connectstring=" + connectString);
    }

    @ParameterizedTest
    @ValueSource(strings = {"host", "host:1186", "m1.net:1186,m-2:1187", "nodeid=5,10.0.0.1:1186;[::1]:1186"})
    void connectStringsOfAllFormsAreTaken(String connectString) throws DBException {
        Properties properties = new Properties();
        properties.setProperty("ndb.connectstring", connectString);

        assertThat(NdbProperties.of(properties).connectString()).isEqualTo(connectString);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "1:", "1:201,", "1:201;2:202", "1:201,1:202", "1:201,2:201", "0:1", "1:256"})
    void slotsToReadSingleNodesThroughAreChecked(String slots) {
        Properties properties = new Properties();
        properties.setProperty("ndb.connectstring", "host");
        properties.setProperty("ndb.read.slots", slots);

        assertThatThrownBy(() -> NdbProperties.of(properties))
                .hasMessageContaining("ndb.read.slots=" + slots + ": expected node:slot[,node:slot]");
    }

    @Test
    void eachDataNodeIsReadThroughItsSlot() {
        assertThat(new NodeSlots("1:201,2:202").nodes("nodeid=7,m1:1186,m2:1186"))
                .extracting(node -> node.name() + " "
                        + node.properties().get("ndb.connectstring") + " "
                        + node.properties().get("ndb.read.node"))
                .containsExactly(
                        "data node 1 nodeid=201,m1:1186,m2:1186 1", "data node 2 nodeid=202,m1:1186,m2:1186 2");
    }

    private static NdbProperties withClientSlots(String connectString, String slots) throws DBException {
        Properties properties = new Properties();
        properties.setProperty("ndb.connectstring", connectString);
        if (!slots.isEmpty()) {
            properties.setProperty("ndb.client.slots", slots);
        }
        return NdbProperties.of(properties);
    }

    @Test
    void clientsHaveNodeIdsOfTheirOwnWhereTheClusterNamesThem() throws DBException {
        assertThat(LongStream.of(0, 1, 2, 3, 4711).mapToObj(withClientSlots("m1:1186", "101-103")::connectString))
                .containsExactly(
                        "nodeid=101,m1:1186",
                        "nodeid=102,m1:1186",
                        "nodeid=103,m1:1186",
                        "nodeid=101,m1:1186",
                        "nodeid=102,m1:1186");
        assertThat(withClientSlots("nodeid=7,m1", "101-103").connectString(1)).isEqualTo("nodeid=7,m1");
        assertThat(withClientSlots("m1", "").connectString(1)).isEqualTo("m1");
        for (String wrong : List.of("101", "112-101", "0-3", "300-400")) {
            assertThatThrownBy(() -> withClientSlots("m1", wrong))
                    .hasMessageContaining("ndb.client.slots=" + wrong + ": expected the first and the last node id");
        }
    }

    /** Somebody else has it, or had it a moment ago. */
    @Test
    void aNodeIdThatIsNotFreeIsLeftToTheManagementServer() throws Exception {
        List<String> asked = new ArrayList<>();

        NdbConnection connection = SharedClusters.first(
                (connectString, name, timeout) -> {
                    asked.add(connectString + " " + timeout.toSeconds());
                    if (connectString.startsWith("nodeid=")) {
                        throw new NdbException("taken", NdbFailure.badRequest("taken"));
                    }
                    return null;
                },
                withClientSlots("m1", "101-112"),
                5,
                "name",
                Duration.ofSeconds(60));

        assertThat(connection).isNull();
        assertThat(asked).containsExactly("nodeid=106,m1 2", "m1 58");
    }

    @Test
    void statementsMakeATableThatBothSidesSee() throws DBException {
        Properties properties = TableFitTest.properties(2, 300);
        properties.setProperty("ndb.storage", "disk");
        NdbProperties settings = NdbProperties.of(properties);
        TableDefinition definition = TableFit.definition(settings);

        assertThat(TableSql.table("ycsb", definition, Replicas.PRIMARY).get(1))
                .endsWith(" STORAGE DISK COMMENT='NDB_TABLE=READ_BACKUP=0' ENGINE=NDBCLUSTER");
        assertThat(TableSql.table("ycsb", definition, Replicas.ANY).get(1))
                .endsWith(" COMMENT='NDB_TABLE=READ_BACKUP=1' ENGINE=NDBCLUSTER");
        assertThat(TableSql.table("ycsb", definition, settings.reads()))
                .containsExactly(
                        "CREATE DATABASE IF NOT EXISTS `ycsb`",
                        "CREATE TABLE IF NOT EXISTS `ycsb`.`usertable` (`YCSB_KEY` VARBINARY(255) NOT NULL PRIMARY KEY,"
                                + " `FIELD0` VARBINARY(300), `FIELD1` VARBINARY(300)) TABLESPACE `ts_ycsb` STORAGE DISK"
                                + " ENGINE=NDBCLUSTER");
        List<String> disk = TableSql.disk(settings, true);
        assertThat(disk).hasSize(1);
        assertThat(disk.get(0)).startsWith("CREATE TABLESPACE `ts_ycsb`").contains("INITIAL_SIZE 512M");
    }

    /** The rows of 4 KB of a published benchmark: ten columns of 100 characters of up to four bytes. */
    @Test
    void fieldsMayBeTextsOfACollation() throws DBException {
        Properties properties = TableFitTest.properties(10, 100);
        properties.setProperty("ndb.table.collation", "utf8mb4_unicode_ci");
        TableDefinition definition = TableFit.definition(NdbProperties.of(properties));

        assertThat(TableSql.table("ycsb", definition, Replicas.DEFAULT).get(1))
                .contains("`FIELD9` VARCHAR(100) COLLATE utf8mb4_unicode_ci)");
        assertThat(definition.rowBytes()).isBetween(4000, 4400);

        properties.setProperty("fieldlength", "1000");
        assertThat(TableFit.problems(TableFit.definition(NdbProperties.of(properties))))
                .singleElement()
                .asString()
                .startsWith(
                        "fieldcount=10 fields of fieldlength=1000 characters, which may be 4000 bytes, make rows of");

        properties.setProperty("ndb.table.collation", "utf8; drop");
        assertThatThrownBy(() -> NdbProperties.of(properties))
                .hasMessageContaining(
                        "ndb.table.collation=utf8; drop: expected a collation of utf8mb4, utf8mb3 or latin1");
    }
}
