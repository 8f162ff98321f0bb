package io.ycsbdrill.report.page;

import io.ycsbdrill.base.AtomicFile;
import io.ycsbdrill.base.PlainText;
import io.ycsbdrill.report.data.RunData;
import io.ycsbdrill.report.data.Slices;
import io.ycsbdrill.report.data.Stage;
import io.ycsbdrill.report.metric.KeyLines;
import io.ycsbdrill.report.metric.NumberText;
import io.ycsbdrill.rundir.Window;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Dimension;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Line2D;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Path;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.text.NumberFormat;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import javax.imageio.ImageIO;
import org.apache.batik.dom.GenericDOMImplementation;
import org.apache.batik.svggen.SVGGeneratorContext;
import org.apache.batik.svggen.SVGGraphics2D;
import org.jfree.chart.ChartRenderingInfo;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.block.BlockBorder;
import org.jfree.chart.plot.DatasetRenderingOrder;
import org.jfree.chart.plot.IntervalMarker;
import org.jfree.chart.plot.ValueMarker;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.chart.title.LegendTitle;
import org.jfree.chart.ui.Layer;
import org.jfree.chart.ui.RectangleEdge;
import org.jfree.chart.ui.RectangleInsets;
import org.jfree.data.xy.XYSeries;
import org.jfree.data.xy.XYSeriesCollection;
import org.w3c.dom.Document;

/** The charts of a run as SVG and PNG, sized for a column of text; the same run gives the same bytes. */
final class PaperCharts {
    private static final int WIDTH = 900;
    private static final int HEIGHT = 430;
    private static final int PNG_SCALE = 2;
    private static final int MOST_POINTS = 4000;

    private final RunData run;

    PaperCharts(RunData run) {
        this.run = run;
    }

    /**
     * Writes {@code throughput}, {@code keys} where owners are known, and {@code latency-<operation>} as svg and png.
     *
     * @return the files written
     */
    List<Path> write(Path directory) throws IOException {
        List<Path> files = new ArrayList<>();
        for (Map.Entry<String, JFreeChart> entry : charts().entrySet()) {
            Path svg = directory.resolve(entry.getKey() + ".svg");
            AtomicFile.write(svg, svg(entry.getValue()));
            files.add(svg);
            Path png = directory.resolve(entry.getKey() + ".png");
            AtomicFile.write(png, png(entry.getValue()));
            files.add(png);
        }
        return files;
    }

    private Map<String, JFreeChart> charts() {
        Map<String, JFreeChart> charts = new LinkedHashMap<>();
        charts.put("throughput", throughput());
        List<KeyLines.Line> keys = KeyLines.of(run);
        if (!keys.isEmpty()) {
            charts.put("keys", keys(keys));
        }
        for (String operation : run.operations()) {
            String name = operation.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
            charts.put("latency-" + name, latency(operation));
        }
        return charts;
    }

    private JFreeChart throughput() {
        Plot plot = new Plot("Throughput (ops/s)");
        if (run.slices().present()) {
            plot.add(sliceRates(), Color.decode("#B4C2D0"), 0.8f, false);
        }
        plot.add(
                series(NumberText.plain(run.windowSeconds()) + " s windows", Slices.TOTAL, Window::throughput, 1),
                Color.decode(Palette.BLUE),
                2f,
                true);
        return plot.chart();
    }

    private JFreeChart keys(List<KeyLines.Line> lines) {
        List<String> colours = List.of(Palette.VERMILLION, Palette.ORANGE, Palette.PURPLE);
        Plot plot = new Plot("Throughput (% of the baseline)");
        for (int i = 0; i < lines.size(); i++) {
            KeyLines.Line line = lines.get(i);
            XYSeries series = new XYSeries(line.name(), false, true);
            for (int k = 0; k < line.percent().length; k++) {
                series.add(line.atSeconds()[k], line.percent()[k]);
            }
            String colour = line.target() ? colours.get(i % colours.size()) : Palette.BLUE;
            plot.add(series, Color.decode(colour), 1.8f, false);
        }
        return plot.chart();
    }

