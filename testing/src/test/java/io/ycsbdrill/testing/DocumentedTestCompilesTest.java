package io.ycsbdrill.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whole classes of the pages can be copied as they are: their names are imported. */
class DocumentedTestCompilesTest {
    private static final Pattern JAVA = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
    private static final Pattern CLASS = Pattern.compile("^(?:public )?class (\\w+)", Pattern.MULTILINE);

    @TempDir
    private Path classes;

    @Test
    void classesOfThePageOnTestsCompile() throws Exception {
        List<JavaFileObject> sources = new ArrayList<>();
        Matcher block = JAVA.matcher(Files.readString(Path.of("../docs/testing.md")));
        while (block.find()) {
            String source = block.group(1);
            Matcher name = CLASS.matcher(source);
            if (name.find()) {
                sources.add(source(name.group(1), source));
            }
        }
        assertThat(sources).isNotEmpty();
        StringWriter said = new StringWriter();

        Boolean compiled = ToolProvider.getSystemJavaCompiler()
                .getTask(
                        said,
                        null,
                        null,
                        List.of("-d", classes.toString(), "-classpath", System.getProperty("java.class.path")),
                        null,
                        sources)
                .call();

        assertThat(compiled).as(said.toString()).isTrue();
    }

    private static JavaFileObject source(String name, String text) {
        return new SimpleJavaFileObject(URI.create("string:///" + name + ".java"), JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                return text;
            }
        };
    }
}
