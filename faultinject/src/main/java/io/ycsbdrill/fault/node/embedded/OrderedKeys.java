package io.ycsbdrill.fault.node.embedded;

import io.ycsbdrill.base.Daemon;
import java.io.Serializable;
import java.lang.reflect.Field;
import java.util.UUID;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.ignite.cluster.ClusterNode;
import org.apache.ignite.configuration.QueryEngineConfiguration;
import org.apache.ignite.internal.GridKernalContext;
import org.apache.ignite.internal.GridKernalContextImpl;
import org.apache.ignite.internal.IgniteEx;
import org.apache.ignite.internal.processors.pool.PoolProcessor;
import org.apache.ignite.internal.processors.query.NoOpQueryEngine;
import org.apache.ignite.internal.processors.query.QueryEngine;
import org.apache.ignite.internal.processors.query.QueryEngineConfigurationEx;
import org.apache.ignite.plugin.CachePluginContext;
import org.apache.ignite.plugin.CachePluginProvider;
import org.apache.ignite.plugin.ExtensionRegistry;
import org.apache.ignite.plugin.IgnitePlugin;
import org.apache.ignite.plugin.PluginConfiguration;
import org.apache.ignite.plugin.PluginContext;
import org.apache.ignite.plugin.PluginProvider;

/**
 * Switches on Ignite's sorted key index, which the core contains but keeps only where a query engine is present: an engine
 * that refuses all SQL stands in, so that no SQL module is needed. The index is what gives scans their order; a node that was
 * killed before its first checkpoint rebuilds it when it comes back, for which the core has no threads of its own.
 */
final class OrderedKeys implements PluginProvider<PluginConfiguration> {

    /** Names the stand-in as the node's engine. */
    static final class NoSql implements QueryEngineConfigurationEx {
        @Override
        public String engineName() {
            return "none";
        }

        @Override
        public Class<? extends QueryEngine> engineClass() {
            return NoOpQueryEngine.class;
        }

        @Override
        public QueryEngineConfiguration setDefault(boolean isDefault) {
            return this;
        }

        @Override
        public boolean isDefault() {
            return true;
        }
    }

    private static final class Plugin implements IgnitePlugin {}

    @Override
    public void initExtensions(PluginContext context, ExtensionRegistry registry) {
        GridKernalContext kernal = ((IgniteEx) context.grid()).context();
        ((GridKernalContextImpl) kernal).add(new NoOpQueryEngine(kernal));
    }

    @Override
    public String name() {
        return "ycsb-drill ordered keys";
    }

    @Override
    public String version() {
        return "1";
    }

    @Override
    public String copyright() {
        return "";
    }

    @Override
    @SuppressWarnings("unchecked")
    public <T extends IgnitePlugin> T plugin() {
        return (T) new Plugin();
    }

    @Override
    public <T> T createComponent(PluginContext context, Class<T> type) {
        return null;
    }

    @Override
    @SuppressWarnings("rawtypes")
    public CachePluginProvider createCacheProvider(CachePluginContext context) {
        return null;
    }

    @Override
    public void start(PluginContext context) {
        PoolProcessor pools = ((IgniteEx) context.grid()).context().pools();
        if (pools.buildIndexExecutorService() != null) {
            return;
        }
        try {
            Field builders = PoolProcessor.class.getDeclaredField("buildIdxExecSvc");
            builders.setAccessible(true);
            builders.set(pools, indexBuilders());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(
                    "this version of Ignite has no place for index builders; ycsb-drill is made for 2.18", e);
        }
    }

    private static ThreadPoolExecutor indexBuilders() {
        ThreadPoolExecutor builders = new ThreadPoolExecutor(
                2, 2, 60, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> Daemon.thread(task, "index-builder"));
        builders.allowCoreThreadTimeOut(true);
        return builders;
    }

    @Override
    public void stop(boolean cancel) {}

    @Override
    public void onIgniteStart() {}

    @Override
    public void onIgniteStop(boolean cancel) {}

    @Override
    public Serializable provideDiscoveryData(UUID node) {
        return null;
    }

    @Override
    public void receiveDiscoveryData(UUID node, Serializable data) {}

    @Override
    @Deprecated
    public void validateNewNode(ClusterNode node) {}
}
