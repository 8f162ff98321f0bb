package io.ycsbdrill.base;

import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestExecutionResult.Status;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/**
 * Prints why tests are skipped, as the build shows that they are, but not why. It listens wherever the tests of this module are on the
 * class path.
 */
public final class SkippedTests implements TestExecutionListener {
    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        if (result.getStatus() == Status.ABORTED) {
            print(test, result.getThrowable().map(Throwable::getMessage).orElse("no reason is given"));
        }
    }

    @Override
    public void executionSkipped(TestIdentifier test, String reason) {
        print(test, reason);
    }

    private static void print(TestIdentifier test, String reason) {
        String name = test.getSource().map(SkippedTests::name).orElse(test.getDisplayName());
        System.out.println("skipped: " + name + ": " + reason.replaceFirst("^Assumption failed: ", ""));
    }

    private static String name(TestSource source) {
        if (source instanceof MethodSource method) {
            return method.getJavaClass().getSimpleName() + "." + method.getMethodName();
        }
        return source instanceof ClassSource type ? type.getJavaClass().getSimpleName() : source.toString();
    }
}
