package org.jmmv.posix;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServiceManagerTest {
  @TempDir Path directory;

  /** Binds a datagram socket, and returns what it receives first. */
  private static String received(String name, byte[] path) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      int fd = (int) CFunction.of("socket").call(1, 2);
      MemorySegment address = arena.allocate(110, 2);
      address.set(JAVA_SHORT, 0, (short) 1);
      MemorySegment.copy(path, 0, address, JAVA_BYTE, 2, path.length);
      assertEquals(0, (int) CFunction.of("bind").call(fd, address.address(), 2 + path.length));
      try {
        ServiceManager.report(name, "READY=1");
        MemorySegment message = arena.allocate(100);
        assertTrue(PosixProcess.awaitingInput(fd).test(10_000));
        CFunction.of("recv").call(fd, message.address(), 100, 0, 0, 0);
        return message.getString(0);
      } finally {
        PosixProcess.close(fd);
      }
    }
  }

  @Test
  void stateIsSentToTheSocketOfAPath() throws Exception {
    String path = directory.resolve("socket").toString();
    assertEquals("READY=1", received(path, path.getBytes(US_ASCII)));
  }

  @Test
  void stateIsSentToTheSocketOfAnAbstractName() throws Exception {
    String name = "jmmv-test-" + ProcessHandle.current().pid();
    assertEquals("READY=1", received("@" + name, ("\0" + name).getBytes(US_ASCII)));
  }

  @Test
  void socketThatDoesNotExistIsAnError() {
    String missing = directory.resolve("none").toString();
    assertEquals(
        "No such file or directory",
        assertThrows(IOException.class, () -> ServiceManager.report(missing, "READY=1"))
            .getMessage());
    assertThrows(IOException.class, () -> ServiceManager.report("/" + "x".repeat(200), "READY=1"));
  }
}
