package io.ycsbdrill.report.page;

import io.ycsbdrill.report.data.RunData;
import io.ycsbdrill.report.data.Stage;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.geom.Rectangle2D;
import java.util.List;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.ui.RectangleEdge;

/**
 * Writes the names of lines above a chart and those of phases into it. JFreeChart's own marker labels are as transparent as
 * their marker, are cut at the plot's edge and do not know of each other.
 */
final class PaperLabels {
    private static final Font BOLD = new Font("SansSerif", Font.BOLD, 13);
    private static final Font PLAIN = new Font("SansSerif", Font.PLAIN, 12);
    private static final int GAP = 4;

    private final RunData run;
    private final ValueAxis time;
    private final Rectangle2D area;

    PaperLabels(RunData run, ValueAxis time, Rectangle2D area) {
        this.run = run;
        this.time = time;
        this.area = area;
    }

    void draw(Graphics2D graphics) {
        lines(graphics);
        phases(graphics);
    }

    private double x(double seconds) {
        return time.valueToJava2D(seconds, area, RectangleEdge.BOTTOM);
    }

    /** Neighbours that would touch go one level up; beyond the third level a label is left out, its line stays. */
    private void lines(Graphics2D graphics) {
        graphics.setFont(BOLD);
        double[] usedUntil = new double[3];
        for (ChartLine line : ChartLine.of(run)) {
            double width = graphics.getFontMetrics().stringWidth(line.label());
            double left = Math.min(x(line.atSeconds()) - width / 2, area.getMaxX() + 14 - width);
            int level = 0;
            while (level < 3 && left <= usedUntil[level]) {
                level++;
            }
            if (level == 3 || line.atSeconds() < time.getLowerBound() + 0.5) {
                continue;
            }
            usedUntil[level] = left + width + GAP;
            graphics.setPaint(line.fault() ? new Color(0xA33F00) : Color.BLACK);
            graphics.drawString(line.label(), (float) left, (float) (area.getMinY() - 5 - 14 * level));
        }
    }

    private void phases(Graphics2D graphics) {
        graphics.setFont(PLAIN);
        graphics.setPaint(Color.DARK_GRAY);
        List<String> nodes = run.stages().stream().map(Stage::node).distinct().toList();
        for (Stage stage : run.stages()) {
            String text = stage.brief() + (nodes.size() > 1 ? " " + stage.node() : "");
            double left = x(stage.startSeconds());
            double right = x(stage.endSeconds().orElse(run.durationSeconds()));
            double width = graphics.getFontMetrics().stringWidth(text);
            if (right - left > width + 2 * GAP) {
                double level = nodes.indexOf(stage.node());
                graphics.drawString(
                        text, (float) ((left + right - width) / 2), (float) (area.getMinY() + 16 + 14 * level));
            }
        }
    }
}
