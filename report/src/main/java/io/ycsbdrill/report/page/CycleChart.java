package io.ycsbdrill.report.page;

import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.report.metric.NumberText;
import io.ycsbdrill.report.summary.CycleFigure;
import io.ycsbdrill.report.summary.CycleFigure.Value;
import java.util.List;
import java.util.stream.DoubleStream;

/** The values of one figure by cycle, with their median and its interval, as a small drawing. */
record CycleChart(CycleFigure figure) {
    static final int WIDTH = 320;
    static final int HEIGHT = 110;
    private static final int LEFT = 44;
    private static final int RIGHT = 8;
    private static final int TOP = 10;
    private static final int BOTTOM = 18;

    /** One value, in units of the drawing. */
    record Mark(String x, String y, boolean isNull, boolean open, String words) {}

    String title() {
        return figure.title()
                + (figure.unit().symbol().isEmpty() ? "" : ", " + figure.unit().symbol());
    }

    String words() {
        return figure.title() + " by cycle: " + figure.summary()
                + (figure.effect().label().isEmpty()
                        ? ""
                        : ", " + figure.effect().label());
    }

    /** What the note below says: nothing when the effect is seen. */
    String note() {
        return figure.effect().label();
    }

    private DoubleStream known() {
        return figure.byCycle().stream()
                .filter(value -> value.measure().value().isPresent() && !figure.boundless(value))
                .mapToDouble(value -> value.measure().value().getAsDouble());
    }

    /** The axis ends at the largest value, and at 1 when all are smaller than that and none is above 0. */
    private double top() {
        double most = known().max().orElse(0);
        return most > 0 ? most : 1;
    }

    String topText() {
        return NumberText.plain(top());
    }

    private double y(double value) {
        double share = Math.max(0, Math.min(1, value / top()));
        return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM);
    }

    private double x(int cycle) {
        int all = figure.byCycle().size();
        return LEFT + (cycle - 0.5) * (WIDTH - LEFT - RIGHT) / all;
    }

    private static String text(double value) {
        return Formatted.of("%.1f", value);
    }

    /** Values that a cycle has; those that its end cut short are open upwards. */
    List<Mark> marks() {
        return figure.byCycle().stream()
                .filter(value -> value.measure().value().isPresent() && !figure.boundless(value))
                .map(value -> new Mark(
                        text(x(value.cycle())),
                        text(y(value.measure().value().getAsDouble())),
                        value.isNull(),
                        value.measure().censored(),
                        (value.isNull() ? "null cycle " : "cycle ") + value.cycle() + ": " + figure.text(value) + " "
                                + figure.unit().symbol()))
                .toList();
    }

    String left() {
        return text(LEFT);
    }

    String right() {
        return text(WIDTH - RIGHT);
    }

    String base() {
        return text(HEIGHT - BOTTOM);
    }

    String roof() {
        return text(TOP);
    }

    String median() {
        return text(y(figure.median().from()));
    }

    boolean hasInterval() {
        return figure.interval().isPresent();
    }

    /** The upper edge of the band of the interval. */
    String bandTop() {
        return text(y(figure.interval().orElseThrow().to()));
    }

    String bandHeight() {
        return text(y(figure.interval().orElseThrow().from())
                - y(figure.interval().orElseThrow().to()));
    }

    /** Numbers of cycles below the axis: all while there is room, else the first and the last. */
    List<Integer> ticks() {
        int all = figure.byCycle().size();
        return figure.byCycle().stream()
                .map(Value::cycle)
                .filter(cycle -> all <= 15 || cycle == 1 || cycle == all)
                .toList();
    }

    String tickAt(int cycle) {
        return text(x(cycle));
    }
}
