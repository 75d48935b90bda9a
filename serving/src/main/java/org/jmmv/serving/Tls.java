package org.jmmv.serving;

import io.netty.channel.Channel;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.util.concurrent.Executor;

/** TLS for the connections of an event loop. */
public final class Tls {
  private final SslContext context;
  private final Handshakes handshakes;

  /**
   * Reads the certificate.
   *
   * @param loop the event loop
   * @throws IOException if the certificate can't be used
   */
  public Tls(Certificate certificate, Executor loop) throws IOException {
    context = certificate.load();
    handshakes = new Handshakes(loop);
  }

  /**
   * Has a connection, which has {@link FlowControl}, go on with TLS, unless it already does.
   *
   * @param user the user or the address at the other end
   */
  public void begin(Channel channel, String user) {
    ChannelPipeline pipeline = channel.pipeline();
    if (pipeline.get(TlsInput.class) != null) {
      return;
    }
    Handshakes.OfConnection handshake = handshakes.new OfConnection(user);
    channel.closeFuture().addListener(_ -> handshake.close());
    FlowControl flow = pipeline.get(FlowControl.class);
    TlsInput input = new TlsInput(flow);
    pipeline.addFirst(input, context.newHandler(channel.alloc(), handshake));
    flow.startTls(input);
  }
}
