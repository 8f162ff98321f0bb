package io.ycsbdrill.fault.node.kit;

import io.ycsbdrill.fault.node.OptionReader;
import io.ycsbdrill.fault.node.haproxy.HaproxyOptions;

/**
 * The options of {@code cluster up} that engines share.
 *
 * @param spares number of nodes that are prepared beside the members
 * @param sandbox what surrounds the nodes
 * @param haproxy the proxy in front of them
 */
public record CommonOptions(int spares, NodeSandbox.Wanted sandbox, HaproxyOptions haproxy) {

    static CommonOptions read(OptionReader reader, EngineRecipe<?, ?> recipe) {
        return new CommonOptions(
                recipe.grows() ? reader.number(Members.OPTION.name(), 0, 3) : 0,
                NodeSandbox.Wanted.read(reader, recipe.without()),
                recipe.proxied().isPresent() ? HaproxyOptions.read(reader) : HaproxyOptions.NONE);
    }
}
