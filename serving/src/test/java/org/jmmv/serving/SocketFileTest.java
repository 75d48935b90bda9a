package org.jmmv.serving;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class SocketFileTest {
  @TempDir Path directory;
  private Path path;
  private UnixDomainSocketAddress address;

  @BeforeEach
  void choosePath() {
    path = directory.resolve("socket");
    address = UnixDomainSocketAddress.of(path);
  }

  private ServerSocketChannel listen() throws IOException {
    return ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(address);
  }

  private void assertKept(String reason, SocketFile file) {
    assertEquals(
        reason, assertThrows(IOException.class, () -> file.deleteOther(address)).getMessage());
    assertTrue(Files.exists(path));
  }

  @ParameterizedTest
  @EnumSource
  void onlyASocketIsReplaced(SocketFile file) throws IOException {
    file.deleteOther(address); // there is nothing
    Files.createDirectory(path);
    assertKept("this is a directory, not the file of a socket", file);
    Files.delete(path);
    Files.createFile(path);
    assertKept("another file has this name", file);
  }

  @ParameterizedTest
  @EnumSource
  void aSocketThatWasLeftBehindIsReplaced(SocketFile file) throws IOException {
    listen().close(); // its file stays
    assertTrue(Files.exists(path));
    file.deleteOther(address);
    assertFalse(Files.exists(path));
  }

  @Test
  void onlyAnAgentReplacesASocketOnWhichAProcessListens() throws IOException {
    try (ServerSocketChannel other = listen()) {
      assertTrue(other.isOpen());
      assertKept("another process listens on this socket", SocketFile.OF_EVERYONE);
      SocketFile.OF_GROUP.deleteOther(address);
      assertFalse(Files.exists(path));
    }
  }

  /** A client that connects to it would wait. */
  @Test
  void aSocketWhoseProcessDoesNotAcceptIsKept() throws IOException {
    List<SocketChannel> waiting = new ArrayList<>();
    try (ServerSocketChannel other =
        ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(address, 1)) {
      assertTrue(other.isOpen());
      assertThrows(
          SocketException.class,
          () -> {
            while (true) {
              SocketChannel client = SocketChannel.open(StandardProtocolFamily.UNIX);
              waiting.add(client);
              client.configureBlocking(false);
              assertTrue(client.connect(address));
            }
          });
      assertKept(
          "another process may listen on this socket: Resource temporarily unavailable",
          SocketFile.OF_EVERYONE);
    } finally {
      for (SocketChannel client : waiting) {
        client.close();
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"OF_GROUP,rw-rw----", "OF_EVERYONE,rw-rw-rw-"})
  void permissionsSayWhoMayConnect(SocketFile file, String permissions) throws IOException {
    try (ServerSocketChannel socket = listen()) {
      assertTrue(socket.isOpen());
      file.setPermissions(address);
      assertEquals(permissions, PosixFilePermissions.toString(Files.getPosixFilePermissions(path)));
    }
  }
}
