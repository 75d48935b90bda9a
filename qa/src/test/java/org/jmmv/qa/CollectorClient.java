package org.jmmv.qa;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import org.jmmv.client.AgentConnection;
import org.jmmv.protocol.Creds;
import org.jmmv.protocol.Fetch;
import org.jmmv.protocol.Pdu;
import org.jmmv.protocol.PduError;
import org.jmmv.protocol.Profile;
import org.jmmv.protocol.Result;

/** A connection to {@code jmmv serve}, on which this side is a client of PCP. */
final class CollectorClient implements AutoCloseable {
  private static final int GREETING_BYTES = 20;
  private static final int STATUS = 12; // in the greeting

  private final SocketChannel channel;
  private final InputStream in;
  private final int refusal;

  private CollectorClient(SocketChannel channel) throws IOException {
    this.channel = channel;
    in = Channels.newInputStream(channel);
    byte[] greeting = in.readNBytes(GREETING_BYTES);
    if (greeting.length < GREETING_BYTES) {
      throw new EOFException("no greeting, but " + Arrays.toString(greeting));
    }
    refusal = ByteBuffer.wrap(greeting).getInt(STATUS);
  }

  /** Connects, and waits for the greeting. */
  static CollectorClient connect(SocketAddress address) throws IOException {
    return new CollectorClient(SocketChannel.open(address));
  }

  /** Connects, and introduces itself with CREDS and a profile that admits all instances. */
  static CollectorClient introduced(SocketAddress address) throws IOException {
    CollectorClient client = connect(address);
    client.send(Creds.version2((int) ProcessHandle.current().pid()), Profile.all(0, 0));
    return client;
  }

  /** As {@link #introduced}; fails if the server refuses the client. */
  static CollectorClient admitted(SocketAddress address) throws IOException {
    CollectorClient client = introduced(address);
    if (client.refusal != 0) {
      client.close();
      throw new AssertionError("refused: " + client.refusal);
    }
    return client;
  }

  /** Returns why it was refused, as the greeting says; 0: it was admitted. */
  int refusal() {
    return refusal;
  }

  /** Sends PDUs in a single write. */
  void send(Pdu... pdus) throws IOException {
    sendBytes(encoded(pdus));
  }

  static byte[] encoded(Pdu... pdus) {
    ByteBuf bytes = Unpooled.buffer();
    for (Pdu pdu : pdus) {
      pdu.encode(bytes);
    }
    return Arrays.copyOf(bytes.array(), bytes.readableBytes());
  }

  /** Sends bytes, which need not be a PDU. */
  void sendBytes(byte[] bytes) throws IOException {
    ByteBuffer left = ByteBuffer.wrap(bytes);
    while (left.hasRemaining()) {
      channel.write(left);
    }
  }

  /** Waits for the next PDU. */
  Pdu receive() throws IOException {
    byte[] head = in.readNBytes(4);
    if (head.length < 4) {
      throw new EOFException("the server has closed the connection");
    }
    byte[] frame = Arrays.copyOf(head, ByteBuffer.wrap(head).getInt());
    if (in.readNBytes(frame, 4, frame.length - 4) < frame.length - 4) {
      throw new EOFException("the server has closed the connection in the middle of a PDU");
    }
    return AgentConnection.decode(frame);
  }

  /** Sends a request and waits for one PDU. */
  Pdu ask(Pdu request) throws IOException {
    send(request);
    return receive();
  }

  /** The reply to a fetch, and the state changes that preceded it, 0 if none did. */
  record Reply(int changes, Result result) {}

  /** Fetches metrics. */
  Reply fetch(int... pmids) throws IOException {
    Pdu first = ask(Fetch.of(0, 0, pmids));
    return first instanceof PduError changed && changed.code() > 0
        ? new Reply(changed.code(), (Result) receive())
        : new Reply(0, (Result) first);
  }

  /** Waits until the server has closed the connection; returns whether nothing came before. */
  boolean isClosedInSilence() throws IOException {
    try {
      return in.read() < 0;
    } catch (IOException e) {
      if ("Connection reset".equals(e.getMessage())) {
        return true;
      }
      throw e;
    }
  }

  /** Closes a TCP connection as PCP's clients do: with RST. */
  void reset() throws IOException {
    channel.setOption(StandardSocketOptions.SO_LINGER, 0);
    channel.close();
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      // the server has closed the connection
    }
  }
}
