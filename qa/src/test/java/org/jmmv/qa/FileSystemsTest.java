package org.jmmv.qa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.jmmv.client.AgentConnection;
import org.jmmv.client.AgentErrorException;
import org.jmmv.pcp.ValueType;
import org.jmmv.protocol.Profile;
import org.jmmv.protocol.ValueSet;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Mounts that containers have, in a mount namespace of the agent's own. */
final class FileSystemsTest {
  private static final int SHORT_HELP = 32; // in a metric of version 2
  private static final int VALUE_EXTRA = 8;
  private static final long PAGE = 4096;

  @AutoClose private final TemporaryPcp pcp = new TemporaryPcp();
  private final Path log = pcp.file("mmv.log");
  private AgentConnection agent;

  @BeforeEach
  void needNamespaces() {
    Need.NAMESPACES.require();
  }

  /**
   * Starts the agent after commands of a shell, which mount something. {@code $mmv} is the
   * directory of the files, and {@code $work} an empty one.
   */
  private void startAfter(String commands) throws IOException {
    Path directory = Files.createDirectory(pcp.file("work"));
    List<String> words =
        new ArrayList<>(
            List.of(
                "unshare",
                "--mount",
                "sh",
                "-ec",
                "mmv=$1; work=$2; shift 2\n" + commands + "\nexec \"$@\"",
                "sh",
                pcp.mmv().toString(),
                directory.toString()));
    words.addAll(AgentCommand.jmmv().with("-l", log.toString()).words());
    agent = pcp.open(AgentConnection.start(words, pcp.environment()));
  }

  /** Returns the path by which this process reaches a file of the agent's directory. */
  private Path inside(String file) {
    return Path.of("/proc", Long.toString(agent.pid()), "root" + pcp.mmv(), file);
  }

  private static MmvWriter app(long generation, String metric, long value) {
    MmvWriter app = new MmvWriter(2).generation(generation).cluster(7);
    app.metric(metric, 1, ValueType.I64).value(value);
    return app;
  }

  /** Returns the value of a metric, or what is there in its place. */
  private String value(String metric) {
    try {
      ValueSet set =
          agent.fetch(Profile.all(0, 0), agent.pmid("mmv.app." + metric)).sets().getFirst();
      return set.values().isEmpty()
          ? "status " + set.status()
          : set.values().getFirst().value().asText();
    } catch (AgentErrorException e) {
      return e.getMessage();
    } catch (IOException e) {
      throw new AssertionError(TemporaryPcp.text(log), e);
    }
  }

  private void awaitValue(String metric, String value) {
    Await.until(
        metric + " is " + value,
        () -> value(metric) + "\n" + TemporaryPcp.text(log),
        () -> value(metric).equals(value));
  }

  /** The mapping of a file of an image stays that of the lower layer when it is copied up. */
  @Test
  void aFileOfALowerLayerThatIsWrittenInPlaceHasItsNewValues() throws IOException {
    MmvWriter first = app(1, "m", 10);
    first.write(pcp.mmv(), "app");
    startAfter(
        """
        mount -t tmpfs tmpfs "$work"
        cd "$work"
        mkdir lower upper work
        mv "$mmv/app" lower
        mount -t overlay overlay -o lowerdir=lower,upperdir=upper,workdir=work "$mmv"
        """);
    awaitValue("m", "10");
    try (FileChannel file = FileChannel.open(inside("app"), StandardOpenOption.WRITE)) {
      assertEquals(8, file.write(longs(11), first.valueAt(0)));
      awaitValue("m", "11");
      assertEquals(8, file.write(longs(12), first.valueAt(0)));
      assertEquals("12", value("m"));
      file.write(app(2, "n", 13).image(), 0);
      awaitValue("n", "13");
    }
  }

  private static ByteBuffer longs(long value) {
    return ByteBuffer.allocate(8).order(ByteOrder.nativeOrder()).putLong(value).flip();
  }

  /** To read the page of a hole, tmpfs allocates it. */
  @Test
  void aHoleInTheMetadataOnAFullFileSystemIsReadWhenThereIsRoom() throws IOException {
    MmvWriter app = app(1, "m", 10);
    app.write(pcp.mmv(), "app");
    startOnFullFileSystem(app.metricAt(0) + SHORT_HELP);
    assertNotEquals("10", value("m"));
    assertIsServedWhenThereIsRoom("m", "10");
  }

  @Test
  void aHoleInAStringOnAFullFileSystemIsReadWhenThereIsRoom() throws IOException {
    MmvWriter app = app(1, "m", 10);
    app.metric("s", 2, ValueType.STRING).text("text");
    app.write(pcp.mmv(), "app");
    startOnFullFileSystem(app.valueAt(1) + VALUE_EXTRA);
    value("s"); // so that it is read
    assertNotEquals("10", value("m"));
    assertIsServedWhenThereIsRoom("s", "");
  }

  /**
   * Starts the agent with the file on a tmpfs without room.
   *
   * @param reference the offset, in the file, of the offset of a string, which becomes a hole
   */
  private void startOnFullFileSystem(int reference) throws IOException {
    try (FileChannel file = FileChannel.open(pcp.mmv().resolve("app"), StandardOpenOption.WRITE)) {
      long hole = (file.size() + 2 * PAGE) / PAGE * PAGE;
      file.write(ByteBuffer.allocate(1), hole + PAGE);
      file.write(longs(hole), reference);
    }
    startAfter(
        """
        mount -t tmpfs -o size=1m tmpfs "$work"
        cp --sparse=always "$mmv/app" "$work"
        mount --bind "$work" "$mmv"
        ! head -c 2M /dev/zero 2>/dev/null >"$work/.full"
        """);
  }

  private void assertIsServedWhenThereIsRoom(String metric, String value) throws IOException {
    String said = TemporaryPcp.text(log);
    assertTrue(said.contains("app: a page of it can't be read"), said);
    assertFalse(said.contains("truncated"), said);
    Files.delete(inside(".full"));
    awaitValue(metric, value);
  }

  /** As in a container for which a directory of the host was mounted. */
  @Test
  void ofADirectoryThatWasDeletedUnderAMountTheLogSaysSo() throws IOException {
    startAfter(
        """
        mkdir "$work/host"
        mount --bind "$work/host" "$mmv"
        rmdir "$work/host"
        mkdir "$work/host"
        """);
    assertTrue(agent.traverse("mmv").contains("mmv.control.files"));
    String said = TemporaryPcp.text(log);
    assertTrue(said.contains("can't be read: it was deleted; a mount does not show"), said);
    assertFalse(said.contains("No such file"), said);
  }
}
