package org.jmmv.dist;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jmmv.client.AgentConnection;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.Instance;
import org.jmmv.pcp.LabelType;
import org.jmmv.pcp.Semantics;
import org.jmmv.pcp.TextType;
import org.jmmv.protocol.Desc;
import org.jmmv.protocol.InstanceReq;
import org.jmmv.protocol.InstanceValue;
import org.jmmv.protocol.LabelReq;
import org.jmmv.protocol.Profile;
import org.jmmv.protocol.TextReq;
import org.jmmv.protocol.Value;
import org.jmmv.protocol.ValueSet;
import org.jmmv.testkit.MmvType;
import org.jmmv.testkit.MmvWriter;

/**
 * Makes what lets the agent that is built start quickly. The AOT cache (JEP 483, 514): the agent
 * runs once, from start to end, with every kind of request over every kind of file, and the JVM
 * records the classes that it loads and links. It does not record profiles of methods, which only
 * the JIT's second compiler uses, and which make each start longer. And the sample files with which
 * the agent warms up after its start. Nothing is wrong with the files, as in most runs.
 */
final class Training {
  private static final int FETCHES = 5000;
  private static final int DOMAIN = 70;

  /** The JVM writes the record when the agent exits, which takes long on a busy machine. */
  private static final Duration TIMEOUT = Duration.ofMinutes(10);

  private final Path launcher;
  private final Path cache;
  private final Path home;

  private Training(Path launcher, Path cache, Path home) {
    this.launcher = launcher;
    this.cache = cache;
    this.home = home;
  }

