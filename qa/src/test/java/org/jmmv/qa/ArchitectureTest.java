package org.jmmv.qa;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.stream.Collectors.toMap;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Which module may use which others. It reads the compiled classes of all modules, so it fails if a
 * module of pom.xml has none, or has no rule here.
 */
final class ArchitectureTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  /**
   * What a module's classes may depend on, besides the JDK and libraries that are not in {@link
   * #LIBRARIES}.
   *
   * @param name of the package below org.jmmv
   * @param uses names of other packages below org.jmmv
   */
  private record Rule(String name, List<String> uses) {
    static Rule of(String name, String... uses) {
      return new Rule(name, List.of(uses));
    }

    String[] packages() {
      return Stream.concat(Stream.of(name), uses.stream())
          .map(ArchitectureTest::below)
          .toArray(String[]::new);
    }
  }

  /**
   * By the module's folder. A face (pmda, collector) uses core and what core uses, but no other
   * face.
   */
  private static final Map<String, Rule> RULES =
      Stream.of(
              Map.entry("pcp", Rule.of("pcp")),
              Map.entry("posix", Rule.of("posix")),
              Map.entry("protocol", Rule.of("protocol", "pcp")),
              Map.entry("mmv-reader", Rule.of("reader", "posix", "pcp")),
              Map.entry("core", Rule.of("core", "reader", "posix", "pcp")),
              Map.entry("config", Rule.of("config", "reader", "posix", "pcp")),
              Map.entry("serving", Rule.of("serving", "core", "reader", "posix", "pcp")),
              Map.entry(
                  "replies",
                  Rule.of("replies", "serving", "core", "protocol", "reader", "posix", "pcp")),
              Map.entry("pmda", face("pmda")),
              Map.entry("collector", face("collector")),
              Map.entry(
                  "cli",
                  Rule.of(
                      "cli",
                      "pmda",
                      "collector",
                      "serving",
                      "core",
                      "protocol",
                      "reader",
                      "posix",
                      "config",
                      "pcp")),
              Map.entry("client", Rule.of("client", "protocol", "pcp")),
              Map.entry("testkit", Rule.of("testkit", "pcp")))
          .collect(toMap(Map.Entry::getKey, Map.Entry::getValue));

  private static Rule face(String name) {
    return Rule.of(name, "replies", "serving", "core", "protocol", "reader", "posix", "pcp");
  }

  /** Programs that no other module uses. They may use anything. */
  private static final Set<String> FREE = Set.of("example", "dist", "qa", "bench");

  /** Libraries that only these modules may use. */
  private static final Map<String, Set<String>> LIBRARIES =
      Map.of(
          "com.fasterxml.jackson", Set.of("cli"),
          "io.netty", Set.of("protocol", "serving", "replies", "pmda", "collector", "client"),
          "picocli", Set.of("config", "cli", "testkit"),
          "ch.qos.logback", Set.of("cli"),
          "org.jline", Set.of("cli"),
          "org.tomlj", Set.of("config"),
          "org.junit", Set.of("testkit"));

  private static String below(String name) {
    return "org.jmmv." + name + "..";
  }

  private static List<String> modules() {
    List<String> modules =
        Pattern.compile("<module>([^<]+)</module>")
            .matcher(TemporaryPcp.text(ROOT.resolve("pom.xml")))
            .results()
            .map(module -> module.group(1))
            .toList();
    assertTrue(modules.contains("qa"), () -> "modules: " + modules);
    return modules;
  }

  private static List<String> modulesWithRules() {
    return modules().stream().filter(module -> !FREE.contains(module)).toList();
  }

  private static JavaClasses classesOf(String module) {
    JavaClasses classes =
        new ClassFileImporter().importPath(ROOT.resolve(module).resolve("target/classes"));
    assertTrue(!classes.isEmpty(), () -> module + " is in pom.xml, but its classes are not built");
    return classes;
  }

  @Test
  void everyModuleHasARule() {
    assertEquals(
        List.of(), modulesWithRules().stream().filter(m -> !RULES.containsKey(m)).toList());
  }

  @TestFactory
  Stream<DynamicTest> aModuleUsesOnlyWhatItsRuleAllows() {
    return modulesWithRules().stream()
        .map(module -> dynamicTest(module, () -> assertKeepsToItsRule(module)));
  }

  private static void assertKeepsToItsRule(String module) {
    Rule rule = RULES.get(module);
    JavaClasses classes = classesOf(module);
    classes().should().resideInAPackage(below(rule.name())).check(classes);
    classes()
        .should()
        .onlyDependOnClassesThat(
            not(resideInAPackage("org.jmmv..")).or(resideInAnyPackage(rule.packages())))
        .check(classes);
    String[] foreign =
        LIBRARIES.entrySet().stream()
            .filter(library -> !library.getValue().contains(module))
            .map(library -> library.getKey() + "..")
            .toArray(String[]::new);
    noClasses().should().dependOnClassesThat().resideInAnyPackage(foreign).check(classes);
  }

  @Test
  void packagesFormNoCycles() {
    List<Path> folders =
        modulesWithRules().stream().map(m -> ROOT.resolve(m).resolve("target/classes")).toList();
    JavaClasses all = new ClassFileImporter().importPaths(folders);
    slices().matching("org.jmmv.(**)").should().beFreeOfCycles().check(all);
  }

  /** The number of classes that may depend on each other in a circle. */
  private static final int MAX_CIRCLE = 3;

  /** Modules that still have larger circles. */
  private static final Set<String> CIRCULAR = Set.of("core");

  @TestFactory
  Stream<DynamicTest> onlyFewClassesDependOnEachOtherInACircle() {
    return modulesWithRules().stream()
        .map(module ->
            dynamicTest(
                module,
                () ->
                    assertEquals(
                        CIRCULAR.contains(module),
                        !ClassCircles.largerThan(MAX_CIRCLE, classesOf(module)).isEmpty(),
                        () -> "" + ClassCircles.largerThan(MAX_CIRCLE, classesOf(module)))));
  }

  /** SLF4J is the only way to log. */
  @Test
  void noSourceNamesTheLoggingOfTheJdk() throws IOException {
    String name = String.join(".", "java", "util", "logging");
    int sources = 0;
    Set<Path> found = new TreeSet<>();
    for (String module : modules()) {
      Path folder = ROOT.resolve(module).resolve("src");
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.filter(Files::isRegularFile).toList()) {
          sources++;
          if (TemporaryPcp.text(file).contains(name)) {
            found.add(ROOT.relativize(file));
          }
        }
      }
    }
    assertEquals(Set.of(), found);
    assertTrue(sources > 200, sources + " files are too few");
  }
}
