package org.jmmv.client;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.SocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** An agent that listens on a socket. */
final class SocketLink implements AgentLink {

  private final SocketChannel channel;
  private final SocketAddress address;

  /**
   * Connects to the agent.
   *
   * @throws IOException if there is no listener
   */
  SocketLink(SocketAddress address) throws IOException {
    this.address = address;
    try {
      this.channel = SocketChannel.open(address);
    } catch (IOException e) {
      throw new IOException("no agent at %s: %s".formatted(address, e.getMessage()), e);
    }
  }

  @Override
  public InputStream in() {
    return Channels.newInputStream(channel);
  }

  @Override
  public OutputStream out() {
    return Channels.newOutputStream(channel);
  }

  @Override
  public OptionalLong pid() {
    return OptionalLong.empty();
  }

  @Override
  public OptionalInt exitStatus() {
    return OptionalInt.empty();
  }

  @Override
  public String describe() {
    return "the agent at " + address;
  }

  @Override
  public String fate() {
    return "";
  }

  @Override
  public void cut() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
