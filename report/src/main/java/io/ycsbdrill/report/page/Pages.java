package io.ycsbdrill.report.page;

import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import gg.jte.html.OwaspHtmlTemplateOutput;
import gg.jte.output.StringOutput;
import io.ycsbdrill.base.Io;
import io.ycsbdrill.base.PlainText;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Properties;
import java.util.stream.Collectors;

/** Renders the templates, which are classes in this jar; each page has its style, scripts and chart library in it. Thread-safe. */
public final class Pages {
    private static final TemplateEngine ENGINE = TemplateEngine.createPrecompiled(
            null, ContentType.Html, Pages.class.getClassLoader(), "io.ycsbdrill.report");

    private Pages() {}

    /**
     * Makes a whole page.
     *
     * @param template its path, {@code page/report.jte} for example
     * @param model the template's one parameter
     */
    public static String render(String template, Object model) {
        StringOutput html = new StringOutput(1 << 20);
        ENGINE.render(template, model, new OwaspHtmlTemplateOutput(html) {
            @Override
            public void writeUserContent(String value) {
                super.writeUserContent(value == null ? null : PlainText.of(value));
            }
        });
        return html.toString();
    }

    /** JSON for a script element: no value can end the element or open a comment, nor hide or turn text where it is shown. */
    static String script(String json) {
        return PlainText.inJson(json).replace("<", "\\u003c");
    }

    static String style() {
        return resource("page.css");
    }

    static String scripts(List<String> names) {
        return resource("charts.js") + names.stream().map(Pages::resource).collect(Collectors.joining());
    }

    /** The chart library from its webjar: the build with line charts, marks and zoom. */
    static String charts() {
        Properties pom = new Properties();
        Io.run(() -> pom.load(new StringReader(resource("/META-INF/maven/org.webjars/echarts/pom.properties"))));
        return resource("/META-INF/resources/webjars/echarts/" + pom.getProperty("version") + "/echarts.common.min.js")
                .replace("</script", "<\\/script");
    }

    static String resource(String name) {
        try (InputStream in = Pages.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("the report's jar or the echarts webjar lacks " + name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
