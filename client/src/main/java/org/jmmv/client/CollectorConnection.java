package org.jmmv.client;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.jmmv.protocol.Creds;
import org.jmmv.protocol.Fetch;
import org.jmmv.protocol.Greeting;
import org.jmmv.protocol.MalformedPduException;
import org.jmmv.protocol.Pdu;
import org.jmmv.protocol.PduError;
import org.jmmv.protocol.Profile;
import org.jmmv.protocol.Result;

/** A connection to a collector, on which this side is a client of PCP. Not thread-safe. */
public final class CollectorConnection implements AutoCloseable {
  private final SocketChannel channel;
  private InputStream in;
  private OutputStream out;
  private Greeting greeting;

  private CollectorConnection(SocketChannel channel) {
    this.channel = channel;
    in = Channels.newInputStream(channel);
    out = Channels.newOutputStream(channel);
  }

  /** What a client does first on a connection. */
  private interface Beginning {
    void run(CollectorConnection connection) throws IOException;
  }

  /** Connects, waits for the greeting, and closes the connection if what follows fails. */
  private static CollectorConnection begin(SocketAddress address, Beginning beginning)
      throws IOException {
    CollectorConnection connection = new CollectorConnection(SocketChannel.open(address));
    try {
      connection.receiveGreeting();
      beginning.run(connection);
    } catch (IOException e) {
      connection.close();
      throw e;
    }
    return connection;
  }

  private void receiveGreeting() throws IOException {
    ByteBuf frame = Unpooled.wrappedBuffer(receiveFrame());
    try {
      greeting = Greeting.decode(0, frame.skipBytes(Pdu.HEADER_LENGTH));
    } catch (MalformedPduException e) {
      throw new IOException(e);
    }
  }

  /** Connects, and waits for the greeting. */
  public static CollectorConnection connect(SocketAddress address) throws IOException {
    return begin(address, _ -> {});
  }

  /** Connects, and sends CREDS and a profile that admits all instances for context 0. */
  public static CollectorConnection introduced(SocketAddress address) throws IOException {
    return begin(address, CollectorConnection::introduce);
  }

  /**
   * As {@link #introduced}.
   *
   * @throws IOException also if the collector refuses the client
   */
  public static CollectorConnection admitted(SocketAddress address) throws IOException {
    return begin(
        address,
        connection -> {
          connection.introduce();
          if (connection.greeting.status() != 0) {
            throw new IOException("refused: " + connection.greeting.status());
          }
        });
  }

  /**
   * Connects, goes on with TLS, and sends a profile that admits all instances for context 0. Each
   * {@link #sendBytes} then is a record of its own.
   *
   * @param tls what accepts the collector's certificate
   */
  public static CollectorConnection secured(InetSocketAddress address, SSLContext tls)
      throws IOException {
    return begin(
        address,
        connection -> {
          connection.startTls(address, tls);
          connection.send(Profile.all(0, 0));
        });
  }

  private void startTls(InetSocketAddress address, SSLContext tls) throws IOException {
    int features = Greeting.SECURE | Greeting.SECURE_ACK;
    int version = 1 << 24 | 2 << 16;
    if (!(ask(new Creds(0, List.of(version | features))) instanceof PduError(_, int code))
        || code != 0) {
      throw new IOException("the collector does not offer TLS");
    }
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    SSLSocket secure =
        (SSLSocket)
            tls.getSocketFactory()
                .createSocket(channel.socket(), address.getHostString(), address.getPort(), true);
    secure.startHandshake();
    in = secure.getInputStream();
    out = secure.getOutputStream();
  }

  /** Sends CREDS, and a profile that admits all instances for context 0. */
  public void introduce() throws IOException {
    send(Creds.version2((int) ProcessHandle.current().pid()), Profile.all(0, 0));
  }

  /** Returns what the collector sent first. */
  public Greeting greeting() {
    return greeting;
  }

  /** Sends PDUs in a single write. */
  public void send(Pdu... pdus) throws IOException {
    sendBytes(encoded(pdus));
  }

  /** Returns the bytes of PDUs. */
  public static byte[] encoded(Pdu... pdus) {
    ByteBuf bytes = Unpooled.buffer();
    for (Pdu pdu : pdus) {
      pdu.encode(bytes);
    }
    return Arrays.copyOf(bytes.array(), bytes.readableBytes());
  }

  /** Sends bytes, which need not be a PDU. */
  public void sendBytes(byte[] bytes) throws IOException {
    out.write(bytes);
  }

  /** Waits for the next PDU. */
  public Pdu receive() throws IOException {
    return AgentConnection.decode(receiveFrame());
  }

  private byte[] receiveFrame() throws IOException {
    byte[] head = in.readNBytes(4);
    if (head.length < 4) {
      throw new EOFException("the collector has closed the connection");
    }
    byte[] frame = Arrays.copyOf(head, ByteBuffer.wrap(head).getInt());
    if (in.readNBytes(frame, 4, frame.length - 4) < frame.length - 4) {
      throw new EOFException("the collector has closed the connection in the middle of a PDU");
    }
    return frame;
  }

  /** Sends a request and waits for one PDU. */
  public Pdu ask(Pdu request) throws IOException {
    send(request);
    return receive();
  }

  /** The reply to a fetch, and the state changes that preceded it, 0 if none did. */
  public record Fetched(int changes, Result result) {}

  /** Fetches metrics for context 0. */
  public Fetched fetch(int... pmids) throws IOException {
    Pdu first = ask(Fetch.of(0, 0, pmids));
    return first instanceof PduError changed && changed.code() > 0
        ? new Fetched(changed.code(), (Result) receive())
        : new Fetched(0, (Result) first);
  }

  /** Waits until the collector has closed the connection; returns whether nothing came before. */
  public boolean isClosedInSilence() throws IOException {
    try {
      return in.read() < 0;
    } catch (IOException e) {
      if ("Connection reset".equals(e.getMessage())) { // if requests were not read
        return true;
      }
      throw e;
    }
  }

  /** Closes a TCP connection as PCP's clients do: with RST. */
  public void reset() throws IOException {
    channel.setOption(StandardSocketOptions.SO_LINGER, 0);
    channel.close();
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      // the collector has closed the connection
    }
  }
}
