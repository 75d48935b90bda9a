package org.jmmv.collector;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import org.jmmv.protocol.Creds;
import org.jmmv.protocol.Greeting;
import org.jmmv.protocol.MalformedPduException;
import org.jmmv.protocol.Pdu;
import org.jmmv.protocol.PduType;
import org.jmmv.protocol.Profile;

/** A client of PCP, as far as the tests need one. */
final class TestClient implements AutoCloseable {
  private final SocketChannel channel;
  private final DataInputStream in;
  final Greeting greeting;

  /** Connects, and reads the greeting. */
  TestClient(SocketAddress address) throws IOException {
    channel =
        address instanceof InetSocketAddress
            ? SocketChannel.open(address)
            : SocketChannel.open(StandardProtocolFamily.UNIX);
    if (!channel.isConnected()) {
      channel.connect(address);
    }
    in = new DataInputStream(Channels.newInputStream(channel));
    ByteBuf frame = frame();
    try {
      greeting = Greeting.decode(0, frame.skipBytes(Pdu.HEADER_LENGTH));
    } catch (MalformedPduException e) {
      throw new IOException(e);
    }
  }

  /** Connects and sends CREDS and a profile of all instances for context 0. */
  static TestClient introduced(SocketAddress address) throws IOException {
    TestClient client = new TestClient(address);
    client.introduce();
    return client;
  }

  void introduce() throws IOException {
    send(Creds.version2(1), Profile.all(0, 0));
  }

  void send(Pdu... pdus) throws IOException {
    ByteBuf bytes = Unpooled.buffer();
    for (Pdu pdu : pdus) {
      pdu.encode(bytes);
    }
    send(bytes);
  }

  void send(ByteBuf bytes) throws IOException {
    bytes.readBytes(channel, bytes.readableBytes());
  }

  private ByteBuf frame() throws IOException {
    byte[] length = in.readNBytes(4);
    assertEquals(4, length.length, "the connection has ended");
    ByteBuf frame = Unpooled.buffer().writeBytes(length);
    frame.writeBytes(in.readNBytes(frame.getInt(0) - 4));
    return frame;
  }

  Pdu read() throws IOException {
    ByteBuf frame = frame();
    try {
      return Pdu.decode(
          PduType.of(frame.getInt(4)), frame.getInt(8), frame.skipBytes(Pdu.HEADER_LENGTH));
    } catch (MalformedPduException e) {
      throw new IOException(e);
    }
  }

  Pdu ask(Pdu request) throws IOException {
    send(request);
    return read();
  }

  /** Returns whether the collector has closed the connection. */
  boolean isClosed() {
    try {
      return in.read() < 0;
    } catch (IOException e) { // a reset, if requests were not read
      return true;
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
