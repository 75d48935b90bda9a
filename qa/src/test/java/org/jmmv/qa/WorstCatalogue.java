package org.jmmv.qa;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.jmmv.client.CollectorConnection;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.LabelType;
import org.jmmv.pcp.Pmid;
import org.jmmv.pcp.ValueType;
import org.jmmv.protocol.InstanceValue;
import org.jmmv.protocol.Result;
import org.jmmv.protocol.Value;
import org.jmmv.protocol.ValueSet;
import org.jmmv.testkit.MmvWriter;

/**
 * Files that cost the most in one way, each within the default limits, and what a client asks for
 * to have them cost that much.
 */
enum WorstCatalogue implements Labelled {
  /**
   * 254 labels of 220 bytes of each cluster, of an instance domain and of each of four items; 4,000
   * metrics, of which these four have 1,024 instances with 762 labels in force.
   */
  LABELS("4,000 metrics with 254 long labels, four of them with 762 and 1,024 instances") {
    private static final int METRICS = 1_000; // of a file
    private static final int OVER_INSTANCES = 4;

    @Override
    void write(Path directory, int divisor) {
      for (int f = 0; f < 4; f++) {
        MmvWriter file = new MmvWriter(3).cluster(CLUSTER + f);
        MmvWriter.InDom inDom = file.inDom(SERIAL);
        for (int i = 0; i < (f == 0 ? 1_024 : 1); i++) {
          inDom.instance(i, instance(i));
        }
        for (int m = 0; m < METRICS / divisor; m++) {
          MmvWriter.Metric metric = file.metric("m" + m, m, ValueType.U64);
          if (f == 0 && m < OVER_INSTANCES) {
            metric.inDom(inDom);
            for (int i = 0; i < 1_024; i++) {
              metric.at(i, i);
            }
          } else {
            metric.value(m);
          }
        }
        addLabels(file, LabelType.CLUSTER, CLUSTER + f);
        file.write(directory, "labels" + f);
      }
      // a section has at most 255 labels, and the files of a cluster share theirs
      addLabels(new MmvWriter(3).cluster(CLUSTER), LabelType.INDOM, SERIAL)
          .write(directory, "indom");
      for (int m = 0; m < OVER_INSTANCES; m++) {
        addLabels(new MmvWriter(3).cluster(CLUSTER), LabelType.ITEM, m)
            .write(directory, "item" + m);
      }
    }

    private static MmvWriter addLabels(MmvWriter file, int type, int identity) {
      for (int i = 0; i < 254; i++) {
        String name = "l" + type + "_" + i;
        String value = "x".repeat(213 - name.length());
        file.label(type, identity, 0, "{\"%s\":\"%s\"}".formatted(name, value));
      }
      return file;
    }

    @Override
    int[] pmids() {
      return IntStream.range(0, 4 * METRICS)
          .map(i -> Pmid.build(DOMAIN, CLUSTER + i / METRICS, i % METRICS))
          .toArray();
    }

    @Override
    int valuesOfEach() {
      return 1; // but for four of them
    }

    @Override
    String name(int i) {
      return "mmv.labels%d.m%d".formatted(i / METRICS, i % METRICS);
    }
  },

  /** 70 files, because a section has at most 1,023 metrics. */
  NAMES("70,000 metrics with names of 500 bytes, of which 53,000 fit") {
    @Override
    void write(Path directory, int divisor) {
      for (int f = 0; f < 70 / divisor; f++) {
        MmvWriter file = new MmvWriter(2).cluster(CLUSTER + f);
        for (int m = 0; m < 1_000; m++) {
          file.metric(metric(m), m, ValueType.U64).value(m);
        }
        file.write(directory, file(f));
      }
    }

    private static String metric(int m) {
      return padded("m", m, 250);
    }

    private static String file(int f) {
      return padded("f", f, 245);
    }

    private static String padded(String start, int number, int length) {
      return start + "x".repeat(length - 6) + "%05d".formatted(number);
    }

    @Override
    int[] pmids() {
      return IntStream.range(0, 70_000)
          .map(i -> Pmid.build(DOMAIN, CLUSTER + i / 1_000, i % 1_000))
          .toArray();
    }

    @Override
    String name(int i) {
      return "mmv." + file(i / 1_000) + "." + metric(i % 1_000);
    }

    @Override
    String parent() {
      return "mmv." + file(0);
    }
  },

  /** With longer names, the file needs more memory than a single one may. */
  INSTANCES("190,000 instances with names of 60 bytes, and three metrics with a value of each") {
    private static final int METRICS = 3;

    @Override
    void write(Path directory, int divisor) {
      MmvWriter file = new MmvWriter(2).packed().cluster(CLUSTER);
      MmvWriter.InDom inDom = file.inDom(SERIAL);
      int instances = 190_000 / divisor;
      for (int i = 0; i < instances; i++) {
        inDom.instance(i, instance(i));
      }
      for (int m = 0; m < METRICS; m++) {
        MmvWriter.Metric metric = file.metric("m" + m, m, ValueType.U64).inDom(inDom);
        for (int i = 0; i < instances; i++) {
          metric.at(i, i);
        }
      }
      file.write(directory, "instances");
    }

    @Override
    int[] pmids() {
      return IntStream.range(0, METRICS).map(m -> Pmid.build(DOMAIN, CLUSTER, m)).toArray();
    }

    @Override
    int valuesOfEach() {
      return 190_000;
    }

    @Override
    String name(int i) {
      return "mmv.instances.m" + i;
    }

    @Override
    String instance(int i) {
      return "x".repeat(54) + "%06d".formatted(i);
    }
  },

