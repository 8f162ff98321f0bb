package io.ycsbdrill.binding.ndb;

import io.ycsbdrill.base.Printed;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * An SQL node, reached through the {@code mysql} program of the installation or, failing that, of the {@code PATH}: once, to
 * make a table that SQL also sees.
 */
final class SqlNode {
    private static final long TIMEOUT_SECONDS = 300;

    private final Path program;
    private final String host;
    private final String port;
    private final String user;
    private final String password;

    private SqlNode(Path program, String address, String user, String password) {
        int colon = address.lastIndexOf(':');
        this.program = program;
        this.host = address.substring(0, colon).replaceAll("[\\[\\]]", "");
        this.port = address.substring(colon + 1);
        this.user = user;
        this.password = password;
    }

    /**
     * The SQL node of the settings, which must have one.
     *
     * @param path the environment's {@code PATH}, or null
     * @return empty when there is no {@code mysql} program
     */
    static Optional<SqlNode> of(NdbProperties settings, NdbInstallation installation, String path) {
        return program(installation.home(), path)
                .map(program ->
                        new SqlNode(program, settings.sql().orElseThrow(), settings.sqlUser(), settings.sqlPassword()));
    }

    /**
     * Executes statements one after the other.
     *
     * @return what they printed, without headings
     * @throws IOException with the server's words when one fails
     */
    String execute(List<String> statements) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(
                program.toString(),
                "--no-defaults",
                "--protocol=TCP",
                "--host=" + host,
                "--port=" + port,
                "--user=" + user,
                "--connect-timeout=10",
                "--batch",
                // NDB's own reason comes as a warning.
                "--show-warnings",
                "--skip-column-names");
        Map<String, String> environment = builder.environment();
        environment.remove("MYSQL_PWD");
        if (!password.isEmpty()) {
            environment.put("MYSQL_PWD", password);
        }
        try (Printed printed = Printed.by(builder)) {
            Process process = printed.process();
            try (var in = process.getOutputStream()) {
                in.write((String.join(";\n", statements) + ";\n").getBytes(StandardCharsets.UTF_8));
            } catch (IOException e) {
                // It ended before it read everything: what it printed says why.
            }
            if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IOException(
                        "SQL node " + host + ":" + port + " did not answer within " + TIMEOUT_SECONDS + " s");
            }
            String text = new String(printed.more(), StandardCharsets.UTF_8).strip();
            if (process.exitValue() != 0) {
                throw new IOException("SQL node " + host + ":" + port + ": " + text);
            }
            return text;
        }
    }

    private static Optional<Path> program(Path home, String path) {
        Path own = home.resolve("bin/mysql");
        if (Files.isExecutable(own)) {
            return Optional.of(own);
        }
        for (String folder : path == null ? new String[0] : path.split(":")) {
            Path program = Path.of(folder).resolve("mysql");
            if (!folder.isBlank() && Files.isExecutable(program)) {
                return Optional.of(program);
            }
        }
        return Optional.empty();
    }
}
