package io.ycsbdrill.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
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
                "jdbc:mysql://h/db?password1=hunter2&password2=hunter2&password3=hunter2",
                "jdbc:mysql://h/db?trustCertificateKeyStorePassword=hunter2",
                "jdbc:mariadb://h/db?keyStorePassword=hunter2&x=1",
                "jdbc:postgresql://h/db?sslpassword=hunter2",
                "jdbc:mysql://me:pa/hunter2@h/db",
                "jdbc:mysql://me:pa@hunter2@h/db",
                "jdbc:mysql://address=(host=h)(user=me)(password=hunter2)/db",
                "jdbc:oracle:thin:me/hunter2@h",
                "CREATE USER me IDENTIFIED BY 'hunter2'",
                "CREATE USER me IDENTIFIED WITH sha2 BY \"hunter2\"",
                "SET PASSWORD FOR 'me'@'h' = 'hunter2'",
                "ALTER ROLE me PASSWORD 'hunter2'",
                "SELECT PASSWORD('hunter2')",
                "denied: Bearer hunter2",
                "Authorization: Digest username=me, response=hunter2",
                "Cookie: a=1; session=hunter2",
                "Set-Cookie: id=hunter2; Path=/",
                "host=h pass=hunter2 port=1",
                "Server=h;pwd=hunter2;",
                "redis-cli -h h -a hunter2 ping",
                "[redis-cli, -a, hunter2, ping]",
                "mariadb-admin -u root -phunter2 status",
                "PGPASSWORD=hunter2 psql",
                "REDISCLI_AUTH=hunter2 redis-cli",
                "mysql: syntax error near \"password='hunter2",
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

    @ParameterizedTest
    @ValueSource(
            strings = {
                "mkdir -p \"/var/x\"",
                "ssh -p 22 h",
                "Access denied for user 'me'@'h' (using password: YES)",
                "http://h:8080/path",
                "PASS: 6 of 6 limits kept"
            })
    void aTextWithoutASecretStays(String text) {
        assertThat(Secrets.inText(text)).isEqualTo(text);
    }

    @Test
    void theDirectoryOfMkdirStaysInACommand() {
        assertThat(Secrets.inCommand(List.of("mkdir", "-p", "x"))).isEqualTo("mkdir -p x");
        assertThat(Secrets.inCommand(List.of("redis-cli", "-a", "hunter2", "ping")))
                .isEqualTo("redis-cli -a *** ping");
        assertThat(Secrets.inCommand(List.of("sshpass", "-p", "hunter2", "ssh", "h")))
                .isEqualTo("sshpass -p *** ssh h");
    }

    @Test
    void whatTheProcessWasGivenAsASecretIsMaskedInAnyText() {
        Secrets.know("db.passwd", "Known-to-SecretsTest");
        Secrets.know("db.passwd.file", "/path/of/SecretsTest");
        Secrets.know("", "not-a-secret-of-SecretsTest");
        Secrets.know("kST1");
        Secrets.know("PWD", "/where/SecretsTest/is");
        Secrets.know("OLDPWD", "/where/SecretsTest/was");
        Secrets.know("db.passwd", "123456");
        Secrets.know("USES_TOKEN", "true");

        assertThat(Secrets.inText("report: /where/SecretsTest/is/r.html /where/SecretsTest/was"))
                .as("the shell's variables for where one is, in every environment")
                .isEqualTo("report: /where/SecretsTest/is/r.html /where/SecretsTest/was");
        assertThat(Secrets.inText("it says Known-to-SecretsTest, /path/of/SecretsTest, not-a-secret-of-SecretsTest"))
                .isEqualTo("it says ***, /path/of/SecretsTest, not-a-secret-of-SecretsTest");
        assertThat(Secrets.withoutKnown("READ, 123456, true"))
                .as("figures and words stay")
                .isEqualTo("READ, 123456, true");
        assertThat(Secrets.withoutKnown("kST1 kST12"))
                .as("a short one as a word only")
                .isEqualTo("*** kST12");
    }

    /** A server chooses what it says. */
    @Test
    @Timeout(60)
    void aLongTextTakesNoLongTime() {
        assertThat(Secrets.inText("a".repeat(200_000))).hasSize(200_000);
        assertThat(Secrets.inText("password='" + "''".repeat(100_000))).contains(Secrets.MASK);
    }

    @Test
    void aValueOfItsOwnIsMaskedWithItsBlanks() {
        assertThat(Secrets.inCommand(List.of("mysql", "--password", "my hunter2", "-u", "me:hunter2", "x")))
                .isEqualTo("mysql --password *** -u me:*** x");
    }
}
