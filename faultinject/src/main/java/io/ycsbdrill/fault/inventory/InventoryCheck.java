package io.ycsbdrill.fault.inventory;

import io.ycsbdrill.base.Finding;
import io.ycsbdrill.base.Secrets;
import io.ycsbdrill.fault.host.AtOnce;
import io.ycsbdrill.fault.host.HostCall;
import io.ycsbdrill.fault.inventory.HostedNode.Role;
import io.ycsbdrill.fault.node.os.ProgramOutput;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/** Proves the entries of an inventory without doing any harm: reads, and signals nothing. */
public final class InventoryCheck {
    private static final Duration BOUND = Duration.ofSeconds(30);

    private InventoryCheck() {}

    /** What is found on each host, in the order of the inventory; all hosts are asked at the same time. */
    public static List<Finding> of(Inventory inventory) {
        List<CompletableFuture<List<Finding>>> asked = new ArrayList<>();
        for (Role role : Role.values()) {
            inventory.nodes(role).forEach(node -> asked.add(AtOnce.ask(() -> node(node))));
        }
        inventory.clients().forEach(client -> asked.add(AtOnce.ask(() -> client(client))));
        return asked.stream().flatMap(answer -> answer.join().stream()).toList();
    }

    private static List<Finding> node(HostedNode node) {
        String name =
                switch (node.role()) {
                            case DATA -> "data node ";
                            case SQL -> "SQL node ";
                            case MANAGEMENT -> "management server ";
                        }
                        + node.id() + " on " + node.host();
        return ask(name, node.probe(), found -> judged(name, node, found));
    }

    private static List<Finding> judged(String name, HostedNode node, Map<String, String> found) {
        if (node.pidFile().isEmpty()) {
            return List.of(Finding.ok(name + ": reachable as " + found.get("user")));
        }
        List<Finding> findings = new ArrayList<>();
        if (found.containsKey("pid")) {
            String process = name + ": process " + found.get("pid");
            switch (found.getOrDefault("signal", "no")) {
                case "yes" -> findings.add(Finding.ok(process + ", may be signalled by " + found.get("user")));
                case "engine" ->
                    findings.add(Finding.ok(process + " of its container, which "
                            + node.host().transport().label() + " controls"));
                case "init" ->
                    findings.add(Finding.note(process + " is the first one of its container, which cannot be signalled"
                            + " from inside; pause needs commands of your own"));
                default ->
                    findings.add(Finding.bad(process + " may not be signalled by " + found.get("user")
                            + "; name another user, or give commands of your own"));
            }
        } else if (found.containsKey("stale")) {
            findings.add(Finding.bad(name + ": pid file " + node.pidFile() + " names process " + found.get("stale")
                    + ", which does not run "
                    + node.programs().stream()
                            .filter(each -> !each.startsWith(EngineDefaults.NOT))
                            .collect(Collectors.joining(" or "))
                    + ": start the node, or give its program"));
        } else {
            findings.add(Finding.bad(name + ": pid file " + node.pidFile() + " is " + found.get("pidfile") + " to "
                    + found.get("user") + ": start the node, or give its pid_file"));
        }
        if (node.killedByDeletion()) {
            findings.add(
                    Finding.note(name + ": a kill deletes the pod, which is SIGTERM, and SIGKILL 2 s later: a server"
                            + " that ends in order by then was stopped, not killed"));
        }
        String supervisor = found.getOrDefault("supervisor", "");
        if (supervisor.startsWith("?")) {
            findings.add(Finding.bad(name + ": " + found.get("user") + " may not see whether process "
                    + supervisor.substring(1) + ", " + node.supervisor() + ", is for " + node.dataDirectory()
                    + ": name another user, or give commands of your own"));
        } else if (supervisor.equals("none")) {
            findings.add(Finding.note(name + ": no process of " + node.supervisor() + " has a file that names "
                    + node.dataDirectory() + ", so that its server alone is killed, stopped and paused"));
        } else if (!supervisor.isEmpty()) {
            findings.add(Finding.detail("kept running by process " + supervisor + ", " + node.supervisor()));
        }
        if ("absent".equals(found.get("start"))) {
            findings.add(
                    Finding.bad(name + ": its start command is not there; give another one: commands: {start: [...]}"));
        } else if (found.containsKey("start")) {
            findings.add(Finding.detail("starts by " + found.get("start")));
        }
        if (found.containsKey("data") && !found.get("data").equals("writable")) {
            findings.add(Finding.bad(name + ": data directory " + node.dataDirectory() + " is " + found.get("data")
                    + " to " + found.get("user") + "; it cannot be initialised: give its data_directory"));
        }
        if (!node.host().transport().own(node.host()).isEmpty()) {
            return findings; // neither disks nor links of pods are touched
        }
        switch (found.getOrDefault("fill", "")) {
            case "yes" -> findings.add(Finding.detail("its disk can be filled"));
            case "root" ->
                findings.add(Finding.detail(
                        "its disk cannot be filled: its data directory is on the root file system of the host, or on one"
                                + " of its own such as that of /var"));
            case "denied" ->
                findings.add(Finding.detail(
                        "its disk cannot be filled: " + found.get("user") + " is not root and may not run sudo -n"));
        }
        switch (found.getOrDefault("links", "")) {
            case "yes" -> findings.add(Finding.detail("its links can be cut"));
            case "denied" ->
                findings.add(Finding.note(name + ": its links cannot be cut: " + found.get("user")
                        + " may not run nft, and has no passwordless sudo"));
            case "absent" ->
                findings.add(Finding.note(name + ": its links cannot be cut: there is no nft; install nftables"));
            case "" -> {
                // It was not looked for.
            }
            default -> findings.add(Finding.note(name + ": its links cannot be cut: " + found.get("links")));
        }
        return findings;
    }

