package io.ycsbdrill.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.logging.Level;
import org.junit.jupiter.api.Assumptions;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/** A headless Chromium for tests of pages. */
public final class Browser implements AutoCloseable {
    private static final List<Path> PROGRAMS = List.of(
            Path.of("/usr/bin/chromium"), Path.of("/usr/bin/chromium-browser"), Path.of("/usr/bin/google-chrome"));
    private static final List<Path> DRIVERS = List.of(
            Path.of("/usr/bin/chromedriver"),
            Path.of("/usr/lib/chromium/chromedriver"),
            Path.of("/usr/local/bin/chromedriver"));

    private final ChromeDriver driver;

    private Browser(ChromeDriver driver) {
        this.driver = driver;
    }

    /**
     * Starts it; where there is none the test is skipped.
     *
     * @param profile a directory of its own
     */
    public static Browser start(Path profile) {
        Path program = first(PROGRAMS);
        Path service = first(DRIVERS);
        if (program == null || service == null) {
            Assumptions.abort("no Chromium with chromedriver in " + PROGRAMS + " and " + DRIVERS);
        }
        LoggingPreferences logs = new LoggingPreferences();
        logs.enable(LogType.BROWSER, Level.ALL);
        ChromeOptions options = new ChromeOptions();
        options.setBinary(program.toString());
        options.setCapability("goog:loggingPrefs", logs);
        options.addArguments(
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--user-data-dir=" + profile);
        ChromeDriver driver = new ChromeDriver(
                new ChromeDriverService.Builder()
                        .usingDriverExecutable(service.toFile())
                        .usingAnyFreePort()
                        .build(),
                options);
        driver.manage().timeouts().scriptTimeout(Duration.ofSeconds(90));
        return new Browser(driver);
    }

    private static Path first(List<Path> candidates) {
        return candidates.stream().filter(Files::isExecutable).findFirst().orElse(null);
    }

    /** For what is not here. */
    public ChromeDriver driver() {
        return driver;
    }

    /** @param width of the window, in pixels */
    public void open(URI page, int width) {
        driver.manage().window().setSize(new Dimension(width, 900));
        driver.get(page.toString());
    }

    /** The value of an expression in the page. */
    public Object value(String expression) {
        return driver.executeScript("return " + expression);
    }

    /** The value of an expression that is a number. */
    public long number(String expression) {
        return ((Number) value(expression)).longValue();
    }

    /** Waits until it holds in the page, at most a minute, and then asserts it. */
    public void waitFor(String condition) {
        driver.executeAsyncScript("const done = arguments[arguments.length - 1]; const until = Date.now() + 60000;"
                + "(function poll() { if (" + condition
                + " || Date.now() > until) done(); else setTimeout(poll, 20); })();");
        assertThat(value(condition)).as(condition).isEqualTo(true);
    }

    /** Nothing was written to the page's console. */
    public void assertNoErrors() {
        assertThat(driver.manage().logs().get(LogType.BROWSER).getAll())
                .extracting(LogEntry::getMessage)
                .isEmpty();
    }

    @Override
    public void close() {
        driver.quit();
    }
}
