package org.jmmv.posix;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PosixProcessTest {
  @Test
  void maximumOfMappingsIsThatOfTheKernel() throws Exception {
    Process cat = new ProcessBuilder("cat", "/proc/sys/vm/max_map_count").start();
    String number = new String(cat.getInputStream().readAllBytes(), US_ASCII).strip();
    assertEquals(number, Integer.toString(PosixProcess.maxMappings()));
  }

  @Test
  void processAndUserAreThoseOfThisProcess() throws Exception {
    assertEquals(ProcessHandle.current().pid(), PosixProcess.processId());
    assertEquals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"), PosixProcess.userId());
  }

  @Test
  void userIsFoundByName() {
    assertEquals(new PosixProcess.User("root", 0, 0), PosixProcess.user("root"));
    assertNull(PosixProcess.user("nobody of this name"));
    assertEquals(System.getProperty("user.name"), PosixProcess.userName());
  }

  @Test
  void portOfAServiceIsFoundByNameAndByAlias() {
    boolean isListed = Files.exists(Path.of("/etc/services")); // not in a minimal installation
    OptionalInt port = isListed ? OptionalInt.of(80) : OptionalInt.empty();
    assertEquals(port, PosixProcess.servicePort("http"));
    assertEquals(port, PosixProcess.servicePort("www"));
    assertEquals(OptionalInt.empty(), PosixProcess.servicePort("no such service"));
  }

  @Test
  void descriptorThatIsNotOpenCannotBeDuplicated() {
    assertEquals(
        "Bad file descriptor",
        assertThrows(IOException.class, () -> PosixProcess.duplicate(99_999, 1)).getMessage());
  }

  @Test
  void umaskIsSetAndReturned() {
    int before = PosixProcess.setUmask(0077);
    assertEquals(0077, PosixProcess.setUmask(before));
    assertEquals(before, PosixProcess.setUmask(before));
  }

  @Test
  void processExistsWhileItRuns() throws Exception {
    assertTrue(PosixProcess.processExists((int) ProcessHandle.current().pid()));
    assertTrue(PosixProcess.processExists(1)); // another user's, unless the test is root's
    Process child = new ProcessBuilder("sleep", "1000").start();
    int pid = (int) child.pid();
    assertTrue(PosixProcess.processExists(pid));
    child.destroyForcibly();
    assertTrue(child.waitFor(5, TimeUnit.MINUTES));
    assertNotEquals(0, child.exitValue());
    assertFalse(PosixProcess.processExists(pid));
  }
}
