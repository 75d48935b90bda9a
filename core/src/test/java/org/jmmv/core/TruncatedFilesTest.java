package org.jmmv.core;

import static org.jmmv.core.TestCatalog.pmid;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jmmv.pcp.ValueType;
import org.jmmv.testkit.CpuTime;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that are truncated while they are mapped. */
class TruncatedFilesTest {
  @AutoClose private final TestCatalog catalog = new TestCatalog();

  @BeforeEach
  void start() {
    catalog.write("sound", file(1, 6, 0));
  }

  /**
   * A file whose item 1 has the values 10, 11, … of the instances 0, 1, …, and which has other
   * metrics after it.
   */
  private static MmvWriter file(int cluster, int instances, int others) {
    MmvWriter file = new MmvWriter(1).cluster(cluster);
    MmvWriter.InDom inDom = file.inDom(5);
    MmvWriter.Metric metric = file.metric("m", 1, ValueType.I32).inDom(inDom);
    for (int i = 0; i < instances; i++) {
      inDom.instance(i, "instance" + i);
      metric.at(i, 10 + i);
    }
    for (int i = 0; i < others; i++) {
      file.metric("m" + i, 20 + i, ValueType.I64).value(i);
    }
    assertEquals(others > 0, file.valueAt(0) > MmvWriter.LARGEST_PAGE);
    return file;
  }

  /**
   * Writes a file whose one metric, item 1, is singular and has its value beyond the first page.
   */
  private Path writeSparse(String name, int cluster) throws IOException {
    return writeSparse(name, cluster, ValueType.I64, 5);
  }

  private Path writeSparse(String name, int cluster, int type, int value) throws IOException {
    MmvWriter file = new MmvWriter(1).cluster(cluster);
    file.metric("m", 1, type).value(value);
    ByteBuffer image = file.image();
    ByteBuffer values = image.slice(file.valueAt(0), image.limit() - file.valueAt(0));
    image.putLong(file.tocAt(MmvWriter.VALUES) + 8, MmvWriter.LARGEST_PAGE);
    Path path = catalog.directory().resolve(name);
    try (FileChannel channel =
        FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      channel.write(image);
      channel.write(values, MmvWriter.LARGEST_PAGE);
    }
    return path;
  }

  /** A directory that has just changed is read again, and its files' sizes are looked at. */
  private void askUntilTheDirectoryIsOld() throws IOException {
    FileTime changed = (FileTime) Files.getAttribute(catalog.directory(), "unix:ctime");
    do {
      catalog.values(pmid(1, 1));
    } while (changed.toInstant().plusMillis(200).isAfter(Instant.now()));
    catalog.values(pmid(1, 1));
  }

  private void assertOnlyTheTruncatedFileIsBlamed() {
    assertNotEquals(List.of(), catalog.log().warnings());
    assertNoOtherFileIsBlamed();
  }

