package org.jmmv.qa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.google.gson.JsonParser;
import io.kubernetes.client.openapi.JSON;
import io.kubernetes.client.openapi.models.V1DaemonSet;
import io.kubernetes.client.openapi.models.V1Pod;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jmmv.qa.Application.Library;
import org.jmmv.testkit.MmvType;
import org.jmmv.testkit.UniformFile;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The container image, and the examples for it in docs/containers.md. */
@Tag("containers")
final class ImageTest {
  private static final String IMAGE = "jmmv";
  private static final int MAX_BYTES = 80_000_000; // of the files

  @AutoClose private final TemporaryPcp pcp = new TemporaryPcp();

  @BeforeAll
  static void load() throws IOException {
    Need.ROOT.require();
    try (DirectoryStream<Path> images =
        Files.newDirectoryStream(AgentCommand.HOME.getParent(), "jmmv-*-image-*.tar")) {
      docker("load", "-i", images.iterator().next().toString()).outOfSuccess();
    }
  }

  private static Shell.Result docker(String... words) {
    return Shell.run(Map.of(), Stream.concat(Stream.of("docker"), Stream.of(words)).toList());
  }

  private static JsonNode inspect(String name) {
    try {
      return new ObjectMapper().readTree(docker("inspect", name).outOfSuccess()).get(0);
    } catch (JsonProcessingException e) {
      throw new AssertionError(e);
    }
  }

  /** A container of the image, which serves the files of the test. */
  private final class Running implements AutoCloseable {
    private final String id;
    private final ThisMachine machine;

    Running(String... options) {
      List<String> words =
          new ArrayList<>(
              List.of(
                  "run",
                  "--detach",
                  "--network=none",
                  "--read-only",
                  "--cap-drop=ALL",
                  "--security-opt=no-new-privileges",
                  "--health-interval=1s",
                  "--volume=" + pcp.mmv() + ":/var/tmp/mmv:ro"));
      words.addAll(List.of(options));
      words.add(IMAGE);
      id = docker(words.toArray(String[]::new)).outOfSuccess().strip();
      machine = ThisMachine.inNetworkOf(state().get("Pid").asLong());
    }

    JsonNode state() {
      return inspect(id).get("State");
    }

    String log() {
      Shell.Result logs = docker("logs", id);
      return logs.out() + logs.err();
    }

    void awaitHealth() {
      Await.until(
          "it is healthy",
          this::log,
          () -> state().at("/Health/Status").asText().equals("healthy"));
    }

    Shell.Result pminfo(String... arguments) {
      return new PcpServer(machine, Map.of(), "127.0.0.1").client("pminfo", arguments);
    }

    @Override
    public void close() {
      docker("rm", "--force", "--volumes", id);
    }
  }

  private static void assertEndsWell(Running jmmv) {
    docker("stop", jmmv.id).outOfSuccess();
    assertEquals(0, jmmv.state().get("ExitCode").asInt());
    assertFalse(jmmv.log().contains("Warning"), jmmv::log);
  }

  /** The memory that the test leaves it is the bound: the kernel ends what takes more. */
  @Test
  void itServesTheApplicationsOfOtherContainersWithLittleMemoryAndNoRights() {
    Path mmv = pcp.mmv();
    new UniformFile(2, 100, 100, MmvType.U64).writer(1).cluster(1).write(mmv, "large");
    try (Running jmmv = new Running("--user=0:0", "--memory=80m", "--cpus=0.5");
        ContainerMachine one = ContainerMachine.withPcp("bookworm", mmv.getParent());
        ContainerMachine other = ContainerMachine.withPcp("bookworm", mmv.getParent())) {
      Application shop = start(one, "shop");
      start(other, "depot").set("requests", "7");
      jmmv.awaitHealth();
      Prometheus prometheus =
          pcp.open(Prometheus.start(jmmv.machine, pcp, Prometheus.scrapeConfigs(9464), ""));
      Await.until(
          "all values are scraped",
          () -> prometheus.query("mmv_depot_requests_total").equals(List.of(7.0)));
      assertEquals(List.of(10_000.0), prometheus.query("count({__name__=~\"mmv_large_.*\"})"));
      String pmid = jmmv.pminfo("-m", "mmv.shop.requests").outOfSuccess();

      shop.stop();
      Await.until("the file has gone", () -> jmmv.pminfo("mmv.shop").status() != 0);
      start(one, "shop");
      Await.until( // with half of a processor, a request does not wait until it is read
          "it has the PMID that it had",
          () -> jmmv.pminfo("-m", "mmv.shop.requests").out().equals(pmid));

      other.run("pkill", "-KILL", "application").outOfSuccess();
      Await.until(
          "the killed application has gone, whose file is there",
          () -> jmmv.pminfo("mmv.depot").status() != 0);
      assertTrue(Files.exists(mmv.resolve("depot")));
      assertFalse(jmmv.state().get("OOMKilled").asBoolean());
      assertEndsWell(jmmv);
    }
  }

  private Application start(Machine machine, String name) {
    return Application.start(
        machine, pcp.file(name + ".err"), pcp.mmv(), Library.LIBPCP_MMV, name, "automatic queues");
  }

  /** An engine gives a user ID of its own, of group 0, if it is asked to. */
  @Test
  void anyUserOfGroup0KeepsNumbersInAVolume() throws IOException {
    Files.setPosixFilePermissions(pcp.mmv(), PosixFilePermissions.fromString("rwxr-xr-x"));
    new UniformFile(2, 1, 0, MmvType.U64).writer(1).write(pcp.mmv(), "shop");
    for (String user : List.of("65532:0", "1000770000:0")) {
      try (Running jmmv = new Running("--user=" + user)) {
        jmmv.awaitHealth();
        jmmv.pminfo("mmv.shop").outOfSuccess();
        assertEndsWell(jmmv);
      }
    }
  }

