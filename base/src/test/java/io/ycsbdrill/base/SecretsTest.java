package io.ycsbdrill.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SecretsTest {

    @ParameterizedTest
    @CsvSource({
        "db.passwd, x, ***",
        "rest.api-key, x, ***",
        "key, x, ***",
        "accessKey, x, ***",
        "auth.token, x, ***",
        "cassandra.keyspace, ycsb, ycsb",
        "table, monkey, monkey",
        "db.url, 'jdbc:mysql://me:pw@h/db?password=pw&x=1', 'jdbc:mysql://me:***@h/db?password=***&x=1'"
    })
    void propertiesAreMaskedByName(String name, String value, String written) {
        assertThat(Secrets.masked(name, value)).isEqualTo(written);
    }

    @ParameterizedTest
    @CsvSource({
        "jdbc.password=a=b,jdbc.password=***",
        "db.passwd=x,db.passwd=***",
        "rest.api-key=x,rest.api-key=***",
        "AUTH_TOKEN=x,AUTH_TOKEN=***",
        "hotkey=x,hotkey=x",
        "password,password",
        "-P,-P"
    })
    void argumentsAreMaskedByName(String typed, String shown) {
        assertThat(Secrets.inArgument(typed)).isEqualTo(shown);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "mysql --password=hunter2 -e 1",
                "mysql -phunter2",
                "sshpass -p hunter2 ssh h",
                "kubectl --token hunter2 delete pod x",
                "kubectl --token=hunter2 delete pod x",
                "curl -u elastic:hunter2 http://h",
                "curl --user elastic:hunter2 http://h",
                "curl http://elastic:hunter2@h:9200/",
                "curl -H 'Authorization: Bearer hunter2' http://h",
                "curl -H 'Authorization: Basic hunter2' http://h",
                "MYSQL_PWD=hunter2 mysql",
                "[sshpass, -p, hunter2, ssh, h]",
                "[curl, '-u', \"elastic:hunter2\", h]",
                "command: [kubectl, \"--token\", \"hunter2\"]",
                "command:\n  - mysql\n  - --password\n  - hunter2\n  - -e",
                "http://h/?password=hunter2&x=1",
                "mysql --password='hunter2 and blanks hunter2'"
            })
    void theValueOfASecretOptionIsMaskedWhereverItStands(String text) {
        assertThat(Secrets.inText(text)).contains(Secrets.MASK).doesNotContain("hunter2");
        assertThat(Secrets.inCommand(List.of("/bin/sh", "-c", text))).doesNotContain("hunter2");
    }

    @Test
    void whatIsNoSecretStays() {
        String drill = """
                # Question: what is it?
                name: node-kill
                steps:
                  - step: pause
                    fault: pause
                    node: not-primary
                    command: [docker, kill, "{node}"]
                    after: kill.down
                """;
        assertThat(Secrets.inText(drill)).isEqualTo(drill);
        assertThat(Secrets.inCommand(List.of("ssh", "h", "docker kill node1"))).isEqualTo("ssh h docker kill node1");
    }

    @Test
    void aValueOfItsOwnIsMaskedWithItsBlanks() {
        assertThat(Secrets.inCommand(List.of("mysql", "--password", "my hunter2", "-u", "me:hunter2", "x")))
                .isEqualTo("mysql --password *** -u me:*** x");
    }
}