  /**
   * Makes the cache, and the sample files beside it.
   *
   * @param args the launcher and the cache, as paths
   */
  public static void main(String[] args) throws Exception {
    Path home = Files.createTempDirectory("jmmv-training");
    try {
      new Training(Path.of(args[0]).toAbsolutePath(), Path.of(args[1]).toAbsolutePath(), home)
          .run();
    } finally {
      try (Stream<Path> files = Files.walk(home)) {
        for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
          Files.delete(file);
        }
      }
    }
  }

  private void run() throws IOException, InterruptedException {
    Files.deleteIfExists(cache);
    Path mmv = Files.createDirectory(home.resolve("mmv"));
    Path sample = Files.createDirectories(cache.resolveSibling("sample"));
    for (int version = 1; version <= 3; version++) {
      write(version).write(mmv, "version" + version);
      write(version).write(sample, "version" + version);
    }
    // as at all starts but the first
    Path remembered = Files.createDirectories(home.resolve("config/pmda")).resolve("jmmv.clusters");
    Files.writeString(remembered, "version2=1 0\n/count=1\n");
    Path record = home.resolve("record");
    List<String> command =
        System.getProperty("user.name").equals("root")
            ? List.of(launcher.toString(), "-l", home + "/log", "-U", "root")
            : List.of(launcher.toString(), "-l", home + "/log");
    Map<String, String> environment =
        environment("-XX:-AOTRecordTraining -XX:AOTMode=record -XX:AOTConfiguration=" + record);
    try (AgentConnection agent =
        AgentConnection.start(command, environment, Redirect.INHERIT, TIMEOUT)) {
      askForEverything(agent, mmv);
    }
    create(record);
  }

  private Map<String, String> environment(String options) {
    Map<String, String> environment = new HashMap<>();
    for (String name : List.of("PCP_TMP_DIR", "PCP_VAR_DIR", "PCP_LOG_DIR", "PCP_SYSCONF_DIR")) {
      environment.put(name, home.toString());
    }
    environment.put("JMMV_JAVA", "");
    environment.put("JMMV_JAVA_OPTS", options);
    return environment;
  }

  private static MmvWriter write(int version) {
    MmvWriter writer = new MmvWriter(version).cluster(version % 2).flags(MmvWriter.SENTINEL);
    MmvWriter.InDom inDom = writer.inDom(1).help("one line", "a text");
    inDom.instance(1, "one").instance(2, "two words").instance(3, "three");
    for (MmvType type : MmvType.values()) {
      int code = type.code();
      MmvWriter.Metric single = writer.metric("single.m" + code, 2 * code, code);
      MmvWriter.Metric several = writer.metric("several.m" + code, 2 * code + 1, code);
      several.inDom(inDom).help("one line", "a text").semantics(Semantics.INSTANT);
      if (type == MmvType.STRING) {
        single.text("text");
        several.textAt(1, "text").textAt(2, "").textAt(3, "another");
      } else {
        single.value(42);
        several.at(1, 1).at(2, -1).at(3, 3);
      }
    }
    writer.label(LabelType.CLUSTER, 0, 0, "{\"cluster\":\"label\"}");
    writer.label(LabelType.ITEM, 1, 0, "{\"item\":[1,2,true]}");
    writer.label(LabelType.INDOM, 1, 0, "{\"indom\":{\"nested\":1.5}}");
    writer.label(LabelType.INSTANCES, 1, 2, "{\"instance\":\"label\"}");
    return writer;
  }

  private static void askForEverything(AgentConnection agent, Path mmv) throws IOException {
    List<String> names = agent.traverse("mmv");
    agent.children("mmv");
    int[] pmids = new int[names.size()];
    for (int i = 0; i < pmids.length; i++) {
      pmids[i] = agent.pmid(names.get(i));
      askAbout(agent, pmids[i]);
    }
    agent.requestFrame(new LabelReq(0, DOMAIN, LabelType.DOMAIN));
    agent.requestFrame(new InstanceReq(0, InDom.build(DOMAIN, 99), Instance.NULL, "none"));
    for (int i = 0; i < FETCHES; i++) {
      if (i % 500 == 0) {
        write(2).generation(i + 10).write(mmv, "version2");
      }
      agent.fetch(Profile.all(0, 0), i % 10 == 0 ? pmids : new int[] {pmids[i % pmids.length]});
    }
    int reload = agent.pmid("mmv.control.reload");
    agent.store(ValueSet.of(reload, List.of(new InstanceValue(Instance.NULL, new Value.Word(1)))));
    agent.traverse("mmv");
  }

  private static void askAbout(AgentConnection agent, int pmid) throws IOException {
    agent.names(pmid);
    Desc desc = agent.describe(pmid);
    agent.requestFrame(new TextReq(0, pmid, TextType.PMID | TextType.ONELINE));
    agent.requestFrame(new TextReq(0, pmid, TextType.PMID | TextType.HELP));
    agent.requestFrame(new LabelReq(0, pmid, LabelType.CLUSTER));
    agent.requestFrame(new LabelReq(0, pmid, LabelType.ITEM));
    if (desc.inDom() != InDom.NULL) {
      agent.instances(desc.inDom());
      agent.requestFrame(new InstanceReq(0, desc.inDom(), Instance.NULL, "two"));
      agent.requestFrame(new TextReq(0, desc.inDom(), TextType.INDOM | TextType.ONELINE));
      agent.requestFrame(new LabelReq(0, desc.inDom(), LabelType.INDOM));
      agent.requestFrame(new LabelReq(0, desc.inDom(), LabelType.INSTANCES));
    }
  }

  /** Turns the record into the cache; the JVM does that instead of running the agent. */
  private void create(Path record) throws IOException, InterruptedException {
    Path created = home.resolve("cache"); // a path without blanks: the launcher splits the options
    ProcessBuilder builder = new ProcessBuilder(launcher.toString());
    builder
        .environment()
        .putAll(
            environment(
                "-XX:AOTMode=create -XX:AOTConfiguration=" + record + " -XX:AOTCache=" + created));
    Path output = home.resolve("output");
    Process process =
        builder.redirectErrorStream(true).redirectOutput(Redirect.to(output.toFile())).start();
    if (!process.waitFor(TIMEOUT) || process.exitValue() != 0 || !Files.exists(created)) {
      process.destroyForcibly();
      throw new IOException("there is no AOT cache; the JVM says: " + Files.readString(output));
    }
    Files.move(created, cache);
  }
}
