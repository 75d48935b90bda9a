package org.jmmv.qa;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.stream.Collectors.toCollection;
import static java.util.stream.Collectors.toMap;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jmmv.core.Turn;
import org.jmmv.serving.Server;
import org.jmmv.web.http.Body;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Which module may use which others. It reads the compiled classes of all modules, so it fails if a
 * module of pom.xml has none, or has no rule here.
 */
@Tag("quick")
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
              Map.entry("web", Rule.of("web", "serving", "core", "reader", "posix", "pcp")),
              Map.entry(
                  "cli",
                  Rule.of(
                      "cli",
                      "pmda",
                      "collector",
                      "web",
                      "serving",
                      "core",
                      "protocol",
                      "reader",
                      "posix",
                      "config",
                      "pcp")),
              Map.entry("mmv-writer", Rule.of("writer")),
              Map.entry("mmv-micrometer", Rule.of("micrometer", "writer")),
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
          "com.fasterxml.jackson", Set.of("cli", "web"),
          "com.google.re2j", Set.of("core"),
          "io.micrometer", Set.of("mmv-micrometer"),
          "io.netty",
              Set.of("protocol", "serving", "replies", "pmda", "collector", "web", "client"),
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

  private static final Map<String, JavaClasses> CLASSES = new ConcurrentHashMap<>();

  private static JavaClasses classesOf(String module) {
    JavaClasses classes = CLASSES.computeIfAbsent(module, name -> classesOf(List.of(name)));
    assertTrue(!classes.isEmpty(), () -> module + " is in pom.xml, but its classes are not built");
    return classes;
  }

  private static JavaClasses classesOf(List<String> modules) {
    return new ClassFileImporter()
        .importPaths(modules.stream().map(m -> ROOT.resolve(m).resolve("target/classes")).toList());
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
    JavaClasses all = classesOf(modulesWithRules());
    slices().matching("org.jmmv.(**)").should().beFreeOfCycles().check(all);
  }

  /** What the library for a single MMV file consists of. */
  private static final Set<String> READER_API =
      Set.of(
          "FileTruncated",
          "InspectedFile",
          "MmvFile",
          "MmvFormatException",
          "MmvHeader",
          "MmvInDom",
          "MmvLabel",
          "MmvMetric",
          "MmvSchema");

  /** What of org.jmmv.reader is public only because org.jmmv.reader.watch uses it. */
  private static final Set<String> FOR_THE_WATCHER =
      Set.of("FileLimits", "MetadataComparison", "MmvFileReader");

  @Test
  void aNewPublicTypeOfTheReaderIsADecision() {
    Set<String> types = new TreeSet<>(READER_API);
    types.addAll(FOR_THE_WATCHER);
    assertEquals(types, publicTypes("mmv-reader", "org.jmmv.reader"));
    assertEquals(
        Set.of("Fault", "FaultKind", "Faults", "FileName", "Place"),
        publicTypes("mmv-reader", "org.jmmv.reader.fault"));
  }

  /** What applications are compiled against. */
  @Test
  void aNewPublicTypeOfTheWriterIsADecision() {
    assertEquals(
        Set.of(
            "DoubleCounter",
            "DoubleGauge",
            "InDom",
            "InDomBuilder",
            "Instances",
            "LongCounter",
            "LongGauge",
            "MetricBuilder",
            "MetricValue",
            "MmvApplication",
            "Semantics",
            "Text",
            "Timer",
            "Type",
            "Units"),
        publicTypes("mmv-writer", "org.jmmv.writer"));
    assertEquals(
        Set.of("MmvMeterRegistry", "MmvNamingConvention"),
        publicTypes("mmv-micrometer", "org.jmmv.micrometer"));
  }

  private static Set<String> publicTypes(String module, String name) {
    return classesOf(module).stream()
        .filter(type -> type.getPackageName().equals(name) && type.isTopLevelClass())
        .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
        .map(JavaClass::getSimpleName)
        .collect(toCollection(TreeSet::new));
  }

  @Test
  void onlyTheWatcherUsesWhatIsPublicForIt() {
    JavaClasses all = classesOf(modules());
    FOR_THE_WATCHER.forEach(type ->
        noClasses()
            .that()
            .resideOutsideOfPackage("org.jmmv.reader..")
            .should()
            .dependOnClassesThat()
            .haveFullyQualifiedName("org.jmmv.reader." + type)
            .check(all));
  }

  /** What a request can multiply is a step of the body, which is given the catalogue. */
  @Test
  void resourcesHaveNoCatalogue() {
    noClasses()
        .that()
        .resideInAPackage("org.jmmv.web..")
        .and()
        .resideOutsideOfPackages("org.jmmv.web", "org.jmmv.web.http")
        .should()
        .dependOnClassesThat()
        .areAssignableTo(Server.class)
        .check(classesOf(List.of("web")));
  }

  /** A thread that has nothing else to do has turns without an end; nobody else may. */
  @Test
  void turnsAreGivenInOnePlace() {
    JavaClasses all = classesOf(modules());
    noClasses()
        .that()
        .resideOutsideOfPackages("org.jmmv.serving", "org.jmmv.core", "org.jmmv.bench")
        .should()
        .callMethod(Turn.class, "of", long.class)
        .orShould()
        .callMethod(Turn.class, "of", long.class, LongSupplier.class)
        .orShould()
        .callConstructor(Turn.class, long.class, LongSupplier.class)
        .check(all);
    noClasses()
        .that()
        .resideInAnyPackage("org.jmmv.web..", "org.jmmv.collector", "org.jmmv.serving")
        .should()
        .accessField(Turn.class, "ENDLESS")
        .check(all);
  }

  /** A body keeps nothing of the request but what it asks for. */
  @Test
  void bodiesKeepNoRequest() {
    for (String type : List.of("http.Request", "http.Query", "pmapi.Call")) {
      noFields()
          .that()
          .areDeclaredInClassesThat()
          .areAssignableTo(Body.class)
          .should()
          .haveRawType("org.jmmv.web." + type)
          .check(classesOf(List.of("web")));
    }
  }

  /** Fields of replies that {@code bytes} need not add. */
  private static final Set<String> NOT_COUNTED =
      Set.of(
          "Document.context", // has an account of its own
          "Document.hostLabels", // one for all
          "AboutBody.version",
          "Scrape.version",
          "Scrape.ofHost",
          "Scrape.families", // has an account of its own
          "FetchReply.session", // of the connection
          "FetchDocument.read", // its entries are counted when they are complete
          "AboutBody.history", // has an account of its own
          "HistoryBody.history", // likewise
          "AboutBody.counts", // five numbers
          "StepBody.steps", // five objects at most
          "ValuesBody.prefix", // a constant
          ".val$bytes"); // of Body.of: short, or one for all

  /** What a reply or a body keeps is charged by the number that its {@code bytes} returns. */
  @Test
  void whatRepliesAndBodiesKeepIsCounted() {
    Set<String> left = new TreeSet<>();
    for (JavaClass type : classesOf(List.of("replies", "web"))) {
      if (type.isAssignableTo(Body.class) || type.isAssignableTo("org.jmmv.replies.TurnReply")) {
        Set<JavaCodeUnit> counting = new HashSet<>();
        type.getMethods().stream()
            .filter(method -> method.getName().equals("bytes"))
            .forEach(method -> addCalled(method, counting));
        type.getFields().stream()
            .filter(field -> !field.getModifiers().contains(JavaModifier.STATIC))
            .filter(field -> keepsBytes(field.getRawType()))
            .filter(field ->
                field.getAccessesToSelf().stream()
                    .noneMatch(access -> counting.contains(access.getOrigin())))
            .forEach(field -> left.add(type.getSimpleName() + "." + field.getName()));
      }
    }
    assertEquals(new TreeSet<>(NOT_COUNTED), left);
  }

  /** Adds a method, and those of its class that it calls. */
  private static void addCalled(JavaCodeUnit method, Set<JavaCodeUnit> found) {
    if (found.add(method)) {
      method.getMethodCallsFromSelf().stream()
          .flatMap(call -> call.getTarget().resolveMember().stream())
          .filter(called -> called.getOwner().equals(method.getOwner()))
          .forEach(called -> addCalled(called, found));
    }
  }

  private static boolean keepsBytes(JavaClass type) {
    return type.isArray()
        || type.isAssignableTo(CharSequence.class)
        || type.isAssignableTo(Collection.class)
        || type.isAssignableTo(Map.class)
        || type.getAllMethods().stream().anyMatch(method -> method.getName().equals("bytes"));
  }

  /**
   * A group of classes that depend on each other in a circle can only be understood as a whole. A
   * sealed type and its permitted types count as one, as do a class and the classes within it. The
   * compiler copies constants, so their use is seen in the sources only.
   */
  @TestFactory
  Stream<DynamicTest> noMoreThanThreeClassesFormACircle() {
    return modulesWithRules().stream()
        .map(module -> dynamicTest(module, () -> assertEquals(Set.of(), largeCircles(module))));
  }

  /** Returns which classes of a module use constants of which others, by their full names. */
  private static Map<String, Set<String>> usesOfConstants(String module) throws IOException {
    Path root = ROOT.resolve(module).resolve("src/main/java");
    Map<String, String> sources = new TreeMap<>(); // without comments
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.filter(path -> path.toString().endsWith(".java")).toList()) {
        String name = root.relativize(file).toString().replace(".java", "").replace('/', '.');
        sources.put(name, TemporaryPcp.text(file).replaceAll("(?s)/\\*.*?\\*/|//[^\n]*", ""));
      }
    }
    Map<String, Set<String>> uses = new TreeMap<>();
    sources.forEach((from, text) -> {
      Set<String> used = uses.computeIfAbsent(from, _ -> new TreeSet<>());
      for (String to : sources.keySet()) {
        int dot = to.lastIndexOf('.');
        boolean isVisible =
            from.startsWith(to.substring(0, dot + 1)) || text.contains("import " + to + ";");
        String constant = Pattern.quote(to.substring(dot + 1)) + "\\.[A-Z][A-Z0-9_]+\\b";
        if (text.contains("import static " + to + ".")
            || (isVisible && Pattern.compile("\\b" + constant).matcher(text).find())) {
          used.add(to);
        }
      }
      used.remove(from);
    });
    return uses;
  }

  private static Set<Set<String>> largeCircles(String module) throws IOException {
    JavaClasses classes = classesOf(module);
    Map<String, Set<String>> uses = new TreeMap<>();
    usesOfConstants(module)
        .forEach((from, used) -> {
          if (!classes.contain(from)) {
            return; // package-info
          }
          Set<String> units =
              uses.computeIfAbsent(unit(classes.get(from), classes), _ -> new TreeSet<>());
          used.forEach(to -> units.add(unit(classes.get(to), classes)));
        });
    for (JavaClass from : classes) {
      Set<String> used = uses.computeIfAbsent(unit(from, classes), _ -> new TreeSet<>());
      for (Dependency dependency : from.getDirectDependenciesFromSelf()) {
        JavaClass to = dependency.getTargetClass();
        if (classes.contain(to.getFullName())) {
          used.add(unit(to, classes));
        }
      }
    }
    Map<String, Set<String>> reached = new TreeMap<>();
    uses.keySet().forEach(from -> reached.put(from, reachable(from, uses)));
    Set<Set<String>> circles = new HashSet<>();
    for (String one : uses.keySet()) {
      Set<String> circle = new TreeSet<>(reached.get(one));
      circle.removeIf(other -> !reached.get(other).contains(one));
      if (circle.size() > 3) {
        circles.add(circle);
      }
    }
    return circles;
  }

  private static Set<String> reachable(String from, Map<String, Set<String>> uses) {
    Set<String> found = new TreeSet<>();
    Deque<String> next = new ArrayDeque<>(uses.get(from));
    while (!next.isEmpty()) {
      String one = next.remove();
      if (found.add(one)) {
        next.addAll(uses.get(one));
      }
    }
    return found;
  }

  /** Returns the name of the outermost class, or of the sealed type that permits it. */
  private static String unit(JavaClass one, JavaClasses classes) {
    JavaClass top = one;
    while (top.getEnclosingClass().isPresent()) {
      top = top.getEnclosingClass().get();
    }
    return Stream.concat(top.getAllRawInterfaces().stream(), top.getAllRawSuperclasses().stream())
        .filter(type -> classes.contain(type.getFullName()) && isSealed(type))
        .findFirst()
        .map(type -> unit(type, classes)) // which may be permitted by another one
        .orElse(top.getFullName());
  }

  private static boolean isSealed(JavaClass type) {
    try {
      return ClassFile.of()
          .parse(Path.of(type.getSource().orElseThrow().getUri()))
          .findAttribute(Attributes.permittedSubclasses())
          .isPresent();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What is kept for a client is counted where it is kept, with {@code HeapSize}. */
  @TestFactory
  Stream<DynamicTest> noConstantEstimatesWhatAThingTakes() {
    return modulesWithRules().stream()
        .map(module ->
            dynamicTest(
                module,
                () ->
                    noFields()
                        .should()
                        .haveNameMatching("(.*_)?BYTES_PER_.*")
                        .check(classesOf(module))));
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
