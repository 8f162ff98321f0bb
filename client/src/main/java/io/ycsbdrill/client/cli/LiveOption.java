package io.ycsbdrill.client.cli;

import io.ycsbdrill.client.live.LiveAddress;
import java.util.Stack;
import picocli.CommandLine.IParameterConsumer;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** {@code --live [[HOST:]PORT]}: takes the next argument only when it looks like an address, as it may be the binding's name. */
final class LiveOption implements IParameterConsumer {

    @Override
    public void consumeParameters(Stack<String> arguments, ArgSpec option, CommandSpec command) {
        LiveAddress address = LiveAddress.ANY;
        if (!arguments.isEmpty() && arguments.peek().matches("\\d+|.*:.*")) {
            String typed = arguments.pop();
            address = LiveAddress.parse(typed)
                    .orElseThrow(() -> new ParameterException(
                            command.commandLine(),
                            "--live " + typed + " is not [HOST:]PORT with a port from 0 (any free one) to 65535"));
        }
        option.setValue(address);
    }
}
