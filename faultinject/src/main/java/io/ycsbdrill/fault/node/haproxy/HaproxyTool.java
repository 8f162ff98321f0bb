package io.ycsbdrill.fault.node.haproxy;

import io.ycsbdrill.base.Finding;
import io.ycsbdrill.fault.node.Engine;
import io.ycsbdrill.fault.node.EngineContext;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** HAProxy as a program that {@code cluster up --haproxy} needs, and nothing else. */
public enum HaproxyTool implements Engine.Tool {
    HAPROXY;

    /** Never {@code bad}: clusters work without it. */
    @Override
    public List<Finding> diagnose(EngineContext context) {
        Optional<Path> named = HaproxyHome.named(null, context.environment());
        Optional<HaproxyHome> found = HaproxyHome.find(null, context.environment(), List.of());
        if (found.isPresent()) {
            String program = "HAProxy: " + found.get().program() + (named.isPresent() ? " (HAPROXY_HOME)" : " (found)");
            try {
                return List.of(Finding.ok(program + ", " + found.get().version()));
            } catch (IOException e) {
                return List.of(Finding.note(program + " does not run: " + e.getMessage()));
            }
        }
        return List.of(Finding.note(named.map(place -> "HAPROXY_HOME=" + place
                        + " is neither the program haproxy nor a folder with it in usr/sbin, sbin or bin. Next: correct or"
                        + " unset it")
                .orElse("no HAProxy found, which cluster up --haproxy needs. Next: bin/install-galera, no root"
                        + " needed, or your distribution's package haproxy")));
    }
}
