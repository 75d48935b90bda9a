package org.jmmv.qa;

import static org.jmmv.qa.HostileImages.ITEM;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.jmmv.client.AgentConnection;
import org.jmmv.pcp.Instance;
import org.jmmv.pcp.LabelType;
import org.jmmv.pcp.Pmid;
import org.jmmv.pcp.ValueType;
import org.jmmv.protocol.Fetch;
import org.jmmv.protocol.InDomProfile;
import org.jmmv.protocol.InstanceValue;
import org.jmmv.protocol.Profile;
import org.jmmv.protocol.Result;
import org.jmmv.protocol.Value;
import org.jmmv.protocol.ValueSet;
import org.jmmv.testkit.MmvWriter;

/**
 * What an application that may only write to the directory of the MMV files, or a client, can do to
 * cost the agent time or memory. Each constant attacks one thing that the agent counts, sorts,
 * hashes, merges, retries or remembers.
 */
@SuppressWarnings("ImmutableEnumChecker") // the functions have no state
enum Attack implements Labelled {
  OVERLAPPING_SECTIONS(
      "10,900 METRICS sections over the same 1,023 metrics",
      site -> {
        int sections = site.size(10_900, 300);
        site.write(site.file(0), HostileImages.overlappingSections(sections, i -> "m" + i));
      }),
  EMPTY_INDOMS(
      "4,190,000 empty instance domains in a file",
      site -> site.write(site.file(0), HostileImages.emptyInDoms(site.size(4_190_000, 100_000)))),
  TOC_ENTRIES(
      "a table of contents of 33,000,000 entries",
      site -> {
        int entries = site.size(33_000_000, 1_000_000);
        site.write(site.file(0), HostileImages.toc(entries));
      }),
  UNPRINTABLE_NAMES(
      "10,900 METRICS sections over the same 1,023 unprintable names",
      site -> {
        int sections = site.size(10_900, 300);
        site.write(
            site.file(0), HostileImages.overlappingSections(sections, _ -> "\1".repeat(255)));
      },
      Attack::changeFirst),
  TAKEN_NAME(
      "32,768 metrics of a name that another file has",
      site -> {
        int metrics = site.size(32_768, 4_096);
        String taken = GoodFile.NAME + ".count";
        site.write(site.file(0), HostileImages.metrics(5, metrics, _ -> taken));
      },
      Attack::changeFirst),
  LINKS_TO_MANY_VALUES(
      "100 links to a file of 4,000,000 values that are all zeros",
      site -> {
        site.write(site.file(0), HostileImages.zeroValues(site.size(4_000_000, 200_000)));
        site.link(site.size(100, 20));
      }),
  LINKS(
      "19,990 links to a file of 9 KiB",
      site -> {
        site.write(site.file(0), HostileImages.small(5));
        site.link(site.size(19_990, 1_000));
      }),
  SYMBOLIC_LINKS(
      "10,000 symbolic links that change between two files",
      site -> {
        site.write(site.file(0), HostileImages.small(5));
        site.write(site.file(1), HostileImages.small(6));
        for (int i = 2; i < site.size(10_000, 500); i++) {
          site.symlink(site.file(i), site.file(i % 2).toString());
        }
      },
      (site, round) -> {
        for (int i = 2; i < 300; i++) {
          site.remove(site.file(i));
          site.symlink(site.file(i), site.file((i + round) % 2).toString());
        }
      }),
  FOLDING_SERIALS(
      "97 files of 2,048 serials that are cut to the same number",
      site -> site.writeAll(site.size(97, 8), HostileImages.foldingSerials().image()),
      (site, round) -> site.settle(site.size(97, 8), round)),
  EQUAL_HASHES(
      "98,940 names of the same String.hashCode, rewritten",
      Attack::writeEqualHashes,
      (site, _) -> writeEqualHashes(site)),
  EQUAL_LABEL_HASHES(
      "50,000 labels whose keys and objects have equal hashes",
      site -> site.writeAll(site.size(196, 8), f -> HostileImages.equalLabelHashes(f).image())),
  ONE_NAME(
      "98,940 metrics of one name, in 97 files",
      site ->
          site.writeAll(site.size(97, 8), f -> HostileImages.metrics(10 + f, 1020, _ -> "same"))),
  STORE_INTO_LINKS(
      "19,990 links to one file, whose generation changes",
      site -> {
        site.write(site.file(0), HostileImages.single(5));
        site.link(site.size(19_990, 1_000));
      },
      Attack::changeFirst),
  STORE_INTO_AUTOMATIC_LINKS(
      "the same with automatic clusters",
      site -> {
        site.write(site.file(0), HostileImages.single(0));
        site.link(site.size(19_990, 1_000));
      },
      Attack::changeFirst),
  CUT_FILES(
      "2,000 mapped files that are cut behind their metadata",
      site ->
          site.writeAll(
              site.size(2_000, 100), f -> HostileImages.valuesOnTheSecondPage(10 + f).image()),
      (site, round) -> {
        for (int f = 0; f < site.size(2_000, 100); f++) {
          if (round % 2 == 0) {
            site.truncate(site.file(f), 4096);
          } else {
            site.write(site.file(f), HostileImages.valuesOnTheSecondPage(10 + f));
          }
        }
      }),
  LONG_NAMES(
      "98,940 names of up to 122 parts",
      site ->
          site.writeAll(
              site.size(97, 8),
              f ->
                  HostileImages.metrics(
                      10 + f, 1020, i -> "a.".repeat(i % 122) + "b" + (f * 1020 + i)))),
  LABEL_RECORDS(
      "50,000 label records about one metric", site -> writeLabels(site, 0), Attack::writeLabels),
  NESTED_LABELS(
      "50,000 label records of 110 levels about one metric",
      site ->
          site.writeAll(
              site.size(196, 8),
              f ->
                  HostileImages.labels(i ->
                          "{\"l%d_%d\":%s%s}".formatted(f, i, "[".repeat(110), "]".repeat(110)))
                      .image())),
  NEW_NAMES(
      "files with faults that come and go under new names, 400 at a time",
      site -> {},
      (site, round) -> {
        ByteBuffer image = HostileImages.faults(5).image();
        int count = site.size(400, 40);
        for (int i = round * count; i < (round + 1) * count; i++) {
          site.write(site.file(i), image);
          site.remove(site.file(i - count));
        }
      }) {
    @Override
    boolean isTraversed() {
      return false;
    }

    @Override
    int seconds() {
      return 60;
    }
  },
  ALL_LIMITS(
      "all limits used at once, with faults",
      site -> site.writeAll(site.size(200, 4), f -> HostileImages.atAllLimits(f, 200).image()),
      (site, round) -> {
        int f = round % site.size(200, 4);
        site.write(site.file(f), HostileImages.atAllLimits(f, 200));
      }),
  ALL_LIMITS_AND_FAULTS(
      "the same, and 19,000 files with as many faults as are kept",
      site -> {
        ALL_LIMITS.begin(site);
        ByteBuffer image = HostileImages.faults(5).image();
        for (int i = 0; i < site.size(19_000, 200); i++) {
          site.write(site.file(1000 + i), image);
        }
      }),
  MANY_USERS(
      "all limits used at once by 200 users",
      site -> {
        for (int f = 0; f < site.size(200, 4); f++) {
          site.ofUser(20_000 + f).write(site.file(f), HostileImages.atAllLimits(f, 200));
        }
      }),
  DANGLING_LINKS(
      "3,000,000 dangling links, and changes in their directory",
      site -> {
        for (int i = 0; i < site.size(3_000_000, 20_000); i++) {
          if (i % HostileImages.LINKS_OF_AN_INODE == 0) {
            site.symlink(site.file(i), "nothing");
          } else {
            site.link(site.file(i), site.file(i - i % HostileImages.LINKS_OF_AN_INODE));
          }
        }
      },
      (site, round) -> site.remove(site.file(round))),
  LONG_ENTRIES(
      "100,000 links with names of 240 bytes",
      site -> {
        String name = "x".repeat(200);
        for (int i = 0; i < site.size(100_000, 5_000); i++) {
          if (i % HostileImages.LINKS_OF_AN_INODE == 0) {
            site.write(site.file(name + i), HostileImages.single(0));
          } else {
            site.link(
                site.file(name + i), site.file(name + (i - i % HostileImages.LINKS_OF_AN_INODE)));
          }
        }
      }),
  REPEATED_FETCH(
      "a client fetches a metric of 199,000 instances 16,000 times in a request",
      site -> {
        int count = site.size(199_000, 20_000);
        site.write(site.file(0), HostileImages.instances(5, count, i -> "i" + i));
      }) {
    @Override
    void ask(AgentConnection agent) throws IOException {
      int[] pmids = new int[16_000];
      Arrays.fill(pmids, Pmid.build(70, 5, ITEM));
      InDomProfile one = new InDomProfile(70 << 22 | 5 << 11 | 1, false, 7);
      agent.requestFrame(new Profile(0, 0, true, List.of(one)), Fetch.of(0, 0, pmids));
    }
  },
  REPEATED_STORE(
      "a client stores mmv.control.reload 16,000 times in a request",
      site -> site.writeAll(site.size(1_000, 50), f -> HostileImages.single(10 + f).image())) {
    @Override
    void ask(AgentConnection agent) throws IOException {
      ValueSet store =
          ValueSet.of(
              Pmid.build(70, 0, 0), List.of(new InstanceValue(Instance.NULL, new Value.Word(1))));
      agent.requestFrame(new Result(0, 0, 0, Collections.nCopies(16_000, store)));
    }
  },
  FOREIGN_SERIAL(
      "a serial that makes the instance domain of the good file",
      site -> {
        for (int cluster : new int[] {1, GoodFile.CLUSTER & 0x7ff, GoodFile.CLUSTER ^ 0x800}) {
          MmvWriter file = new MmvWriter(3).cluster(cluster);
          int serial = (GoodFile.CLUSTER & 0x7ff) << 11 | GoodFile.SERIAL;
          MmvWriter.InDom inDom = file.inDom(cluster == 1 ? serial : GoodFile.SERIAL);
          inDom.instance(0, "renamed").instance(8, "added").help("foreign", "foreign");
          file.metric("m", ITEM, ValueType.U32).inDom(inDom).at(0, 1);
          file.label(LabelType.INDOM, cluster == 1 ? serial : GoodFile.SERIAL, 0, "{\"f\":1}");
          site.write(site.file(cluster), file);
        }
      }),
  SHARED_INSTANCES(
      "an instance domain of 190,000 instances, which 12,000 metrics share",
      site -> {
        String prefix = "x".repeat(200);
        int count = site.size(190_000, 5_000);
        site.write(site.file(0), HostileImages.instances(5, count, i -> prefix + i));
        site.write(site.file(1), HostileImages.instances(5 + 2048, 1, i -> prefix + i));
        for (int f = 2; f < site.size(14, 4); f++) {
          site.write(
              site.file(f), HostileImages.metricsOverInstances(5 + f % 2 * 2048, 1000, m -> m % 7));
        }
      },
      (site, round) -> MmvWriter.settle(site.file(2), round + 2)),
  FIRST_OF_MANY(
      "the first of 90 files that share a cluster comes and goes",
      site -> {
        for (int f = 1; f < site.size(90, 8); f++) {
          int first = f * 1000;
          site.write(site.file(f), HostileImages.metricsOverInstances(5, 1000, m -> first + m));
        }
      },
      (site, round) -> {
        site.write(site.file(0), HostileImages.metricsOverInstances(5, 1000, m -> 1000 + m * 90));
        site.pause();
        site.remove(site.file(0));
      }),
  DISPLACED_NAMES(
      "a file that comes and goes claims x, and 96,900 others names in x",
      site -> {
        for (int f = 1; f <= site.size(95, 8); f++) {
          int file = f;
          site.write(
              site.file(f), HostileImages.metrics(10 + f, 1020, i -> "x.y" + file + ".z" + i));
        }
      },
      (site, round) -> {
        site.write(site.file(0), HostileImages.metrics(5, 4, i -> i == 0 ? "x" : "other" + i));
        site.pause();
        site.remove(site.file(0));
      }),
  MANY_VALUES(
      "4,000,000 values in a file",
      site -> {
        MmvWriter file = new MmvWriter(2).packed().cluster(5);
        MmvWriter.InDom inDom = file.inDom(1);
        int instances = site.size(4_000, 400);
        IntStream.range(0, instances).forEach(i -> inDom.instance(i, "i" + i));
        for (int m = 0; m < site.size(1_000, 100); m++) {
          MmvWriter.Metric metric = file.metric("m" + m, m, ValueType.U64).inDom(inDom);
          IntStream.range(0, instances).forEach(i -> metric.at(i, i));
        }
        site.write(site.file(0), file);
      },
      Attack::changeFirst),
  RANDOM_VALUES(
      "two files of 2,000,000 values in random order of 95,000 instances",
      site -> {
        int instances = site.size(95_000, 5_000);
        int metrics = site.size(1_000, 100);
        int values = metrics * site.size(2_000, 200);
        for (int f = 0; f < 2; f++) {
          site.write(site.file(f), HostileImages.randomValues(5 + f, instances, metrics, values));
        }
      },
      (site, round) -> site.settle(2, round)) {
    @Override
    boolean isTraversed() {
      return false; // who asks for millions of values waits for them
    }
  },
  UNPRINTABLE_ENTRIES(
      "19,990 entries with unprintable names; a client asks for one instance",
      site -> {
        ByteBuffer image = HostileImages.single(5).image();
        String name = "\1".repeat(215);
        for (int i = 0; i < site.size(19_990, 1_000); i++) {
          site.write(site.file(name + i), image);
        }
      }) {
    @Override
    void ask(AgentConnection agent) throws IOException {
      InDomProfile one = new InDomProfile(70 << 22, false, 7);
      int[] pmids = IntStream.of(100, 101, 102).map(item -> Pmid.build(70, 0, item)).toArray();
      agent.requestFrame(new Profile(0, 0, true, List.of(one)), Fetch.of(0, 0, pmids));
    }
  },
  RENAMED_FILES(
      "4,095 files without a cluster and with names of 247 bytes, one renamed each time",
      site -> {
        ByteBuffer image = HostileImages.empty(0).image();
        for (int i = 0; i < site.size(4_095, 500); i++) {
          site.write(renamed(site, i), image);
        }
      },
      (site, round) ->
          site.rename(renamed(site, round), renamed(site, round + site.size(4_095, 500)))),
  REWRITTEN_FILES(
      "20,000 files that are replaced all the time",
      site -> site.writeAll(site.size(19_000, 500), HostileImages.single(0).image()),
      (site, round) -> {
        ByteBuffer image = HostileImages.single(round % 2).image();
        int files = site.size(19_000, 500);
        for (int i = 0; i < 500; i++) {
          site.write(site.file((round * 500 + i) % files), image);
        }
      }),
  TOGGLED_FILES(
      "5,000 files that are valid and invalid in turn",
      site -> site.writeAll(site.size(5_000, 200), HostileImages.small(5).image()),
      (site, round) -> {
        MmvWriter file = round % 2 == 0 ? HostileImages.faults(5) : HostileImages.small(5);
        ByteBuffer image = file.generation(round + 2).image();
        IntStream.range(0, site.size(5_000, 200))
            .forEach(f -> MmvWriter.rewrite(image, site.file(f)));
      }),
  GENERATIONS(
      "5,000 files whose generations change all the time",
      site -> site.writeAll(site.size(5_000, 200), HostileImages.single(0).image()),
      (site, round) -> site.settle(site.size(5_000, 200), round)),
  AUTOMATIC_CLUSTERS(
      "files without a cluster that come and go under 20,000 names",
      site -> site.writeAll(site.size(5_000, 200), HostileImages.single(0).image()),
      (site, round) -> {
        ByteBuffer image = HostileImages.single(0).image();
        int alive = site.size(5_000, 200);
        for (int i = 0; i < 500; i++) {
          int f = round * 500 + i;
          site.remove(site.file(f % 20_000));
          site.write(site.file((f + alive) % 20_000), image);
        }
      }),
  PROCESSES(
      "1,000 files of processes that come and go",
      site -> {},
      (site, round) -> {
        List<Process> processes = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
          processes.add(new ProcessBuilder("sleep", "60").start());
        }
        for (int f = 0; f < site.size(1_000, 50); f++) {
          MmvWriter file = HostileImages.single(0).flags(MmvWriter.PROCESS);
          site.write(site.file(f), file.pid(processes.get(f % processes.size()).pid()));
        }
        site.pause();
        processes.forEach(Process::destroyForcibly);
      }),
  FILES_IN_FLUX(
      "19,000 files that are never finished",
      site ->
          site.writeAll(
              site.size(19_000, 500),
              HostileImages.single(0).image().putLong(MmvWriter.GENERATION2, 0)),
      (site, round) -> MmvWriter.settle(site.file(round % site.size(19_000, 500)), 1)) {
    @Override
    int seconds() {
      return 20;
    }
  },
  SHORT_FILES(
      "20,000 files of 10 bytes, which grow",
      site -> site.writeAll(site.size(20_000, 500), HostileImages.single(0).image().limit(10)),
      (site, round) -> {
        for (int f = 0; f < 500; f++) {
          site.truncate(site.file(f), 11 + round % 20);
        }
      }),
  REFUSED_FILES(
      "20,000 files of an unknown version",
      site ->
          site.writeAll(
              site.size(20_000, 500), HostileImages.single(0).image().putInt(MmvWriter.VERSION, 9)),
      (site, round) -> site.settle(200, round)),
  DAMAGED_FILES(
      "200 files that are damaged, also in place, and removed, a hundred at a time",
      site -> damage(site, -1),
      Attack::damage) {
    @Override
    boolean isSoak() {
      return true;
    }

    @Override
    int seconds() {
      return 60;
    }
  },
  HUGE_HOLES(
      "300 files of 512 MB without any data",
      site -> {
        for (int f = 0; f < site.size(300, 5); f++) {
          site.write(site.file(f), HostileImages.hugeHole());
        }
      }),
  CHANGING_DIRECTORY(
      "a directory of 20,000 entries that changes all the time",
      site -> {
        site.symlink(site.file(0), "/etc/hostname");
        site.link(site.size(20_000, 1_000));
      },
      (site, round) -> {
        for (int i = 1; i < 100; i++) {
          site.remove(site.file(i));
          site.link(site.file(i), site.file(0));
        }
      });

  /** Creates the files. */
  interface Begin {
    void on(Site site) throws IOException;
  }

  /** Changes files; called again and again while requests are sent. */
  interface Round {
    void on(Site site, int round) throws IOException;
  }

  private final String what;
  private final Begin begin;
  private final Round again;

  Attack(String what, Begin begin) {
    this(what, begin, (_, _) -> {});
  }

  Attack(String what, Begin begin, Round again) {
    this.what = what;
    this.begin = begin;
    this.again = again;
  }

  private static void changeFirst(Site site, int round) {
    site.settle(1, round);
  }

  private static void writeEqualHashes(Site site) throws IOException {
    site.writeAll(
        site.size(97, 8),
        f ->
            HostileImages.metrics(10 + f, 1020, i -> HostileImages.equalHash(f * 1020 + i) + ".x"));
  }

  private static void writeLabels(Site site, int round) throws IOException {
    site.writeAll(
        site.size(196, 8),
        f -> HostileImages.labels(i -> HostileImages.twentyLabels(i, f + round)).image());
  }

  /** The round is the seed. */
  private static void damage(Site site, int round) throws IOException {
    Random random = new Random(round);
    DamagedImages images = new DamagedImages(round);
    for (int i = 0; i < site.size(100, 50); i++) {
      Path file = site.file(random.nextInt(200));
      int what = Files.exists(file) ? random.nextInt(8) : 0;
      switch (what) {
        case 1 -> site.remove(file);
        case 2 -> site.truncate(file, random.nextInt(10_000));
        case 3 -> site.overwrite(file, images.next(), 0);
        case 4 -> {
          byte[] rubbish = new byte[1 + random.nextInt(5_000)];
          random.nextBytes(rubbish);
          site.overwrite(file, ByteBuffer.wrap(rubbish), random.nextLong(Files.size(file) + 1));
        }
        default -> site.write(file, images.next());
      }
    }
  }

  private static Path renamed(Site site, int number) {
    return site.file("\1".repeat(225) + (1_000_000 + number));
  }

  /** Returns what it does at its full size. */
  String what() {
    return what;
  }

  void begin(Site site) throws IOException {
    begin.on(site);
  }

  void again(Site site, int round) throws IOException {
    again.on(site, round);
  }

  /** Sends a hostile request. */
  void ask(AgentConnection agent) throws IOException {}

  /**
   * Returns whether names are traversed during the attack; otherwise the good file is only fetched.
   */
  boolean isTraversed() {
    return true;
  }

  /**
   * Returns whether there are more directory entries than a scan reads, so that an agent that is
   * started finds files late.
   */
  boolean isCrowding() {
    return this == DANGLING_LINKS || this == LONG_ENTRIES;
  }

  /**
   * Returns whether the agent is asked for everything that it serves in each round, and must not
   * grow however long the attack goes on.
   */
  boolean isSoak() {
    return false;
  }

  /** Returns how long it goes on at its full size, after {@link #begin}. */
  int seconds() {
    return 10;
  }
}