  TEXTS("190,000 instances with one string of 190 bytes") {
    @Override
    void write(Path directory, int divisor) {
      MmvWriter file = new MmvWriter(2).packed().cluster(CLUSTER);
      MmvWriter.InDom inDom = file.inDom(SERIAL);
      MmvWriter.Metric metric = file.metric("m0", 0, ValueType.STRING).inDom(inDom);
      String text = "x".repeat(190);
      for (int i = 0; i < 190_000 / divisor; i++) {
        inDom.instance(i, instance(i));
        metric.textAt(i, text);
      }
      file.write(directory, "texts");
    }

    @Override
    int[] pmids() {
      return new int[] {Pmid.build(DOMAIN, CLUSTER, 0)};
    }

    @Override
    int valuesOfEach() {
      return 190_000 * 14; // numbers, which take as long
    }

    @Override
    String name(int i) {
      return "mmv.texts.m0";
    }
  },

  PMID("8,000 files that share a PMID, each with a string of one instance") {
    @Override
    void write(Path directory, int divisor) {
      for (int f = 0; f < 8_000 / divisor; f++) {
        MmvWriter file = new MmvWriter(2).cluster(CLUSTER);
        MmvWriter.InDom inDom = file.inDom(SERIAL).instance(f, instance(f));
        file.metric("m", 0, ValueType.STRING).inDom(inDom).textAt(f, "text");
        file.write(directory, "f" + f);
      }
    }

    @Override
    int[] pmids() {
      return new int[] {Pmid.build(DOMAIN, CLUSTER, 0)};
    }

    @Override
    int valuesOfEach() {
      return 8_000;
    }

    @Override
    String name(int i) {
      return "mmv.f" + i + ".m";
    }
  },

  /** The clients connect when the files are served. */
  CLIENTS("1,000 clients of PCP") {
    @Override
    void write(Path directory, int divisor) {}

    @Override
    int clients() {
      return 1_000;
    }

    @Override
    int[] pmids() {
      return new int[] {Pmid.build(2, 6, 0)};
    }

    @Override
    int valuesOfEach() {
      return 50_000; // of the usual length
    }

    @Override
    int inDom() {
      return InDom.build(2, 6);
    }

    @Override
    String name(int i) {
      return "pmcd.client.whoami";
    }

    @Override
    String instance(int i) {
      return Integer.toString(i);
    }
  },

  ENTRIES("10,000 files with faults, and 10,000 that are no MMV files") {
    private static final List<String> METRICS =
        List.of("reason", "state", "state_name", "metrics", "skipped", "loads", "faults", "hints");

    @Override
    void write(Path directory, int divisor) throws IOException {
      for (int f = 0; f < 10_000 / divisor; f++) {
        MmvWriter faulty = new MmvWriter(2).cluster(CLUSTER + f / 500);
        faulty.metric("m", 2 * (f % 500), ValueType.U32).value(1);
        faulty.metric("bad", 2 * (f % 500) + 1, 1_000).value(1); // no such type
        faulty.write(directory, instance(f));
        Files.writeString(directory.resolve(instance(10_000 + f)), "no MMV file");
      }
    }

    @Override
    int[] pmids() {
      return IntStream.of(102, 100, 101, 103, 105, 111, 113, 117)
          .map(item -> Pmid.build(DOMAIN, 0, item))
          .toArray();
    }

    @Override
    int inDom() {
      return InDom.build(DOMAIN, 0);
    }

    @Override
    int valuesOfEach() {
      return 20_000;
    }

    @Override
    String name(int i) {
      return "mmv.control.file." + METRICS.get(i % METRICS.size());
    }

    @Override
    String parent() {
      return "mmv";
    }

    @Override
    String instance(int i) {
      return "entry" + "x".repeat(190) + "%05d".formatted(i);
    }
  };

  static final int DOMAIN = 70;
  static final int CLUSTER = 10; // the first one
  private static final int SERIAL = 1;

  private final String what;

  WorstCatalogue(String what) {
    this.what = what;
  }

  String what() {
    return what;
  }

  /**
   * Writes the files.
   *
   * @param divisor 1 for all, or a part of them
   */
  abstract void write(Path directory, int divisor) throws IOException;

  /** Returns the number of clients that are connected. */
  int clients() {
    return 0;
  }

  /** Connects a client, which says of itself all that it may. */
  CollectorConnection connect(SocketAddress address) throws IOException {
    CollectorConnection client = CollectorConnection.admitted(address);
    InstanceValue text = new InstanceValue(0, Value.ofText("x".repeat(1_024)));
    client.ask(new Result(0, 0, 0, List.of(ValueSet.of(pmids()[0], List.of(text)))));
    return client;
  }

  /** Returns the metrics in question. */
  abstract int[] pmids();

  /** Returns the number of values of each of these metrics. */
  int valuesOfEach() {
    return 1;
  }

  /** Returns one of the names in question, numbered from 0. */
  abstract String name(int i);

  /** Returns the name with the most children. */
  String parent() {
    String name = name(0);
    return name.substring(0, name.lastIndexOf('.'));
  }

  /** Returns the instance domain in question. */
  int inDom() {
    return InDom.build(DOMAIN, CLUSTER << 11 | SERIAL);
  }

  /** Returns the name of an instance. */
  String instance(int i) {
    return "instance" + i;
  }

  /** Returns as many of these PMIDs, over and over again. */
  int[] pmids(int count) {
    int[] all = pmids();
    return IntStream.range(0, count).map(i -> all[i % all.length]).toArray();
  }
}
