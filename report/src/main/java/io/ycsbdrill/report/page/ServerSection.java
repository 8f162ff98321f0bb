package io.ycsbdrill.report.page;

import io.ycsbdrill.report.metric.NumberText;
import io.ycsbdrill.report.metric.ServerUse;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What the servers used, as tables of {@code report.html}. */
record ServerSection(ServerUse use) {
    List<Table> tables() {
        List<Table> tables = new ArrayList<>();
        tables.add(new Table(
                "Processes of the servers, of the trimmed run",
                List.of("Server", "CPU", "Of one processor", "CPU per operation", "Most memory"),
                use.nodes().stream().map(this::row).toList()));
        if (!use.phases().isEmpty()) {
            List<String> headers = new ArrayList<>(List.of("Phase", "Duration"));
            use.nodes().forEach(node -> headers.add(node.name()));
            tables.add(new Table(
                    "Processor time by phase, of one processor",
                    headers,
                    use.phases().stream().map(ServerSection::row).toList()));
        }
        return tables;
    }

    private List<String> row(ServerUse.Node node) {
        return List.of(
                node.name(),
                String.format(Locale.ROOT, "%.1f s", node.cpuSeconds()),
                percent(node.cpuSeconds() / use.seconds()),
                use.succeeded() > 0
                        ? String.format(Locale.ROOT, "%.1f µs", node.cpuSeconds() / use.succeeded() * 1e6)
                        : NumberText.ABSENT,
                node.mostMemoryMb().stream()
                        .mapToObj(most -> String.format(Locale.ROOT, "%.0f MB", most))
                        .findFirst()
                        .orElse(NumberText.ABSENT));
    }

    private static List<String> row(ServerUse.InPhase phase) {
        List<String> row =
                new ArrayList<>(List.of(phase.phase(), String.format(Locale.ROOT, "%.2f s", phase.seconds())));
        phase.processors().values().forEach(busy -> row.add(percent(busy)));
        return row;
    }

    private static String percent(double processors) {
        return String.format(Locale.ROOT, "%.0f %%", 100 * processors);
    }
}
