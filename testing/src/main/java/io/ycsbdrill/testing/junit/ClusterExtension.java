package io.ycsbdrill.testing.junit;

import io.ycsbdrill.testing.DrillCluster;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * A cluster with the lifetime of a test class, of a test, or of the whole test run.
 *
 * <pre>{@code
 * @RegisterExtension
 * static final ClusterExtension cluster = ClusterExtension.starting(() -> DrillCluster.embedded().dataNodes(2).start());
 * }</pre>
 *
 * <p>In a static field it lives as long as the class, in an instance field as long as one test. It is started when it is asked for
 * first, by {@link #cluster} or by a test's parameter of type {@link DrillCluster}, and closed afterwards whatever happened. When a
 * test fails, the run directories so far are kept and published as the report entry {@value #ENTRY}. Thread-safe: tests that
 * run in parallel take turns on one cluster, and do not wait for each other on several.
 */
public final class ClusterExtension
        implements BeforeAllCallback, BeforeEachCallback, AfterEachCallback, ParameterResolver {
    static final String ENTRY = "ycsb-drill";

    private final Optional<Supplier<DrillCluster>> start;
    private volatile Lease current;

    /** For {@link EmbeddedCluster}, which says what the cluster is like. */
    ClusterExtension() {
        this.start = Optional.empty();
    }

    private ClusterExtension(Supplier<DrillCluster> start) {
        this.start = Optional.of(start);
    }

    /** A cluster of any kind; closed by the extension. */
    public static ClusterExtension starting(Supplier<DrillCluster> start) {
        return new ClusterExtension(start);
    }

    /**
     * The cluster, started now if it has not been.
     *
     * @throws IllegalStateException before the class or test that it belongs to has begun
     */
    public DrillCluster cluster() {
        if (current == null) {
            throw new IllegalStateException(
                    "no test has begun; a cluster lives as long as the class or the test that registers it");
        }
        return current.cluster();
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        lease(context);
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        lease(context);
    }

    /** The one of this context or of those around it, such as the class around a nested one; else a new one for this context. */
    private Lease lease(ExtensionContext context) {
        if (start.isPresent()) {
            current = store(context, this).getOrComputeIfAbsent(this, key -> new Lease(start.get()), Lease.class);
            return current;
        }
        EmbeddedCluster wanted = AnnotationSupport.findAnnotation(context.getRequiredTestClass(), EmbeddedCluster.class)
                .or(() -> context.getParent().flatMap(ClusterExtension::annotation))
                .orElseThrow(() ->
                        new IllegalStateException(context.getRequiredTestClass().getName()
                                + " has no @EmbeddedCluster; use that, or register ClusterExtension.starting(...)"));
        return store(wanted.shared() ? context.getRoot() : context, EmbeddedCluster.class)
                .getOrComputeIfAbsent(wanted, key -> new Lease(() -> embedded(wanted)), Lease.class);
    }

    private static Optional<EmbeddedCluster> annotation(ExtensionContext context) {
        return AnnotationSupport.findAnnotation(context.getTestClass(), EmbeddedCluster.class)
                .or(() -> context.getParent().flatMap(ClusterExtension::annotation));
    }

    private static ExtensionContext.Store store(ExtensionContext context, Object owner) {
        return context.getStore(Namespace.create(ClusterExtension.class, owner));
    }

    private static DrillCluster embedded(EmbeddedCluster wanted) {
        var builder = DrillCluster.embedded()
                .dataNodes(wanted.dataNodes())
                .option("heap-mb", String.valueOf(wanted.heapMegabytes()));
        if (!wanted.directory().isEmpty()) {
            builder.directory(Path.of(wanted.directory()));
        }
        return builder.start();
    }

    @Override
    public void afterEach(ExtensionContext context) {
        if (context.getExecutionException().isPresent()) {
            lease(context).keepRuns().ifPresent(directory -> context.publishReportEntry(ENTRY, directory.toString()));
        }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == DrillCluster.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return lease(context).cluster();
    }
}
