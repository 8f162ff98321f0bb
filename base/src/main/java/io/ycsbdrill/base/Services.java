package io.ycsbdrill.base;

import java.util.List;
import java.util.ServiceLoader;

/** Finds the installed implementations of an interface. Stateless. */
public final class Services {
    private Services() {}

    /**
     * One of each implementation that the thread's context class loader sees; of those that the interface's own loader sees when that
     * one sees none.
     */
    public static <S> List<S> installed(Class<S> type) {
        List<S> found = all(ServiceLoader.load(type));
        return found.isEmpty() ? all(ServiceLoader.load(type, type.getClassLoader())) : found;
    }

    private static <S> List<S> all(ServiceLoader<S> loader) {
        return loader.stream().map(ServiceLoader.Provider::get).toList();
    }
}
