package io.ycsbdrill.fault;

import io.ycsbdrill.fault.node.NodeStatus;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * What holds for every fault of a type, whatever its values: the answers of its methods of the same names. A fault of which an answer
 * depends on its values, or on the cluster, overrides the method.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Traits {

    /** {@link Fault#name}. */
    String name() default "";

    /** {@link Fault#label}; empty for the name. */
    String label() default "";

    /** {@link Demands#needs}. */
    Class<?>[] needs() default {};

    /** {@link Demands#subject}. */
    Demands.Subject subject() default Demands.Subject.NODE;

    /** Whether it is for data nodes only: a step can name no other, so that {@link Demands#namedTargets} is empty. */
    boolean dataNodesOnly() default false;

    /** {@link Course#expects}. */
    NodeStatus.State expects() default NodeStatus.State.STARTED;

    /** {@link Course#injected}. */
    Effect injected() default Effect.NONE;

    /** {@link Course#ended}. */
    Effect ended() default Effect.NONE;

    /** {@link Course#reaches}. */
    Course.Reach reaches() default Course.Reach.RECOVERED;

    /** {@link Proof#showsWhenInjected}. */
    boolean showsWhenInjected() default false;

    /** {@link Proof#effectBound}, in seconds. */
    int effectBound() default 10;

    /** {@link Interplay#claims}: one, or none. */
    Interplay.Part[] claims() default {};

    /** {@link Interplay#changes}; empty for what {@link #injected} says. */
    NodeChange[] changes() default {};

    /** {@link Interplay#lasts}. */
    Lasts lasts() default Lasts.ITS_TIME;

    /** {@link Interplay#looksPaused}. */
    boolean looksPaused() default false;

    /** Finds those of a fault. */
    final class Of {
        private Of() {}

        static Traits fault(Object fault) {
            return fault.getClass().getAnnotation(Traits.class);
        }
    }
}
