package io.ycsbdrill.fault.node.os;

/** Which addresses the nodes of an {@link IsolatedNetwork} have. */
enum Subnet {
    /** Those of a private network. */
    PRIVATE("10.99.0."),
    /** Such as programs take for loopback ones: some servers demand settings of the machine when others can reach them. */
    LOOPBACK("127.99.0.");

    private final String prefix;

    Subnet(String prefix) {
        this.prefix = prefix;
    }

    /** What is done in each namespace before there are addresses: they are not those of the loopback interface any more. */
    String script() {
        return this == PRIVATE ? "" : """
                ip addr del 127.0.0.1/8 dev lo
                ip addr add 127.0.0.1/32 dev lo
                echo 1 >/proc/sys/net/ipv4/conf/all/route_localnet
                """;
    }

    /** @param number of a host, 1 to 254 */
    String address(int number) {
        return prefix + number;
    }
}