  @Test
  void itIsSmallAndHasNoShell() {
    JsonNode image = inspect(IMAGE);
    assertTrue(image.get("Size").asLong() <= MAX_BYTES, image.get("Size")::asText);
    assertEquals("65532:0", image.at("/Config/User").asText());
    assertEquals(
        "Apache-2.0", image.at("/Config/Labels/org.opencontainers.image.licenses").asText());
    assertTrue(docker("run", "--rm", "--entrypoint=/bin/sh", IMAGE).err().contains("no such file"));
    String id = docker("create", IMAGE).outOfSuccess().strip();
    Path files = pcp.file("files.tar");
    docker("export", "--output=" + files, id).outOfSuccess();
    docker("rm", id).outOfSuccess();
    String names = Shell.run(Map.of(), List.of("tar", "tf", files.toString())).outOfSuccess();
    for (String name : List.of("LICENSE", "NOTICE", "usr/share/doc/libc6/copyright")) {
      assertTrue(names.contains("\n" + name + "\n") || names.startsWith(name), name);
    }
    assertEquals(
        List.of("usr/lib/jmmv/runtime/bin/java"),
        names.lines().filter(name -> name.matches(".*bin/.*[^/]")).toList());
  }

  /** Its Java has the options that the launcher of the packages gives, and uses the AOT cache. */
  @Test
  void itsOptionsAreThoseOfTheLauncher() {
    String print = "-XX:+PrintFlagsFinal";
    String ofImage =
        docker("run", "--rm", "--env=JDK_JAVA_OPTIONS=" + print, IMAGE, "--version").outOfSuccess();
    String ofLauncher = Shell.jmmv(Map.of("JMMV_JAVA_OPTS", print), "--version").outOfSuccess();
    assertEquals(flags(ofLauncher), flags(ofImage));
    docker("run", "--rm", "--env=JDK_JAVA_OPTIONS=-XX:AOTMode=on", IMAGE, "--version")
        .outOfSuccess();
  }

  private static List<String> flags(String printed) {
    Predicate<String> isCache = line -> line.contains("AOTCache");
    return printed
        .lines()
        .filter(line -> line.contains("{command line}"))
        .filter(isCache.negate()) // another path
        .toList();
  }

  // --- the examples

  @Test
  void composeRunsItsExample() throws IOException {
    int pcpPort = PrivatePmcd.freePort();
    int httpPort = PrivatePmcd.freePort();
    Path directory = Files.createDirectory(pcp.file("compose"));
    Files.writeString(
        directory.resolve("docker-compose.yml"),
        "version: '3'\n"
            + DocumentBlock.of("containers.md", "services:")
                .replace("44321:44321", pcpPort + ":44321") // a pmcd may have it here
                .replace("9464:9464", httpPort + ":9464"));
    String sources = System.getProperty("jmmv.sources") + "/c";
    Files.writeString(
        directory.resolve("docker-compose.override.yml"),
        """
        version: '3'
        services:
          shop:
            image: jmmv-qa:bookworm
            stdin_open: true
            command: [sh, -c, "gcc -o /tmp/application /c/application.c -lpcp_mmv -lpcp && exec /tmp/application shop automatic"]
            volumes: ["%s:/c:ro"]
        """
            .formatted(sources));
    try {
      compose(directory, "up", "--detach").outOfSuccess();
      Await.until(
          "the application is served by way of the port of this machine",
          () -> compose(directory, "logs").out(),
          () ->
              Shell.run(
                      Map.of(), List.of("curl", "-sS", "http://127.0.0.1:" + httpPort + "/metrics"))
                  .out()
                  .contains("jmmv_file_state{file=\"shop\",state=\"served\"} 1"));
      assertTrue(
          new PcpServer(new ThisMachine(), Map.of(), "127.0.0.1:" + pcpPort)
              .client("pminfo", "-f", "mmv.shop")
              .outOfSuccess()
              .contains("value"));
    } finally {
      compose(directory, "down", "--volumes");
    }
  }

  private static Shell.Result compose(Path directory, String... words) {
    return Shell.run(
        Map.of(),
        Stream.concat(
                Stream.of("docker-compose", "--project-directory", directory.toString()),
                Stream.of(words))
            .toList());
  }

  @Test
  void podmanTakesItsExample() throws IOException {
    try (ContainerMachine trixie = ContainerMachine.withPcp("trixie")) {
      Path units = Files.createDirectory(trixie.temporary().resolve("units"));
      Files.writeString(
          units.resolve("jmmv.container"), DocumentBlock.of("containers.md", "[Unit]"));
      String unit =
          trixie
              .run("env", "QUADLET_UNIT_DIRS=" + units, "/usr/local/bin/quadlet", "-dryrun")
              .outOfSuccess();
      assertTrue(unit.contains("ExecStart=/usr/bin/podman run"), unit);
      assertTrue(unit.contains("-v /var/tmp/mmv:/var/tmp/mmv:ro"), unit);
    }
  }

  /** The classes have a field for each one of the API, and nothing else. */
  @Test
  void kubernetesTakesItsExamples() throws IOException {
    V1Pod pod = JSON.getGson().fromJson(json("apiVersion: v1"), V1Pod.class);
    V1Pod.validateJsonElement(JsonParser.parseString(json("apiVersion: v1")));
    assertEquals(
        List.of("shop", "jmmv"),
        pod.getSpec().getContainers().stream().map(c -> c.getName()).toList());
    V1DaemonSet.validateJsonElement(JsonParser.parseString(json("apiVersion: apps/v1")));
  }

  private static String json(String firstLine) {
    try {
      return new YAMLMapper().readTree(DocumentBlock.of("containers.md", firstLine)).toString();
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }
}
