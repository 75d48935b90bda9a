package org.jmmv.qa;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jmmv.client.CollectorConnection;
import org.jmmv.protocol.Creds;
import org.jmmv.protocol.Profile;

/** A client that sends bytes and does not look into the replies, which may be large. */
final class ByteClient implements AutoCloseable {
  private static final byte[] INTRODUCTION =
      CollectorConnection.encoded(Creds.version2(1), Profile.all(0, 0));
  private static final ScheduledExecutorService LEAVING =
      Executors.newSingleThreadScheduledExecutor(Thread.ofPlatform().daemon().factory());

  private final SocketChannel channel;
  private final ByteBuffer buffer = ByteBuffer.allocate(1 << 14);
  private int status; // of the greeting

  /** Uses a connection for HTTP. */
  ByteClient(SocketChannel channel) {
    this.channel = channel;
  }

  /** Uses a connection for PCP's protocol, on which it waits for the greeting. */
  static ByteClient ofPcp(SocketChannel channel) throws IOException {
    ByteClient client = new ByteClient(channel);
    client.read();
    client.status = client.buffer.getInt(12); // a pmcd's reply to a connection is an error PDU
    client.send(INTRODUCTION);
    return client;
  }

  /** Connects. */
  static ByteClient connect(SocketAddress address, boolean isHttp) throws IOException {
    SocketChannel channel = SocketChannel.open(address);
    return isHttp ? new ByteClient(channel) : ofPcp(channel);
  }

  void send(byte... bytes) throws IOException {
    ByteBuffer left = ByteBuffer.wrap(bytes);
    while (left.hasRemaining()) {
      channel.write(left);
    }
  }

  /** Says that nothing more is sent, so that the server of PCP closes after the last reply. */
  void end() throws IOException {
    channel.shutdownOutput();
  }

  /** Reads a little. Returns the number of bytes, or -1 at the end. */
  int read() throws IOException {
    return channel.read(buffer.clear());
  }

  /**
   * Reads until the server closes the connection, or leaves.
   *
   * @param waitMillis when it leaves if nothing comes
   * @param millis when it leaves after the first byte
   * @return the number of bytes
   */
  long readAll(int waitMillis, int millis) throws IOException {
    long count = 0;
    Future<?> leaving = leaveAfter(waitMillis);
    try {
      for (int read = read(); read >= 0; read = read()) {
        if (count == 0) {
          leaving.cancel(false);
          leaving = leaveAfter(millis);
        }
        count += read;
      }
    } catch (ClosedChannelException e) {
      return count; // it has left
    } finally {
      leaving.cancel(false);
      close();
    }
    return count;
  }

  private Future<?> leaveAfter(int millis) {
    return LEAVING.schedule(this::close, millis, TimeUnit.MILLISECONDS);
  }

  /** Returns whether the collector has refused it. */
  boolean isRefused() {
    return status != 0;
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      // the server has closed it
    }
  }
}
