package org.jmmv.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.jmmv.core.Scope;
import org.jmmv.pcp.ValueType;
import org.jmmv.reader.watch.Limit;
import org.jmmv.reader.watch.Limits;
import org.jmmv.serving.Server;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code /-/healthy} and {@code /-/ready}, as a {@link Probe} asks for them, in any setting. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HealthTest {
  private static final int FILES = 300;

  @TempDir Path root;
  private Path directory;
  private WebServer web;
  private Server server;
  private SocketAddress address;
  private Map<String, String> users = Map.of();

  @BeforeEach
  void serve() throws IOException {
    directory = Files.createDirectory(root.resolve("mmv"));
    write("start");
    // a request waits for files so short a time that some are left for later
    Limits hasty = Limits.DEFAULT.with(Limit.WAIT, 1);
    web = new WebServer(WebServer.catalog(directory, hasty), () -> users);
    server = web.server();
    address = web.address();
  }

  @AfterEach
  void close() {
    web.close();
  }

  private void write(String prefix) throws IOException {
    for (int i = 0; i < FILES; i++) {
      MmvWriter file = new MmvWriter(2);
      file.metric("m", 1, ValueType.U32).value(i);
      file.write(directory, prefix + i);
    }
  }

  private int status(String path) throws IOException {
    return Probe.get(address, false, path).status();
  }

  /** Returns the version of the catalogue, without looking for files. */
  private long version() throws InterruptedException, ExecutionException {
    return server.loop().executor().submit(() -> server.catalog().changes().version()).get();
  }

  private int files() throws InterruptedException, ExecutionException {
    return server
        .loop()
        .executor()
        .submit(() ->
            server.catalog().begin(new Scope.NoFiles()).entries(null, Integer.MAX_VALUE).size())
        .get();
  }

  @Test
  void readyIsTrueForGoodOnceTheFilesOfTheStartAreRead() throws Exception {
    while (status("/-/ready") != 200) {
      Thread.onSpinWait();
    }
    assertEquals(FILES, files());
    for (int i = 0; i < 5; i++) {
      write("later" + i + "-");
      assertEquals(200, status("/api/v1/about")); // which looks for them
      for (int j = 0; j < 20; j++) {
        assertEquals(new Probe.Answer(200, "ready"), Probe.get(address, false, "/-/ready"));
      }
    }
  }

  @Test
  void aProbeNeedsNoPasswordAndOtherRequestsDo() throws Exception {
    users = Map.of("ann", "$2a$04$" + "x".repeat(53));
    assertEquals(200, status("/-/healthy"));
    while (status("/-/ready?a=b") != 200) {
      Thread.onSpinWait();
    }
    for (String path :
        List.of("/", "/metrics", "/-/", "/-/ready/", "/-/%72eady", "/-/ready/../../metrics")) {
      assertEquals(401, status(path), path);
    }
  }

  @Test
  void aRequestWithoutAPasswordDoesNotHaveFilesLookedFor() throws Exception {
    while (status("/-/ready") != 200) {
      Thread.onSpinWait();
    }
    users = Map.of("ann", "$2a$04$" + "x".repeat(53));
    long before = version();
    Files.copy(directory.resolve("start0"), directory.resolve("later"));
    assertEquals(401, status("/metrics"));
    assertEquals(before, version());
    while (version() == before) {
      assertTrue(files() >= FILES); // looks for them
    }
  }

  @Test
  void aProbeAsksOnAUnixDomainSocketToo() throws IOException {
    address = web.listen(UnixDomainSocketAddress.of(root.resolve("socket")));
    assertEquals(new Probe.Answer(200, "healthy"), Probe.get(address, false, "/-/healthy"));
  }
}
