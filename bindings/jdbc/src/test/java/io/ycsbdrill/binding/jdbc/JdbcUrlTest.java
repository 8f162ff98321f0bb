package io.ycsbdrill.binding.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JdbcUrlTest {
    @Test
    void serverIsReplacedAndTheRestKept() {
        assertThat(new JdbcUrl("jdbc:mysql://a:1,b:2/ycsb?x=1&Y=2").at("c:3").map(JdbcUrl::text))
                .contains("jdbc:mysql://c:3/ycsb?x=1&Y=2");
        assertThat(new JdbcUrl("jdbc:h2:mem:test").at("c:3")).isEmpty();
        assertThat(new JdbcUrl("jdbc:mysql://a/ycsb?x=1&Y=2").parameter("y")).contains("2");
        assertThat(new JdbcUrl("jdbc:mysql://a,b/ycsb").failsOver()).isTrue();
        assertThat(new JdbcUrl("jdbc:mysql://me:secret@a/ycsb").hasCredentials())
                .isTrue();
        assertThat(new JdbcUrl("jdbc:mysql://me:secret@a/ycsb").shown()).doesNotContain("secret");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:mysql://a/db?password1=hunter2",
                "jdbc:mysql://a/db?x=1&password3=hunter2",
                "jdbc:mysql://a/db?trustCertificateKeyStorePassword=hunter2",
                "jdbc:mariadb://a/db?keyStorePassword=hunter2",
                "jdbc:postgresql://a/db?sslpassword=hunter2",
                "jdbc:mysql://me:pa/hunter2@a/db",
                "jdbc:mysql://me:hun@ter/hunter2@a/db",
                "jdbc:mysql://address=(host=a)(user=me)(password=hunter2)/db",
                "jdbc:oracle:thin:me/hunter2@a"
            })
    void aUrlWithASecretIsRefusedWithoutShowingIt(String text) {
        JdbcUrl url = new JdbcUrl(text);

        assertThat(url.hasCredentials()).isTrue();
        assertThat(url.shown()).startsWith("jdbc:").doesNotContain("hunter2");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:mysql://a:1,b:2/db?sessionVariables=sql_mode=@@sql_mode",
                "jdbc:oracle:thin:@//a:1521/service",
                "jdbc:postgresql://[::1]:5432/db?sslmode=require"
            })
    void aUrlWithoutASecretIsTaken(String text) {
        assertThat(new JdbcUrl(text).hasCredentials()).isFalse();
    }

    /** All threads of a run connect at once, by the same URL. */
    @Test
    void manyThreadsMayAskAtOnce() throws Exception {
        JdbcUrl url = new JdbcUrl("jdbc:mysql://a:1/ycsb?x=1");
        Callable<Integer> asking = () -> {
            int wrong = 0;
            for (int i = 0; i < 20_000; i++) {
                if (url.failsOver() || url.hasCredentials() || url.at("b").isEmpty()) {
                    wrong++;
                }
            }
            return wrong;
        };
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<Integer>> answers = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                answers.add(threads.submit(asking));
            }
            for (Future<Integer> answer : answers) {
                assertThat(answer.get()).isZero();
            }
        } finally {
            threads.shutdownNow();
        }
    }
}
