package io.ycsbdrill.client.cli;

import io.ycsbdrill.base.Problems;
import io.ycsbdrill.client.ConfigException;
import io.ycsbdrill.client.cli.option.BindingOptions;
import io.ycsbdrill.client.cluster.Access;
import io.ycsbdrill.client.cluster.AccessFinder;
import io.ycsbdrill.client.cluster.CommandContext;
import io.ycsbdrill.client.session.KnownProperties;
import io.ycsbdrill.client.session.TableProbe;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicBoolean;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import site.ycsb.DB;

@Command(
        name = "shell",
        sortOptions = false,
        description = "Reads and writes single records by hand, or from standard input.",
        footer = {"", "Exit code 1 when commands come from a pipe or file and one of them failed."})
final class ShellCommand extends ContextCommand {
    @Mixin
    private BindingOptions binding;

    ShellCommand(CommandContext world) {
        super(world);
    }

    @Override
    public Integer call() throws Exception {
        Problems problems = new Problems();
        Properties properties = binding.properties(world, problems);
        AccessFinder finder = new AccessFinder(world);
        finder.check(binding.binding(), binding.engine(), properties, problems);
        problems.throwIfAny(ConfigException::new);
        KnownProperties.nearMisses(properties).forEach(world::say);

        Access access = finder.find(binding.binding(), binding.engine(), properties);
        AtomicBoolean closed = new AtomicBoolean();
        Runnable close = () -> {
            if (closed.compareAndSet(false, true)) {
                access.close();
            }
        };
        Thread hook = new Thread(close, "shell-stop");
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            access.properties().forEach(properties::putIfAbsent);
            return talk(access, properties);
        } finally {
            close.run();
        }
    }

    private int talk(Access access, Properties properties) throws Exception {
        TableProbe.check(access.bindingClass(), properties, false, true);
        DB database = TableProbe.open(access.bindingClass(), properties);
        try {
            boolean interactive = System.console() != null;
            int failed = new Shell(world, database, properties.getProperty("table", "usertable"), interactive).talk();
            return interactive || failed == 0 ? 0 : 1;
        } finally {
            database.cleanup();
        }
    }
}
