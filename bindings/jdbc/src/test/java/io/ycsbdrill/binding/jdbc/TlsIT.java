package io.ycsbdrill.binding.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import site.ycsb.DBException;
import site.ycsb.Status;
import site.ycsb.StringByteIterator;

/** Servers that take connections with TLS only, and one that wants a certificate of the client's: what docs/jdbc.md says of it. */
@Tag("engine")
@Timeout(180)
class TlsIT {

    /** Files of a certificate for localhost that vouches for itself, and of another one. */
    private static void certificates(ServerProcess process) throws IOException, InterruptedException {
        if (!Files.isExecutable(Path.of("/usr/bin/openssl"))) {
            Assumptions.abort("no program openssl, which makes the certificates");
        }
        for (String name : List.of("server", "other")) {
            process.run(List.of(
                    "/usr/bin/openssl",
                    "req",
                    "-x509",
                    "-newkey",
                    "rsa:2048",
                    "-nodes",
                    "-keyout",
                    name + ".key",
                    "-out",
                    name + ".crt",
                    "-days",
                    "2",
                    "-subj",
                    "/CN=localhost",
                    "-addext",
                    "subjectAltName=DNS:localhost"));
        }
        process.run(List.of(
                "/usr/bin/openssl",
                "pkcs8",
                "-topk8",
                "-nocrypt",
                "-outform",
                "DER",
                "-in",
                "server.key",
                "-out",
                "client.pk8"));
        Files.setPosixFilePermissions(process.folder().resolve("server.key"), ServerProcess.OWNER_ONLY);
    }

    /** Opens a binding and writes and reads a row, or fails as a run does. */
    private static void use(String url, Path files) throws DBException {
        Properties properties = new Properties();
        properties.setProperty("db.url", url.replace("FILES", files.toString()));
        properties.setProperty("db.user", "ycsb");
        properties.setProperty("db.passwd", "secret");
        JdbcBinding db = new JdbcBinding();
        db.setProperties(properties);
        db.init();
        try {
            db.delete("usertable", "k");
            assertThat(db.insert("usertable", "k", Map.of("field0", new StringByteIterator("v"))))
                    .isEqualTo(Status.OK);
            assertThat(db.read("usertable", "k", null, new HashMap<>())).isEqualTo(Status.OK);
        } finally {
            db.cleanup();
        }
    }

    /** @param refused part of the line that says so; null when it works */
    private static void check(String url, Path files, String refused) throws DBException {
        if (refused == null) {
            use(url, files);
        } else {
            assertThatThrownBy(() -> use(url, files))
                    .isInstanceOf(DBException.class)
                    .hasMessageContaining("no server can be used")
                    .hasMessageContaining(refused)
                    .satisfies(e -> assertThat(e.getMessage()).doesNotContain("\n", "secret"));
        }
    }

    @Nested
    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    @ExtendWith(PostgresServer.class)
    class Postgresql {
        private ServerProcess process;

        @BeforeAll
        void start() throws Exception {
            process = new ServerProcess("postgres-tls", Path.of("lib"));
            certificates(process);
            PostgresServer.initialise(process);
            Files.writeString(process.folder().resolve("data/pg_hba.conf"), """
                    hostssl template1 all 127.0.0.1/32 scram-sha-256 clientcert=verify-ca
                    hostssl all all 127.0.0.1/32 scram-sha-256
                    """);
            process.start(
                    PostgresServer.server(
                            process,
                            process.folder(),
                            "-c",
                            "ssl=on",
                            "-c",
                            "ssl_cert_file=" + process.folder().resolve("server.crt"),
                            "-c",
                            "ssl_key_file=" + process.folder().resolve("server.key"),
                            "-c",
                            "ssl_ca_file=" + process.folder().resolve("server.crt")),
                    "jdbc:postgresql://127.0.0.1:" + process.port() + "/postgres",
                    "ycsb",
                    "secret");
        }

        @AfterAll
        void stop() throws IOException {
            if (process != null) {
                process.close();
            }
        }

        @ParameterizedTest
        @CsvSource({
            "localhost, postgres, sslmode=require,",
            "localhost, postgres, sslmode=verify-full&sslrootcert=FILES/server.crt,",
            "127.0.0.1, postgres, sslmode=verify-ca&sslrootcert=FILES/server.crt,",
            "127.0.0.1, postgres, sslmode=verify-full&sslrootcert=FILES/server.crt, could not be verified",
            "localhost, postgres, sslmode=verify-ca&sslrootcert=FILES/other.crt, SSL error",
            "localhost, postgres, sslmode=verify-ca&sslrootcert=FILES/none.crt, none.crt",
            "localhost, postgres, sslmode=disable, no encryption",
            "127.0.0.1, template1, sslmode=verify-ca&sslrootcert=FILES/server.crt&sslcert=FILES/server.crt&sslkey=FILES/client.pk8,",
            "127.0.0.1, template1, sslmode=verify-ca&sslrootcert=FILES/server.crt, client certificate"
        })
        void isAsItsUrlSays(String host, String database, String parameters, String refused) throws DBException {
            check(
                    "jdbc:postgresql://" + host + ":" + process.port() + "/" + database + "?" + parameters,
                    process.folder(),
                    refused);
        }
    }

    @Nested
    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    @ExtendWith(MariaDbServer.class)
    class MariaDb {
        private ServerProcess files;
        private MariaDbServer.Running server;

        @BeforeAll
        void start() throws Exception {
            files = new ServerProcess("mariadb-tls", Path.of("lib"));
            certificates(files);
            server = MariaDbServer.Running.with(
                    "--ssl-cert=" + files.folder().resolve("server.crt"),
                    "--ssl-key=" + files.folder().resolve("server.key"),
                    "--require-secure-transport=ON");
        }

        @AfterAll
        void stop() throws IOException {
            if (server != null) {
                server.close();
            }
            if (files != null) {
                files.close();
            }
        }

        @ParameterizedTest
        @CsvSource({
            "mariadb, localhost, sslMode=verify-full&serverSslCert=FILES/server.crt,",
            "mariadb, 127.0.0.1, sslMode=trust,",
            "mariadb, 127.0.0.1, sslMode=verify-ca&serverSslCert=FILES/server.crt,",
            "mariadb, 127.0.0.1, sslMode=verify-full&serverSslCert=FILES/server.crt, 127.0.0.1",
            "mariadb, localhost, sslMode=verify-ca&serverSslCert=FILES/other.crt, jdbc:mariadb://localhost",
            "mariadb, localhost, sslMode=disable, Access denied",
            "mysql, 127.0.0.1, sslMode=REQUIRED,",
            "mysql, 127.0.0.1, sslMode=VERIFY_CA, jdbc:mysql://127.0.0.1",
            "mysql, 127.0.0.1, sslMode=DISABLED, Access denied"
        })
        void isAsItsUrlSays(String driver, String host, String parameters, String refused) throws DBException {
            check(
                    "jdbc:" + driver + "://" + host + ":" + server.port() + "/ycsb?" + parameters,
                    files.folder(),
                    refused);
        }
    }
}