    private JFreeChart latency(String operation) {
        Plot plot = new Plot(operation + " latency (ms)");
        plot.add(series("p99", operation, w -> w.service().p99(), 0.001), Color.decode(Palette.VERMILLION), 1.8f, true);
        plot.add(series("p95", operation, w -> w.service().p95(), 0.001), Color.decode(Palette.ORANGE), 1.8f, true);
        plot.add(series("average", operation, w -> w.service().mean(), 0.001), Color.decode(Palette.BLUE), 1.8f, true);
        if (run.windows(operation).stream().anyMatch(w -> w.response().present())) {
            XYSeries p99 = series("response p99", operation, w -> w.response().p99(), 0.001);
            plot.add(p99, Color.decode(Palette.PURPLE), 1.2f, false);
            XYSeries mean =
                    series("response average", operation, w -> w.response().mean(), 0.001);
            plot.add(mean, Color.decode(Palette.SKY), 1.2f, false);
        }
        return plot.chart();
    }

    /** NaN makes a gap in the line. */
    private XYSeries series(String name, String operation, ToDoubleFunction<Window> value, double factor) {
        XYSeries series = new XYSeries(name, false, true);
        double from = ChartData.calibratedSeconds(run);
        for (Window window : ChartData.drawn(run, operation)) {
            if (window.middleSeconds() < from) {
                continue;
            }
            series.add(window.middleSeconds(), factor * value.applyAsDouble(window));
        }
        return series;
    }

    /** Lowest and highest of each group of slices when there are more than a picture can show. */
    private XYSeries sliceRates() {
        Slices slices = run.slices();
        double[] ok = slices.total().ok();
        int group = Math.max(1, (int) Math.ceil(2.0 * slices.whole() / MOST_POINTS));
        XYSeries series = new XYSeries(NumberText.plain(1000 * slices.seconds()) + " ms slices", false, true);
        double from = ChartData.calibratedSeconds(run);
        for (int slice : slices.extremes(ok, group)) {
            if (slice * slices.seconds() < from) {
                continue;
            }
            series.add((slice + 0.5) * slices.seconds(), ok[slice] / slices.seconds());
        }
        return series;
    }

    /** One chart in the making. */
    private final class Plot {
        private static final String FAMILY = "SansSerif";
        private final Font label = new Font(FAMILY, Font.PLAIN, 13);
        private final Font small = new Font(FAMILY, Font.PLAIN, 12);
        private final XYPlot plot = new XYPlot();
        private int count;

        private Plot(String valueTitle) {
            NumberAxis time = new NumberAxis("Time since run start (s)");
            double from = ChartData.calibratedSeconds(run);
            time.setRange(from, Math.max(run.durationSeconds(), from + 0.1));
            time.setNumberFormatOverride(format());
            NumberAxis value = new NumberAxis(valueTitle);
            value.setAutoRangeIncludesZero(true);
            value.setNumberFormatOverride(format());
            for (NumberAxis axis : List.of(time, value)) {
                axis.setLabelFont(label);
                axis.setTickLabelFont(small);
                axis.setAxisLinePaint(Color.DARK_GRAY);
                axis.setTickMarkPaint(Color.DARK_GRAY);
            }
            value.setUpperMargin(0.14);
            plot.setDomainAxis(time);
            plot.setRangeAxis(value);
            plot.setBackgroundPaint(Color.WHITE);
            plot.setOutlineVisible(false);
            plot.setDomainGridlinesVisible(false);
            plot.setRangeGridlinePaint(new Color(0xDDDDDD));
            plot.setRangeGridlineStroke(new BasicStroke(0.7f));
            plot.setDatasetRenderingOrder(DatasetRenderingOrder.FORWARD);
            plot.setAxisOffset(RectangleInsets.ZERO_INSETS);
        }

        private NumberFormat format() {
            return new DecimalFormat("#,##0.###", DecimalFormatSymbols.getInstance(Locale.ROOT));
        }

