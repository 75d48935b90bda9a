package org.jmmv.serving;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.ssl.SslHandler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jmmv.core.LogCapture;
import org.jmmv.core.LongestStep;
import org.jmmv.pcp.User;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A certificate that is renewed. */
class TlsTest {
  private static final User USER = User.of(1);
  private static final long SECOND = 1_000_000_000;

  @TempDir Path directory;
  @AutoClose private final LogCapture log = new LogCapture();
  private long now = 7;
  private Tls tls;

  @BeforeEach
  void start() throws Exception {
    Certificate certificate = PemFiles.write(directory, "one");
    tls = new Tls(certificate, new SlowTasks(Runnable::run), () -> now);
  }

  /** Has a new connection begin TLS, and returns it. */
  private EmbeddedChannel connection() {
    return connection(0);
  }

  private EmbeddedChannel connection(int undecoded) {
    EmbeddedChannel channel = new EmbeddedChannel();
    Scheduler scheduler = new Scheduler(channel.eventLoop(), () -> 0, new LongestStep(0));
    channel.pipeline().addLast(new FlowControl(() -> undecoded, scheduler, USER, null));
    tls.begin(channel, USER);
    return channel;
  }

  private List<String> logged() {
    return log.messages().stream().map(line -> line.replace(directory + "/", "")).toList();
  }

  @Test
  void aConnectionBeginsTlsOnce() {
    EmbeddedChannel channel = connection();
    List<String> handlers = channel.pipeline().names();
    assertNotEquals(null, channel.pipeline().get(SslHandler.class));
    tls.begin(channel, USER);
    assertEquals(handlers, channel.pipeline().names());
    channel.close();
  }

  /** Somebody else may have put them there: they are in plain text. */
  @Test
  void aConnectionWithBytesBehindTheRequestForTlsEnds() {
    EmbeddedChannel channel = connection(1);
    assertFalse(channel.isOpen());
    assertNull(channel.pipeline().get(SslHandler.class));
  }

  @Test
  void changedFilesAreReadAgainASecondAfterTheyWereLookedAt() throws Exception {
    PemFiles.write(directory, "one");
    now += SECOND - 1;
    connection().close();
    assertEquals(List.of(), logged());
    now++;
    connection().close();
    connection().close();
    assertEquals(
        List.of("one.pem, its key or client_ca has changed: new connections use it"), logged());
    now += SECOND;
    connection().close();
    assertEquals(1, logged().size(), "nothing has changed since");
  }

  @Test
  void theFormerCertificateStaysInUseIfTheNewOneIsUnusable() throws IOException {
    Files.writeString(directory.resolve("one.pem"), "half a certif");
    now += SECOND;
    connection().close();
    now += SECOND;
    connection().close();
    assertEquals(
        List.of("the former certificate stays in use: one.pem: no certificate in PEM format"),
        logged(),
        "once");
  }
}