    private static List<Finding> client(ClientHost client) {
        String name = "client " + client.id() + " on " + client.host();
        HostCall probe = NodeScript.on(
                client.host(),
                "client-probe",
                client.java(),
                client.directory(),
                client.installed().orElse(""));
        return ask(name, probe, found -> {
            List<Finding> findings = new ArrayList<>();
            String user = found.get("user");
            if (found.getOrDefault("java", "absent").equals("absent")) {
                String next = " is not there; install 17 or newer, or give java";
                findings.add(Finding.bad(name + ": no Java: " + client.java() + next));
            } else if (client.installed().isPresent() && !"yes".equals(found.get("installed"))) {
                findings.add(Finding.bad(
                        name + ": no bin/ycsb in " + client.installed().get()));
            } else if (!"writable".equals(found.get("directory"))) {
                String next = " cannot be written by " + user + "; give another directory";
                findings.add(Finding.bad(name + ": directory " + client.directory() + next));
            } else {
                findings.add(Finding.ok(name + ": reachable as " + user));
            }
            findings.add(Finding.detail(found.getOrDefault("cpus", "?") + " cpus, " + found.getOrDefault("java", "?")));
            return findings;
        });
    }

    private interface Judge {
        List<Finding> of(Map<String, String> found);
    }

    private static List<Finding> ask(String name, HostCall probe, Judge judge) {
        try {
            ProgramOutput output = probe.run(BOUND);
            if (output.exit() != 0) {
                return List.of(
                        Finding.bad(name + " cannot be asked (exit code " + output.exit() + "): "
                                + Secrets.inText(output.text().strip().replace("\n", "; "))),
                        Finding.detail("try it by hand: " + probe));
            }
            Map<String, String> found = new LinkedHashMap<>();
            output.text()
                    .lines()
                    .map(line -> line.split(" ", 2))
                    .filter(words -> words.length == 2)
                    .forEach(words -> found.put(words[0], words[1]));
            return judge.of(found);
        } catch (IOException e) {
            return List.of(Finding.bad(name + " cannot be asked: " + e.getMessage()), Finding.detail("by: " + probe));
        }
    }
}
