package org.jmmv.serving;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.util.List;
import java.util.function.LongSupplier;
import org.jmmv.pcp.User;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** TLS for the connections of an event loop. The certificate may be renewed while it is used. */
public final class Tls {
  private static final Logger LOG = LoggerFactory.getLogger(Tls.class);

  /** How often files are looked at: with each connection, that would be three more system calls. */
  private static final long LOOK_NANOS = 1_000_000_000;

  private final Certificate certificate;
  private final SlowTasks handshakes;
  private SslContext context;
  private final LongSupplier clock; // as System.nanoTime
  private List<Object> read; // the status of the files when they were read
  private long looked;

  /**
   * Reads the certificate.
   *
   * @param handshakes runs the handshakes
   * @throws IOException if the certificate can't be used
   */
  public Tls(Certificate certificate, SlowTasks handshakes) throws IOException {
    this(certificate, handshakes, System::nanoTime);
  }

  Tls(Certificate certificate, SlowTasks handshakes, LongSupplier clock) throws IOException {
    this.clock = clock;
    looked = clock.getAsLong();
    this.certificate = certificate;
    this.handshakes = handshakes;
    read = certificate.status();
    context = certificate.load();
  }

  /**
   * Has a connection, which has {@link FlowControl}, go on with TLS, unless it already does.
   *
   * @param user the user at the other end
   */
  public void begin(Channel channel, User user) {
    ChannelPipeline pipeline = channel.pipeline();
    FlowControl flow = pipeline.get(FlowControl.class);
    if (pipeline.get(TlsInput.class) != null) {
      return;
    }
    if (flow.hasUndecoded()) { // which was sent in plain text, perhaps by somebody else
      channel.close();
      return;
    }
    readAgain();
    TlsInput input = new TlsInput(flow);
    SlowTasks.OfConnection tasks = handshakes.open(user);
    channel.closeFuture().addListener(_ -> tasks.close());
    pipeline.addFirst(input, context.newHandler(channel.alloc(), tasks));
    flow.startTls(input);
  }

  /** Returns whether clients need a certificate, too. */
  public boolean needsClientCertificate() {
    return certificate.clientCa().isPresent();
  }

  /** Writes to a peer that does not speak TLS, as its handshake has shown. */
  public static void writePlain(Channel channel, ByteBuf bytes) {
    channel.pipeline().context(TlsInput.class).writeAndFlush(bytes); // past what encrypts
  }

  /** Reads the files again if they have changed, which is looked for once a second at most. */
  private void readAgain() {
    long now = clock.getAsLong();
    if (now - looked < LOOK_NANOS) {
      return;
    }
    looked = now;
    List<Object> status = certificate.status();
    if (status.equals(read)) {
      return;
    }
    read = status;
    try {
      context = certificate.load();
      LOG.info("{}, its key or client_ca has changed: new connections use it", certificate.chain());
    } catch (IOException e) {
      LOG.error("the former certificate stays in use: {}", e.getMessage());
    }
  }
}
