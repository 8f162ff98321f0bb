package io.ycsbdrill.testing.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Gives the tests of a class an embedded cluster, as a parameter of type {@link io.ycsbdrill.testing.DrillCluster}. It is started
 * when a test asks for it first and stopped after the last test, failed or not. For any other cluster register a {@link
 * ClusterExtension}.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ExtendWith(ClusterExtension.class)
public @interface EmbeddedCluster {
    /** Data nodes, 1 to 9; each is a JVM of its own. */
    int dataNodes() default 3;

    /** Heap of each data node in MB, 128 to 65536; as much again is page memory outside of it. */
    int heapMegabytes() default 256;

    /** Whether all classes with the same settings share one cluster, which is stopped at the end of the whole test run. */
    boolean shared() default false;

    /** Where its files and the run directories are written, relative to the working directory; empty: a temporary directory. */
    String directory() default "";
}