        private void add(XYSeries series, Color colour, float width, boolean shapes) {
            XYLineAndShapeRenderer renderer = new XYLineAndShapeRenderer(true, shapes && series.getItemCount() <= 120);
            renderer.setSeriesPaint(0, colour);
            renderer.setSeriesStroke(0, new BasicStroke(width, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND));
            renderer.setSeriesShape(0, new Ellipse2D.Double(-2.6, -2.6, 5.2, 5.2));
            renderer.setDrawSeriesLineAsPath(true);
            renderer.setLegendLine(new Line2D.Double(-10, 0, 10, 0));
            plot.setDataset(count, new XYSeriesCollection(series));
            plot.setRenderer(count, renderer);
            count++;
        }

        private JFreeChart chart() {
            phases();
            lines();
            JFreeChart chart = new JFreeChart(null, null, plot, false);
            chart.setBackgroundPaint(Color.WHITE);
            chart.setPadding(new RectangleInsets(40, 8, 6, 18));
            LegendTitle legend = new LegendTitle(plot);
            legend.setPosition(RectangleEdge.BOTTOM);
            legend.setItemFont(small);
            legend.setFrame(BlockBorder.NONE);
            chart.addSubtitle(legend);
            return chart;
        }

        private void phases() {
            for (Stage stage : run.stages()) {
                double end = stage.endSeconds().orElse(run.durationSeconds());
                IntervalMarker marker = new IntervalMarker(stage.startSeconds(), end);
                marker.setPaint(Color.decode(Palette.phase(stage.phase())));
                marker.setAlpha((float) Palette.SHADE);
                plot.addDomainMarker(marker, Layer.BACKGROUND);
            }
        }

        private void lines() {
            for (ChartLine line : ChartLine.of(run)) {
                ValueMarker marker = new ValueMarker(line.atSeconds());
                marker.setPaint(line.fault() ? Color.decode(Palette.VERMILLION) : Color.DARK_GRAY);
                marker.setStroke(
                        line.fault()
                                ? new BasicStroke(1.4f)
                                : new BasicStroke(
                                        1f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_MITER, 10, new float[] {4, 3}, 0));
                plot.addDomainMarker(marker, Layer.FOREGROUND);
            }
        }
    }

    private void draw(JFreeChart chart, Graphics2D graphics) {
        ChartRenderingInfo info = new ChartRenderingInfo();
        chart.draw(graphics, new Rectangle2D.Double(0, 0, WIDTH, HEIGHT), info);
        new PaperLabels(
                        run,
                        chart.getXYPlot().getDomainAxis(),
                        info.getPlotInfo().getDataArea())
                .draw(graphics);
    }

    private byte[] png(JFreeChart chart) throws IOException {
        BufferedImage image = new BufferedImage(WIDTH * PNG_SCALE, HEIGHT * PNG_SCALE, BufferedImage.TYPE_INT_RGB);
        Graphics2D graphics = image.createGraphics();
        graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
        graphics.setRenderingHint(RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
        graphics.setRenderingHint(RenderingHints.KEY_STROKE_CONTROL, RenderingHints.VALUE_STROKE_PURE);
        graphics.scale(PNG_SCALE, PNG_SCALE);
        draw(chart, graphics);
        graphics.dispose();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ImageIO.write(image, "png", out);
        return out.toByteArray();
    }

    private String svg(JFreeChart chart) throws IOException {
        Document document = GenericDOMImplementation.getDOMImplementation()
                .createDocument("http://www.w3.org/2000/svg", "svg", null);
        SVGGeneratorContext context = SVGGeneratorContext.createDefault(document);
        context.setComment("ycsb-drill");
        SVGGraphics2D graphics = new SVGGraphics2D(context, false);
        graphics.setSVGCanvasSize(new Dimension(WIDTH, HEIGHT));
        draw(chart, graphics);
        StringWriter out = new StringWriter();
        graphics.stream(out, true);
        return PlainText.of(out.toString());
    }
}
