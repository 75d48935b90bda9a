package org.jmmv.web.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jmmv.core.Catalog;
import org.jmmv.core.CatalogOptions;
import org.jmmv.serving.Access;
import org.jmmv.serving.Server;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever a client sends, other clients are answered. */
class HttpFuzzTest {
  @TempDir static Path root;
  private static Server server;
  private static UnixDomainSocketAddress address; // on TCP, Jazzer would see a forged request

  @BeforeAll
  static void serve() throws IOException {
    server = new Server(new Catalog(new CatalogOptions(root)), new Access(1000, List.of()));
    Site site = new Site(() -> new SiteRules(Set.of("localhost"), Set.of(), Map.of(), List.of()));
    site.add("/hello", _ -> Response.text(HttpResponseStatus.OK, "hello"));
    address = UnixDomainSocketAddress.of(root.resolve("http"));
    server.listen(address, new HttpPipeline(server, site, Optional.empty()));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  static List<byte[]> requests() {
    return Stream.of(
            "GET /hello HTTP/1.1\r\nHost: localhost\r\n\r\n",
            "HEAD /hello?a=%20&b HTTP/1.0\r\n\r\n",
            "POST /hello HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc",
            "GET /hello HTTP/1.1\r\nTransfer-Encoding: chunked\r\nTrailer: x\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
            "GET /hello HTTP/1.1\r\nAccept-Encoding: gzip;q=1, *;q=0\r\nOrigin: x\r\n\r\n",
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
            "GET /%2e%2e/hello HTTP/1.1\r\nConnection: Upgrade\r\nExpect: 100-continue\r\n\r\n")
        .map(text -> text.getBytes(ISO_8859_1))
        .toList();
  }

  @MethodSource("requests")
  @FuzzTest
  void otherClientsAreAnswered(byte[] bytes) throws IOException {
    try (SocketChannel hostile = SocketChannel.open(address)) {
      hostile.write(ByteBuffer.wrap(bytes));
      assertGoodIsAnswered(); // by the loop that has read the bytes before, or reads them next
    } catch (IOException e) {
      // the server has closed the connection
    }
    assertGoodIsAnswered();
  }

  private static void assertGoodIsAnswered() throws IOException {
    try (SocketChannel good = SocketChannel.open(address)) {
      good.write(ByteBuffer.wrap(requests().getFirst()));
      good.shutdownOutput();
      String response = new String(Channels.newInputStream(good).readAllBytes(), ISO_8859_1);
      assertTrue(
          response.startsWith("HTTP/1.1 200 OK\r\n") && response.endsWith("hello\n"), response);
    }
  }
}
