package io.ycsbdrill.client.cli;

import io.ycsbdrill.client.run.BuildInfo;
import picocli.CommandLine.IVersionProvider;

/** What {@code --version} prints. */
final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
        return new String[] {line()};
    }

    /** {@code ycsb-drill 1.0.0 (commit 1a2b3c4), Java 17.0.1}. */
    static String line() {
        BuildInfo build = BuildInfo.current();
        return "ycsb-drill " + build.version() + " (commit " + build.commit() + "), Java "
                + System.getProperty("java.version");
    }
}
