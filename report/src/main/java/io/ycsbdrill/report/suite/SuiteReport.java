package io.ycsbdrill.report.suite;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ycsbdrill.base.AtomicFile;
import io.ycsbdrill.report.experiment.ExperimentJson;
import io.ycsbdrill.report.experiment.ExperimentReport;
import io.ycsbdrill.report.experiment.PlanData;
import io.ycsbdrill.report.page.Pages;
import io.ycsbdrill.report.page.RunWords;
import io.ycsbdrill.report.page.TableText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Makes the results of a suite from its files; may be repeated on the same directory, also by a later version. */
public final class SuiteReport {
    private SuiteReport() {}

    /**
     * What stands on every table of a suite and of its experiments: {@code ndb, scale small, on one machine with ...}.
     *
     * @param engine whose cluster is started; empty when properties say where the database is
     * @param machine on which it is run, in words
     */
    public static String banner(Optional<String> engine, String scale, String machine) {
        return engine.map(name -> name.equals("embedded") ? name + " cluster (" + RunWords.product(name) + ")" : name)
                        .orElse("a database named by properties")
                + ", scale " + scale + ", on " + machine;
    }

    /**
     * What was written.
     *
     * @param page {@code suite.html}
     * @param text the tables for a terminal
     * @param counting how many cells of all experiments count
     * @param nothingJudged whether it claims something, and nothing can be said of it
     */
    public record Written(Path page, String text, long counting, boolean nothingJudged) {}

    /** Whether a directory is one of a suite. */
    public static boolean isIn(Path directory) {
        return Files.isRegularFile(directory.resolve(SuiteData.FILE));
    }

    /**
     * Writes {@code suite.json}, {@code suite.md} and {@code suite.html}, and the results of each experiment that was begun.
     *
     * @throws IOException when a plan cannot be read, or a file cannot be written
     */
    public static Written write(Path directory) throws IOException {
        SuiteData data = SuiteData.read(directory);
        List<SuitePart> parts = new ArrayList<>();
        for (SuiteData.Part part : data.parts()) {
            Path there = directory.resolve(part.id());
            if (PlanData.isIn(there)) {
                ExperimentReport.Written written = ExperimentReport.write(there);
                parts.add(SuitePart.run(part.id(), written.data()));
            } else {
                parts.add(SuitePart.notRun(part));
            }
        }
        SuitePage page = new SuitePage(data, parts);
        AtomicFile.write(directory.resolve("suite.json"), json(data, parts));
        AtomicFile.write(directory.resolve("suite.md"), page.markdown());
        Path html = directory.resolve("suite.html");
        AtomicFile.write(html, Pages.render("suite/suite.jte", page));
        StringBuilder text = new StringBuilder();
        text.append("suite ")
                .append(data.name())
                .append(": ")
                .append(page.countText())
                .append("\n\n");
        page.tables().forEach(table -> text.append(TableText.plain(table)).append('\n'));
        return new Written(
                html,
                text.toString(),
                parts.stream().mapToLong(SuitePart::counting).sum(),
                page.nothingJudged());
    }

    private static String json(SuiteData data, List<SuitePart> parts) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("schema", 1).put("name", data.name()).put("title", data.title());
        json.put("source", data.source()).put("url", data.url());
        data.engine().ifPresent(engine -> json.put("engine", engine));
        json.put("scale", data.scale()).put("machine", data.machine());
        data.file().ifPresent(hash -> json.put("file", hash));
        json.put("tool", data.tool()).put("createdAt", data.createdAt());
        ArrayNode experiments = json.putArray("experiments");
        for (SuitePart part : parts) {
            ObjectNode one = experiments.addObject().put("id", part.id());
            one.putObject("cells")
                    .put("planned", part.cells())
                    .put("counting", part.counting())
                    .put("missing", part.missing());
            ExperimentJson.claims(part.claims(), one.putArray("claims"));
        }
        return json.toPrettyString() + "\n";
    }
}
