package org.jmmv.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jmmv.pcp.ValueType;

/** Sound files with a bit of everything, to be mutated. */
public final class SeedFiles {
  /** Files by real writers, in a folder beside the project that may be missing. */
  private static final Path FIXTURES = Path.of("../../shared/fixtures/mmv");

  private SeedFiles() {}

  /** A small file of each version, and real ones where there are any. */
  public static List<byte[]> all() {
    List<byte[]> all = new ArrayList<>();
    for (int version = 1; version <= 3; version++) {
      ByteBuffer image = writer(version).image();
      byte[] bytes = new byte[image.remaining()];
      image.get(bytes);
      all.add(bytes);
    }
    if (Files.isDirectory(FIXTURES)) {
      try (Stream<Path> files = Files.list(FIXTURES)) {
        for (Path file : files.sorted().toList()) {
          all.add(Files.readAllBytes(file));
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return all;
  }

  /** A small file with values of every kind, instances and labels. */
  public static MmvWriter writer(int version) {
    MmvWriter writer = new MmvWriter(version).flags(MmvWriter.SENTINEL).cluster(9).pid(1);
    MmvWriter.InDom first = writer.inDom(1).help("a", "b").instance(0, "x").instance(1, "y");
    MmvWriter.InDom second = writer.inDom(2).instance(5, "z").instance(6, "w");
    writer.metric("i32", 1, ValueType.I32).help("c", "d").value(1);
    writer.metric("u64", 2, ValueType.U64).inDom(first).at(0, 2).at(1, 3);
    writer.metric("text", 3, ValueType.STRING).inDom(second).textAt(5, "t").textAt(6, "u");
    writer.metric("double", 4, ValueType.DOUBLE).value(1.5);
    writer.metric("elapsed", 5, MmvWriter.ELAPSED).raw(1, -1);
    writer.label(8, 9, 0, "{\"a\":{\"b\":[1,2]}}").label(16, 1, 0, "{\"c\":\"d\"}");
    return writer.label(32, 1, 1, "{\"e\":null}");
  }
}