  private void assertNoOtherFileIsBlamed() {
    assertEquals(
        List.of(),
        catalog.log().warnings().stream().filter(line -> !line.startsWith("broken: ")).toList());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, MmvWriter.LARGEST_PAGE})
  void aFileIsLeftOutUntilItIsWhole(int size) throws IOException {
    MmvWriter broken = file(2, 0, 1000);
    Path path = catalog.write("broken", broken);
    catalog.write("z", file(3, 1, 0));
    assertEquals("7", catalog.values(pmid(2, 27)));
    askUntilTheDirectoryIsOld();
    MmvWriter.resize(path, size);
    assertEquals(
        List.of("0=10", "PM_ERR_PMID", "0=10 1=11 2=12 3=13 4=14 5=15", "PM_ERR_PMID"),
        catalog.values(InstanceFilter.ALL, pmid(3, 1), pmid(2, 27), pmid(1, 1), pmid(2, 28)));
    catalog.idle();
    if (size > 0) { // an empty file may be one that is being written
      assertOnlyTheTruncatedFileIsBlamed();
    }
    broken.rewrite(path);
    catalog.names();
    assertEquals("7", catalog.values(pmid(2, 27)));
  }

  /** Compiled code goes on after it has read what is not there, and might blame another file. */
  @Test
  void itAloneIsBlamedByCompiledCodeToo() throws IOException {
    MmvWriter broken = file(1, 3, 1000);
    Path path = catalog.write("broken", broken);
    for (int round = 0; round < 10; round++) {
      for (int i = 0; i < 3000; i++) {
        catalog.values(pmid(1, 1));
      }
      MmvWriter.resize(path, MmvWriter.LARGEST_PAGE);
      assertEquals("0=10 1=11 2=12 3=13 4=14 5=15", catalog.values(pmid(1, 1)));
      broken.generation(round + 2).rewrite(path);
      catalog.names();
    }
    assertNoOtherFileIsBlamed(); // it may have been whole again when it was looked at
  }

  /** A request that begins again after each of the files takes minutes. */
  @Test
  void manyAreLeftOutOfOneRequest() throws IOException {
    int files = 2000;
    List<Path> paths = new ArrayList<>();
    for (int i = 0; i < files; i++) {
      paths.add(writeSparse("broken" + i, 2 + i));
    }
    int[] pmids = new int[200_000 + files];
    Arrays.fill(pmids, pmid(1, 1));
    IntStream.range(0, files).forEach(i -> pmids[200_000 + i] = pmid(2 + i, 1));
    catalog.idle(); // a busy machine may have had no time for all of them
    assertEquals("5", catalog.values(InstanceFilter.ALL, pmids).getLast());
    for (Path path : paths) {
      MmvWriter.resize(path, MmvWriter.LARGEST_PAGE);
    }
    List<String> values = catalog.values(InstanceFilter.ALL, pmids);
    assertEquals(Set.of("0=10 1=11 2=12 3=13 4=14 5=15"), Set.copyOf(values.subList(0, 200_000)));
    // a sweep may have found some of them before: they are served, without the values cut off
    Set<String> left = Set.copyOf(values.subList(200_000, values.size()));
    assertTrue(Set.of("PM_ERR_PMID", "PM_ERR_INST").containsAll(left), left::toString);
    assertTrue(left.contains("PM_ERR_PMID"));
  }

  /** Each of several files that share a metric takes the place of those before it. */
  @Test
  void theNextFileDescribesTheMetric() throws IOException {
    List<Path> files = new ArrayList<>();
    for (int type : new int[] {ValueType.I64, ValueType.I64, ValueType.U64}) {
      files.add(writeSparse("broken" + files.size(), 9, type, 5 + files.size()));
    }
    View view = catalog.view();
    Metric metric = view.metric(pmid(9, 1));
    for (int i = 0; i < 3; i++) {
      if (i == 2) { // a value of another type than the one that was found
        String none = RecordingSink.read(view, metric, InstanceFilter.ALL);
        assertTrue(none.startsWith("PM_ERR_PMID"), none);
      }
      assertEquals("" + (5 + i), RecordingSink.read(view, metric, InstanceFilter.ALL));
      assertEquals(i < 2 ? ValueType.I64 : ValueType.U64, metric.type());
      MmvWriter.resize(files.get(i), MmvWriter.LARGEST_PAGE);
    }
    String last = RecordingSink.read(view, metric, InstanceFilter.ALL);
    assertTrue(last.startsWith("PM_ERR_PMID"), last);
    assertEquals(ValueType.U64, metric.type(), "what was found stays valid");
  }

  @Test
  void aMetricThatManySuchFilesShareIsReadAFewTimes() throws IOException {
    List<Path> broken = new ArrayList<>();
    for (int i = 0; i < 2000; i++) {
      broken.add(writeSparse("broken" + i, 9));
    }
    writeSparse("sound2", 9);
    catalog.idle();
    assertEquals("5", catalog.values(pmid(9, 1)));
    for (Path path : broken) {
      MmvWriter.resize(path, MmvWriter.LARGEST_PAGE);
    }
    int[] twice = {pmid(9, 1), pmid(9, 1)};
    CpuTime.assertLinear(() -> {
      assertEquals(List.of("no value", "no value"), catalog.values(InstanceFilter.ALL, twice));
      for (int i = 0; i < broken.size() / (2 * View.MAX_ATTEMPTS); i++) {
        catalog.values(InstanceFilter.ALL, twice);
      }
    });
    assertEquals(List.of("5", "5"), catalog.values(InstanceFilter.ALL, twice));
  }
}
