package io.ycsbdrill.experiment.suite;

import io.ycsbdrill.experiment.spec.ExperimentFile;
import io.ycsbdrill.report.claim.Claim;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The experiments of a published benchmark, for one engine and at one scale; docs/suites.md has the format of its file. Immutable.
 *
 * @param name the file's name without ending
 * @param title of the source
 * @param source what it is, for readers
 * @param url where it is
 * @param notes what the source leaves open and what was chosen, and what differs from it
 * @param engine whose cluster is started; empty when properties say where the database is
 * @param experiments by their names, in the order of the file
 */
public record Suite(
        String name,
        String title,
        String source,
        String url,
        List<String> notes,
        Optional<String> engine,
        String scale,
        Map<String, ExperimentFile> experiments) {
    public Suite {
        notes = List.copyOf(notes);
        experiments = Collections.unmodifiableMap(new LinkedHashMap<>(experiments));
    }

    /** Why nothing that an experiment claims can be measured with this engine and scale; empty when something can, or nothing is claimed. */
    public Optional<String> unmeasured(String experiment) {
        List<Claim> claims = experiments.get(experiment).experiment().claims();
        return claims.stream().allMatch(claim -> claim.notMeasured().isPresent())
                ? claims.stream().findFirst().flatMap(Claim::notMeasured)
                : Optional.empty();
    }
}
