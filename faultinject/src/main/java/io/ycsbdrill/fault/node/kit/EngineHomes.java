package io.ycsbdrill.fault.node.kit;

import io.ycsbdrill.base.Finding;
import io.ycsbdrill.base.ProgramTree;
import io.ycsbdrill.fault.node.EngineContext;
import io.ycsbdrill.fault.node.LocalEngine.Option;
import io.ycsbdrill.fault.node.NodeControlException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Where an engine's installation is looked for, and what is said of it: the option {@code ENGINE-home}, then the variable {@code
 * ENGINE_HOME}, then the newest one that {@code bin/install-ENGINE} put into {@code ${XDG_CACHE_HOME:-~/.cache}/ycsb-drill/ENGINE},
 * then installed packages. A place that was named is taken even when it is no installation, so that the mistake is reported, not
 * passed over. Immutable and thread-safe.
 *
 * @param engine its name as typed
 * @param title its name for people
 * @param top what the folder of an installation has, as one knows it by
 * @param packages where a distribution installs it; empty for an engine that comes as an archive
 * @param at the installation in a folder, whatever is there
 */
public record EngineHomes<H extends EngineHomes.Home>(
        String engine, String title, String top, Optional<Path> packages, Function<Path, H> at) {

    /** An installation, complete or not. */
    public interface Home {

        /** Its folder. */
        Path root();

        /** What a cluster lacks here, as readable names; empty when everything is there. */
        List<String> missing();

        /**
         * Lines for the doctor about a complete one.
         *
         * @param environment as of {@link System#getenv()}
         * @throws NodeControlException saying what to do when something beside the installation is missing that its servers need
         */
        List<String> about(Map<String, String> environment);
    }

    /** The option that names an installation. */
    public Option option() {
        return new Option(
                engine + "-home",
                "",
                "installation to use; default: " + variable() + ", then what bin/install-" + engine
                        + " put into the cache" + (packages.isPresent() ? ", then installed packages" : ""));
    }

    private String variable() {
        return engine.toUpperCase(Locale.ROOT) + "_HOME";
    }

    /**
     * Looks for an installation.
     *
     * @param option the option's value, null or blank when it is not given
     * @param environment as of {@link System#getenv()}
     */
    public Optional<H> find(String option, Map<String, String> environment) {
        return named(option, environment)
                .or(() -> Stream.concat(ProgramTree.newestFirst(cache(environment)).stream(), packages.stream())
                        .map(at)
                        .filter(home -> home.missing().isEmpty())
                        .findFirst());
    }

    /** The place named by option or environment, whatever is there; {@code /usr} means the installed packages. */
    public Optional<H> named(String option, Map<String, String> environment) {
        return ProgramTree.named(option, environment, variable())
                .map(place -> packages.isPresent() && place.equals(Path.of("/usr")) ? place.getParent() : place)
                .map(at);
    }

    /** Where {@code bin/install-ENGINE} puts installations, one folder per version. */
    public Path cache(Map<String, String> environment) {
        return ProgramTree.cache(engine, environment);
    }

    /**
     * A complete installation.
     *
     * @param option the option's value, null or blank when it is not given
     * @throws NodeControlException saying where it was looked for, or what it lacks, and what to do
     */
    public H require(String option) {
        H home = find(option, System.getenv())
                .orElseThrow(
                        () -> new NodeControlException("no " + title + " found; let bin/install-" + engine + " unpack "
                                + (packages.isPresent() ? "the distribution's packages" : "an archive") + " into "
                                + cache(System.getenv()) + " (no root needed), or set " + variable()));
        if (!home.missing().isEmpty()) {
            throw new NodeControlException(title + " installation " + home.root() + " lacks "
                    + String.join(", ", home.missing()) + "; expected is a folder that has " + top);
        }
        return home;
    }

    /**
     * What the doctor says; never {@code bad}, as other engines work without it.
     *
     * @param next the last line when nothing is missing
     */
    List<Finding> diagnose(EngineContext context, Finding next) {
        Optional<H> found = find(null, context.environment());
        if (found.isEmpty()) {
            return List.of(Finding.note("no " + title + " found (" + variable() + " is not set). Next: bin/install-"
                    + engine + (packages.isPresent() ? "" : " --archive FILE") + ", no root needed"));
        }
        H home = found.get();
        boolean named = named(null, context.environment()).isPresent();
        String place = title + " installation: " + home.root() + (named ? " (" + variable() + ")" : " (found)");
        try {
            if (!home.missing().isEmpty()) {
                throw new NodeControlException("it lacks " + String.join(", ", home.missing()) + "; set " + variable()
                        + " to the folder that has " + top + ", or unset it and let bin/install-" + engine
                        + " make a complete one");
            }
            List<Finding> findings = new ArrayList<>(List.of(Finding.ok(place)));
            home.about(context.environment()).forEach(line -> findings.add(Finding.detail(line)));
            findings.add(next);
            return findings;
        } catch (NodeControlException e) {
            return List.of(Finding.note(place), Finding.detail("next: " + e.getMessage()));
        }
    }
}
