package io.ycsbdrill.experiment.spec;

import java.util.Optional;

/**
 * A chart of the page.
 *
 * @param x the axis along which it is drawn
 * @param y the figure, by its column in cells.csv
 * @param by the axis whose levels are its lines; empty when all other axes together are
 */
public record Chart(String x, String y, Optional<String> by) {}
