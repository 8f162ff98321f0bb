package io.ycsbdrill.testing;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.ycsbdrill.base.Io;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which packages may see which; of the main classes of all modules. */
class WallsTest {
    private static final String ROOT = "io.ycsbdrill.";

    private static JavaClasses classes;

    @BeforeAll
    static void read() {
        classes = new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                // What modules share for their tests comes as jars when these are packaged.
                .withImportOption(location -> !location.contains("-tests.jar"))
                .importPackages("io.ycsbdrill");
    }

    @Test
    void allModulesAreLookedAt() {
        assertThat(classes.stream().map(type -> type.getPackageName().split("\\.")[2]))
                .contains(
                        "base", "rundir", "binding", "workload", "fault", "report", "experiment", "client", "testing");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    base..          | base
                    binding..       | base, binding
                    fault..         | base, fault
                    rundir..        | base, rundir
                    report..        | base, rundir, report
                    workload..      | base, binding, workload
                    experiment..    | base, rundir, report, experiment
                    client..        | base, rundir, binding, workload, fault, report, experiment, client
                    testing..       | base, rundir, binding, workload, fault, report, experiment, client, testing
                    """)
    void modulesSeeOnlyThoseBelow(String module, String below) {
        List<String> seen = List.of(below.split(", "));
        String[] hidden = classes.stream()
                .map(type -> type.getPackageName().split("\\.")[2])
                .distinct()
                .filter(name -> !seen.contains(name))
                .map(name -> ROOT + name + "..")
                .toArray(String[]::new);

        noClasses()
                .that()
                .resideInAPackage(ROOT + module)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(hidden)
                .allowEmptyShould(true)
                .check(classes);
    }

    @Test
    void theCommandLineIsSeenByNobodyElse() {
        noClasses()
                .that()
                .resideOutsideOfPackage(ROOT + "client.cli..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage(ROOT + "client.cli..")
                .check(classes);
    }

    @Test
    void theClientLoopKnowsNothingOfReports() {
        noClasses()
                .that()
                .resideInAPackage(ROOT + "client.run..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage(ROOT + "report..")
                .check(classes);
    }

    /** Numbers in the language of a machine are not what files, rules of the kernel and scripts expect. */
    @Test
    void textWithValuesIsTheSameInEveryLanguage() {
        noClasses()
                .should()
                .callMethod(String.class, "format", String.class, Object[].class)
                .orShould()
                .callMethod(String.class, "formatted", Object[].class)
                .check(classes);
    }

    @Test
    void theSessionEndsNoProcessAndPrintsNothing() {
        noClasses()
                .that()
                .resideInAnyPackage(ROOT + "client.session..", ROOT + "client.drill..", ROOT + "client.run..")
                .should()
                .callMethod(System.class, "exit", int.class)
                .orShould()
                .accessField(System.class, "out")
                .orShould()
                .accessField(System.class, "err")
                .orShould()
                .callMethod(Runtime.class, "addShutdownHook", Thread.class)
                .check(classes);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"base", "rundir", "binding", "workload", "fault", "report", "experiment", "client", "testing"})
    void packagesHaveNoCycles(String module) {
        slices().assignedFrom(new Packages(ROOT + module))
                .should()
                .beFreeOfCycles()
                .check(classes);
    }

    /** Removes files of a folder: each of one name or kind only, and never a folder that it finds there. */
    private static final List<String> REMOVES_SINGLE_FILES = List.of(
            ROOT + "base.NamelessFile",
            ROOT + "base.Tree",
            ROOT + "client.group.ForeignArchive",
            ROOT + "fault.node.ClusterDirectory",
            ROOT + "fault.node.os.FileDamage",
            ROOT + "fault.node.os.MemoryGroups");

    @Test
    void whatIsFoundInAFolderIsRemovedByTheOwnerOfTheFolderAlone() {
        List<String> both = classes.stream()
                .filter(type -> calls(type, "delete", "deleteIfExists", "deleteDirectory", "deleteFile"))
                .filter(type ->
                        calls(type, "walk", "walkFileTree", "list", "listFiles", "newDirectoryStream", "find", "names"))
                .map(type -> type.getName().replaceFirst("\\$.*", ""))
                .filter(name -> !name.startsWith(ROOT + "distribution."))
                .distinct()
                .toList();

        assertThat(both).containsExactlyInAnyOrderElementsOf(REMOVES_SINGLE_FILES);
    }

    /** As a call or a reference to the method, Java's or of {@link Io}; a class in another one counts with that. */
    private static boolean calls(JavaClass type, String... methods) {
        String outer = type.getName().replaceFirst("\\$.*", "");
        return classes.stream()
                .filter(each -> each.getName().replaceFirst("\\$.*", "").equals(outer))
                .flatMap(each -> each.getCodeUnitAccessesFromSelf().stream())
                .filter(call -> call.getTargetOwner().getPackageName().matches("java\\.(nio\\.file|io)")
                        || call.getTargetOwner().getFullName().equals(Io.class.getName()))
                .anyMatch(call -> List.of(methods).contains(call.getName()));
    }

    /** A {@link Process} is one that this JVM has started, which proves that it is ours; a handle may be anybody's. */
    @Test
    void processesAreSignalledByThoseAloneThatProveThatTheyAreOurs() {
        List<String> signal = classes.stream()
                .flatMap(type -> type.getCodeUnitAccessesFromSelf().stream())
                .filter(call -> call.getTargetOwner().isEquivalentTo(ProcessHandle.class))
                .filter(call -> call.getName().startsWith("destroy"))
                .map(call -> call.getOriginOwner().getName())
                .distinct()
                .toList();

        assertThat(signal).containsExactlyInAnyOrder(ROOT + "base.ProcessTree", ROOT + "fault.node.os.OsProcess");
    }

    @Test
    void noSimpleNameIsUsedTwiceInTheClient() {
        Map<String, Long> named = classes.stream()
                .filter(type -> type.getPackageName().startsWith(ROOT + "client") && type.isTopLevelClass())
                .filter(type -> !type.getSimpleName().equals("package-info"))
                .collect(Collectors.groupingBy(JavaClass::getSimpleName, Collectors.counting()));

        assertThat(named.values()).allMatch(count -> count == 1);
    }
}
