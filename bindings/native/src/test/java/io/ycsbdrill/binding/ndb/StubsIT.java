package io.ycsbdrill.binding.ndb;

import static org.assertj.core.api.Assertions.assertThat;

import com.mysql.jtie.Wrapper;
import com.mysql.ndbjtie.ndbapi.Ndb;
import java.io.File;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The declarations that we compile against are those of the real jar: otherwise calls would fail only when they are made. */
@Tag("engine")
class StubsIT {

    @Test
    void everyDeclarationIsInTheRealJar() throws Exception {
        Path jar = RealCluster.installation().jar();
        List<String> differences = new ArrayList<>();
        List<String> names = stubNames();
        try (URLClassLoader real =
                new URLClassLoader(new URL[] {jar.toUri().toURL()}, ClassLoader.getPlatformClassLoader())) {
            for (String name : names) {
                Class<?> stub = Class.forName(name, false, Ndb.class.getClassLoader());
                assertThat(stub.getProtectionDomain())
                        .isNotEqualTo(Class.forName(name, false, real).getProtectionDomain());
                compare(stub, Class.forName(name, false, real), differences);
            }
        }

        assertThat(names).hasSizeGreaterThan(30);
        assertThat(differences).isEmpty();
    }

    private static void compare(Class<?> stub, Class<?> real, List<String> differences) throws Exception {
        if (kind(stub.getModifiers()) != kind(real.getModifiers())) {
            differences.add(stub + ": other modifiers: " + Modifier.toString(real.getModifiers()));
        }
        for (Class<?> parent : Stream.concat(Stream.ofNullable(stub.getSuperclass()), Stream.of(stub.getInterfaces()))
                .toList()) {
            if (parent != Object.class && !isSubtype(real, parent.getName())) {
                differences.add(stub + ": the real one is no " + parent);
            }
        }
        for (Method method : stub.getDeclaredMethods()) {
            if (method.isSynthetic()) {
                continue;
            }
            boolean found = Arrays.stream(real.getMethods())
                    .anyMatch(other -> other.getName().equals(method.getName())
                            && names(other.getParameterTypes()).equals(names(method.getParameterTypes()))
                            && other.getReturnType()
                                    .getName()
                                    .equals(method.getReturnType().getName())
                            && Modifier.isStatic(other.getModifiers()) == Modifier.isStatic(method.getModifiers()));
            if (!found) {
                differences.add("not in the jar: " + method);
            }
        }
        for (Field field : stub.getDeclaredFields()) {
            // Constants are copied into our classes by the compiler, so that their values must agree, too.
            Object value = field.get(null);
            Object other = real.getField(field.getName()).get(null);
            if (!value.equals(other)) {
                differences.add(field + " is " + value + " but " + other + " in the jar");
            }
        }
        for (Constructor<?> constructor : stub.getDeclaredConstructors()) {
            assertThat(constructor.getParameterCount())
                    .as("%s is never constructed with arguments", stub)
                    .isZero();
        }
    }

    private static int kind(int modifiers) {
        return modifiers & (Modifier.INTERFACE | Modifier.STATIC | Modifier.PUBLIC);
    }

    private static boolean isSubtype(Class<?> type, String wanted) {
        return type != null
                && (type.getName().equals(wanted)
                        || isSubtype(type.getSuperclass(), wanted)
                        || Arrays.stream(type.getInterfaces()).anyMatch(parent -> isSubtype(parent, wanted)));
    }

    private static List<String> names(Class<?>... types) {
        return Arrays.stream(types).map(Class::getName).toList();
    }

    /** All classes of the stubs, found beside one of them, in a folder or a jar. */
    private static List<String> stubNames() throws Exception {
        Path place = Path.of(Wrapper.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        Path root = Files.isDirectory(place)
                ? place
                : java.nio.file.FileSystems.newFileSystem(place).getPath("/");
        try (Stream<Path> files = Files.walk(root)) {
            return files.map(file -> root.relativize(file).toString())
                    .filter(file -> file.startsWith("com" + File.separator + "mysql") || file.startsWith("com/mysql"))
                    .filter(file -> file.endsWith(".class") && !file.contains("package-info"))
                    .map(file -> file.substring(0, file.length() - 6)
                            .replace(File.separatorChar, '.')
                            .replace('/', '.'))
                    .toList();
        }
    }
}
