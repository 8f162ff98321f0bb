package com.mysql.ndbjtie.ndbapi;

import com.mysql.jtie.Wrapper;

public class Ndb_cluster_connection extends Wrapper {
    public static final native Ndb_cluster_connection create(String connectString);

    public static final native void delete(Ndb_cluster_connection connection);

    public final native void set_name(String name);

    public final native void configure_tls(String searchPath, int managementLevel);

    public final native int set_timeout(int millis);

    public final native int connect(int retries, int retryDelaySeconds, int verbose);

    public final native int wait_until_ready(int secondsForFirst, int secondsForRest);

    public final native int get_recv_thread_activation_threshold();

    public final native int set_recv_thread_activation_threshold(int threads);

    public final native int node_id();

    public final native int get_latest_error();

    public final native String get_latest_error_msg();
}
