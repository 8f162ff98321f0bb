package io.ycsbdrill.binding.embedded;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.apache.ignite.Ignite;
import org.apache.ignite.lifecycle.LifecycleBean;
import org.apache.ignite.lifecycle.LifecycleEventType;
import org.apache.ignite.resources.IgniteInstanceResource;

/**
 * Runs in each node of the embedded cluster, which finds it on its class path: serves the cluster's rows by HTTP, on the
 * loopback interface, at the port that the node's attribute names. {@code docs/embedded.md} lists the requests.
 */
public final class HttpEndpoint implements LifecycleBean {
    private static final String HOST = "ycsbdrill.http.host";
    private static final String PORT = "ycsbdrill.http.port";
    private static final int LOOPS = 2;
    /** They wait for other nodes; as many requests are under way at once. */
    private static final int WORKERS = 16;

    private static final int LARGEST_BODY = 64 << 20;

    @IgniteInstanceResource
    private Ignite ignite;

    private EventLoopGroup loops;
    private ExecutorService workers;

    @Override
    public void onLifecycleEvent(LifecycleEventType event) {
        if (event == LifecycleEventType.AFTER_NODE_START) {
            Integer port = ignite.cluster().localNode().attribute(PORT);
            if (port != null) {
                serve(ignite.cluster().localNode().attribute(HOST), port);
            }
        } else if (event == LifecycleEventType.BEFORE_NODE_STOP && loops != null) {
            // What is under way gets no answer: whoever asked for a change does not know whether it was made.
            loops.shutdownGracefully(0, 1, TimeUnit.SECONDS);
            workers.shutdown();
        }
    }

    private void serve(String host, int port) {
        loops = new MultiThreadIoEventLoopGroup(
                LOOPS, new DefaultThreadFactory("http", true), NioIoHandler.newFactory());
        workers = Executors.newFixedThreadPool(WORKERS, new DefaultThreadFactory("http-rows", true));
        HttpRows rows = new HttpRows(ignite);
        new ServerBootstrap()
                .group(loops)
                .channel(NioServerSocketChannel.class)
                .option(ChannelOption.SO_BACKLOG, 4096)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline()
                                .addLast(new HttpServerCodec())
                                .addLast(new HttpObjectAggregator(LARGEST_BODY))
                                .addLast(new HttpConnection(rows, workers));
                    }
                })
                .bind(host, port)
                .syncUninterruptibly();
    }
}
