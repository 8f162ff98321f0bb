package io.ycsbdrill.client.cli;

import java.util.Optional;
import picocli.CommandLine.IVersionProvider;

/** What {@code --version} prints. */
final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
        return new String[] {line()};
    }

    /** {@code ycsb-drill 1.0.0 (YCSB core 0.17.0, Java 17.0.1)}. */
    static String line() {
        Package own = Main.class.getPackage();
        String version = Optional.ofNullable(own.getImplementationVersion()).orElse("(built from classes)");
        return "ycsb-drill " + version + ", Java " + System.getProperty("java.version");
    }
}
