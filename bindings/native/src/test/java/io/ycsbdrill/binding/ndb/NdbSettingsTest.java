package io.ycsbdrill.binding.ndb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.binding.ndb.client.TableDefinition;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import site.ycsb.DBException;

class NdbSettingsTest {

    @Test
    void allProblemsAreReportedTogether() {
        Properties properties = new Properties();
        properties.setProperty("ndb.connections", "0");
        properties.setProperty("ndb.storage", "tape");
        properties.setProperty("ndb.sql", "localhost");
        properties.setProperty("ndb.database", "a`b");
        properties.setProperty("ndb.conections", "2");

        assertThatThrownBy(() -> NdbSettings.of(properties))
                .isInstanceOf(DBException.class)
                .hasMessageContaining("ndb.connectstring is missing")
                .hasMessageContaining("ndb.connections=0: expected a whole number from 1 to 64")
                .hasMessageContaining("ndb.storage=tape: expected one of memory, disk")
                .hasMessageContaining("ndb.sql=localhost: expected an SQL node as host:port")
                .hasMessageContaining("ndb.database=a`b")
                .hasMessageContaining("ndb.conections is not a property of this binding");
    }

    @Test
    void statementsMakeATableThatBothSidesSee() throws DBException {
        Properties properties = TableFitTest.properties(2, 300);
        properties.setProperty("ndb.storage", "disk");
        NdbSettings settings = NdbSettings.of(properties);
        TableDefinition definition = TableFit.definition(settings);

        assertThat(TableSql.table("ycsb", definition))
                .containsExactly(
                        "CREATE DATABASE IF NOT EXISTS `ycsb`",
                        "CREATE TABLE IF NOT EXISTS `ycsb`.`usertable` (`YCSB_KEY` VARBINARY(255) NOT NULL PRIMARY KEY,"
                                + " `FIELD0` VARBINARY(300), `FIELD1` VARBINARY(300)) TABLESPACE `ts_ycsb` STORAGE DISK"
                                + " ENGINE=NDBCLUSTER");
        List<String> disk = TableSql.disk(settings, true);
        assertThat(disk).hasSize(1);
        assertThat(disk.get(0)).startsWith("CREATE TABLESPACE `ts_ycsb`").contains("INITIAL_SIZE 512M");
    }
}
