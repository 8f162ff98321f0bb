package io.ycsbdrill.report.page;

import java.util.List;

/** Builds HTML; every text that comes from outside goes through {@link #text}. */
public final class Html {
    private Html() {}

    /** Text for element content and quoted attributes. */
    public static String text(String raw) {
        StringBuilder out = new StringBuilder(raw.length() + 16);
        for (int i = 0; i < raw.length(); i++) {
            char c = raw.charAt(i);
            switch (c) {
                case '&' -> out.append("&amp;");
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '"' -> out.append("&quot;");
                case '\'' -> out.append("&#39;");
                default -> out.append(c < 0x20 && c != '\n' && c != '\t' ? '\uFFFD' : c);
            }
        }
        return out.toString();
    }

    /** JSON for a script element: no value can end the element or open a comment. */
    public static String script(String json) {
        return json.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029");
    }

    /**
     * A table that scrolls by itself when it is too wide. The first column holds row headers; cells that begin with a digit,
     * a minus or {@code n/a} are numbers and aligned to the right.
     */
    public static String table(String caption, List<String> headers, List<List<String>> rows) {
        StringBuilder html = new StringBuilder("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"")
                .append(text(caption))
                .append("\"><table><caption>")
                .append(text(caption))
                .append("</caption><thead><tr>");
        headers.forEach(
                header -> html.append("<th scope=\"col\">").append(text(header)).append("</th>"));
        html.append("</tr></thead><tbody>\n");
        for (List<String> row : rows) {
            html.append("<tr><th scope=\"row\">").append(text(row.get(0))).append("</th>");
            for (String cell : row.subList(1, row.size())) {
                html.append(numeric(cell) ? "<td class=\"n\">" : "<td>")
                        .append(text(cell))
                        .append("</td>");
            }
            html.append("</tr>\n");
        }
        return html.append("</tbody></table></div>\n").toString();
    }

    private static boolean numeric(String cell) {
        return cell.equals(NumberText.ABSENT) || cell.matches("-?[0-9][0-9,.e+-]*( (s|%|ops|ops/s|ms|\u00d7))?");
    }
}
