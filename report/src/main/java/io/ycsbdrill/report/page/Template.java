package io.ycsbdrill.report.page;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;

/** The parts of a page that are files of their own: markup, style, script, and the chart library from its webjar. */
public final class Template {
    private Template() {}

    /** Puts values into {@code page.html}; the style and the scripts are inlined, so the page needs nothing else. */
    public static String page(List<String> scripts, Map<String, String> values) {
        String page = resource("page.html");
        StringBuilder html = new StringBuilder();
        int at = 0;
        for (int open = page.indexOf("${"); open >= 0; open = page.indexOf("${", at)) {
            int close = page.indexOf('}', open);
            String name = page.substring(open + 2, close);
            html.append(page, at, open)
                    .append(
                            switch (name) {
                                case "style" -> resource("page.css");
                                case "echarts" -> library();
                                case "script" ->
                                    resource("charts.js")
                                            + scripts.stream()
                                                    .map(Template::resource)
                                                    .collect(Collectors.joining());
                                default -> values.get(name);
                            });
            at = close + 1;
        }
        return html.append(page.substring(at)).toString();
    }

    /** The build with line charts, marks and zoom. */
    private static String library() {
        Properties pom = new Properties();
        try (InputStream in =
                Template.class.getResourceAsStream("/META-INF/maven/org.webjars/echarts/pom.properties")) {
            pom.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return resource("/META-INF/resources/webjars/echarts/" + pom.getProperty("version") + "/echarts.common.min.js")
                .replace("</script", "<\\/script");
    }

    private static String resource(String name) {
        try (InputStream in = Template.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("the report's jar or the echarts webjar lacks " + name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
