package io.ycsbdrill.fault.inject;

import io.ycsbdrill.base.TableSchema.Change;
import io.ycsbdrill.fault.schedule.Cycles;
import io.ycsbdrill.fault.schedule.FaultSchedule;
import io.ycsbdrill.fault.schedule.ScheduledFault;
import io.ycsbdrill.fault.schedule.When;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Checks that changes of the schema come one after the other, and in an order in which each can be done. Stateless. */
final class SchemaOrder {
    /** What prevents them, step by step; empty when nothing does. */
    static List<String> problems(FaultSchedule schedule) {
        List<String> problems = new ArrayList<>();
        Set<Change> there = EnumSet.noneOf(Change.class);
        Optional<ScheduledFault> before = Optional.empty();
        for (ScheduledFault step : schedule.steps()) {
            if (step.fault().alters().isEmpty()) {
                continue;
            }
            Change change = step.fault().alters().get();
            String subject = "step " + step.name() + ": ";
            before.filter(earlier -> !follows(schedule, step, earlier))
                    .ifPresent(earlier -> problems.add(subject + "may begin before " + earlier.name()
                            + " has ended, and a table is changed by one step at a time; add after: "
                            + earlier.name()));
            problem(change, step.times(2) > 1, there).ifPresent(text -> problems.add(subject + text));
            change.undo().ifPresent(undo -> there.add(change));
            change.undoes().ifPresent(there::remove);
            before = Optional.of(step);
        }
        if (schedule.cycles().map(Cycles::faults).orElse(1) > 1) {
            there.forEach(change -> problems.add("the " + change.thing()
                    + " would be there already in the second cycle; drop it in a later step (operation: "
                    + change.undo().orElseThrow().label() + ")"));
        }
        return problems;
    }

    /** Steps that need an earlier one of another kind, which a drill may have only once, and do not wait for it; empty when there are none. */
    static List<String> unpreceded(FaultSchedule schedule) {
        List<String> problems = new ArrayList<>();
        for (ScheduledFault step : schedule.steps()) {
            String fault = step.fault().name();
            boolean again = step.times(2) > 1
                    || schedule.steps().stream()
                            .anyMatch(other ->
                                    other != step && other.fault().name().equals(fault));
            step.fault().follows().ifPresent(needed -> {
                if (again) {
                    problems.add("step " + step.name() + ": a drill has one " + fault);
                }
                if (schedule.steps().stream()
                        .noneMatch(other -> other.fault().name().equals(needed) && follows(schedule, step, other))) {
                    problems.add("step " + step.name() + ": " + fault + " needs an earlier step with operation: "
                            + needed + " that has ended; add one, and wait for it by after");
                }
            });
        }
        return problems;
    }

    private static Optional<String> problem(Change change, boolean again, Set<Change> there) {
        if (change.undo().isPresent() && (again || there.contains(change))) {
            return Optional.of("the " + change.thing() + " would be there already; drop it in a later step (operation: "
                    + change.undo().get().label() + ") before it is added again");
        }
        return change.undoes()
                .filter(adds -> again || !there.contains(adds))
                .map(adds -> "there would be no " + change.thing() + " to drop; add it in an earlier step (operation: "
                        + adds.label() + ")");
    }

    /** Whether it waits for the other one to be over, itself or through steps between them. */
    private static boolean follows(FaultSchedule schedule, ScheduledFault step, ScheduledFault other) {
        Optional<ScheduledFault> awaited = Optional.of(step);
        for (int i = 0; i < schedule.steps().size() && awaited.isPresent(); i++) {
            awaited = awaited.get().when() instanceof When.After after
                    ? schedule.steps().stream()
                            .filter(each -> each.name().equals(after.step()))
                            .findFirst()
                    : Optional.empty();
            if (awaited.equals(Optional.of(other))) {
                return true;
            }
        }
        return false;
    }
}
