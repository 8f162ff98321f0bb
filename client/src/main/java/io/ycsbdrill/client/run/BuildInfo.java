package io.ycsbdrill.client.run;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/**
 * Which build of the tool runs.
 *
 * @param version of the Maven project
 * @param commit short git commit; {@code unknown} when it was built without git
 */
public record BuildInfo(String version, String commit) {

    /** The build of the running tool. */
    public static BuildInfo current() {
        Properties properties = new Properties();
        try (InputStream in = BuildInfo.class.getResourceAsStream("build.properties")) {
            properties.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException("the tool's own build.properties cannot be read", e);
        }
        String commit = properties.getProperty("commit", "");
        return new BuildInfo(
                properties.getProperty("version"), commit.isEmpty() || commit.startsWith("$") ? "unknown" : commit);
    }
}
