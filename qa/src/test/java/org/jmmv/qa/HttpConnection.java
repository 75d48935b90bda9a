package org.jmmv.qa;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.util.Locale;

/** A connection to {@code jmmv serve --http} that sends what it is given, byte for byte. */
final class HttpConnection implements AutoCloseable {
  private final SocketChannel channel;
  private final InputStream input;

  /**
   * A response.
   *
   * @param headers in lower case
   * @param body without the lengths of its chunks, as characters of ISO 8859-1
   */
  record Response(int status, String headers, String body) {}

  /** Connects. */
  HttpConnection(SocketAddress address) throws IOException {
    channel = SocketChannel.open(address);
    input = new BufferedInputStream(Channels.newInputStream(channel));
  }

  /** Returns a request without a body. The headers are lines that end with CR LF. */
  static String request(String path, String... headers) {
    return "GET %s HTTP/1.1\r\nHost: localhost\r\n%s\r\n".formatted(path, String.join("", headers));
  }

  /** Sends bytes, given as characters of ISO 8859-1. */
  void send(String bytes) throws IOException {
    ByteBuffer buffer = ByteBuffer.wrap(bytes.getBytes(ISO_8859_1));
    while (buffer.hasRemaining()) {
      channel.write(buffer);
    }
  }

  /** Sends a request, and returns the response. */
  Response get(String path, String... headers) throws IOException {
    send(request(path, headers));
    return receive();
  }

  /** Returns the next response. */
  Response receive() throws IOException {
    Response head = receiveHead();
    StringBuilder body = new StringBuilder();
    int length = head.headers.indexOf("content-length: ");
    if (head.headers.contains("transfer-encoding: chunked")) {
      for (String chunk = receiveChunk(); !chunk.isEmpty(); chunk = receiveChunk()) {
        body.append(chunk);
      }
    } else if (length >= 0) {
      int end = head.headers.indexOf('\n', length);
      body.append(bytes(Integer.parseInt(head.headers.substring(length + 16, end))));
    } else {
      body.append(new String(input.readAllBytes(), ISO_8859_1));
    }
    return new Response(head.status, head.headers, body.toString());
  }

  /** Returns the next response without its body. */
  Response receiveHead() throws IOException {
    int status = Integer.parseInt(line().split(" ", 3)[1]);
    StringBuilder headers = new StringBuilder();
    for (String line = line(); !line.isEmpty(); line = line()) {
      headers.append(line.toLowerCase(Locale.ROOT)).append('\n');
    }
    return new Response(status, headers.toString(), "");
  }

  /** Returns the next event of a stream, which may be in several chunks. */
  String receiveEvent() throws IOException {
    String event = "";
    while (!event.endsWith("\n\n")) {
      String chunk = receiveChunk();
      if (chunk.isEmpty()) {
        throw new EOFException("a stream has ended: " + event);
      }
      event += chunk;
    }
    return event;
  }

  /** Returns the next chunk of a body; the last one is empty. */
  private String receiveChunk() throws IOException {
    String chunk = bytes(Integer.parseInt(line(), 16));
    line();
    return chunk;
  }

  private String bytes(int length) throws IOException {
    byte[] bytes = input.readNBytes(length);
    if (bytes.length < length) {
      throw new EOFException("a response is cut off");
    }
    return new String(bytes, ISO_8859_1);
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int next = input.read(); next != '\n'; next = input.read()) {
      if (next < 0) {
        throw new EOFException("the connection was closed before a response");
      }
      line.append((char) next);
    }
    return line.substring(0, line.length() - 1); // without CR
  }

  /** Ends the connection with a reset. */
  void reset() throws IOException {
    channel.setOption(StandardSocketOptions.SO_LINGER, 0);
    channel.close();
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) { // it was ended by the other side
    }
  }
}
