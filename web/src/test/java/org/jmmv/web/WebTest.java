package org.jmmv.web;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jmmv.pcp.ValueType;
import org.jmmv.reader.watch.Limit;
import org.jmmv.reader.watch.Limits;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The resources, over more files than a request has time for. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WebTest {
  private static final int FILES = 300;

  @TempDir Path directory;
  private WebServer web;

  @BeforeEach
  void serve() {
    for (int i = 0; i < FILES; i++) {
      MmvWriter file = new MmvWriter(2).cluster(i + 1);
      file.metric("m", 1, ValueType.U32).value(i);
      file.write(directory, "file" + i);
    }
    Limits hasty = Limits.DEFAULT.with(Limit.WAIT, 1);
    web = new WebServer(WebServer.catalog(directory, hasty), Map::of);
  }

  @AfterEach
  void close() {
    web.close();
  }

  @ParameterizedTest
  @CsvSource({
    "/, text/html; charset=utf-8",
    "/metrics, text/plain; version=0.0.4; charset=utf-8",
    "/pmapi/context, application/json",
    "/pmapi/metric?prefix=mmv, application/json",
    "/api/v1/metrics, application/json",
    "/api/v1/stream?series=70.1.1, text/event-stream",
  })
  void headHasTheHeadersOfGetAndNoBody(String path, String type) throws IOException {
    String request = "HEAD " + path + " HTTP/1.1\r\nHost: localhost\r\n";
    InetSocketAddress address = (InetSocketAddress) web.address();
    try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
      socket
          .getOutputStream()
          .write((request + "\r\n" + request + "Connection: close\r\n\r\n").getBytes(ISO_8859_1));
      String responses = new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
      String head = "HTTP/1.1 200 OK\r\ncontent-type: " + type + "\r\n([a-z-]+: [^\r]*\r\n)+\r\n";
      assertTrue(responses.matches(head + head), responses);
    }
  }

  /** Returns the series about files, without their values. */
  private Set<String> seriesOfFiles() {
    return web.get("/metrics?match=jmmv_file_*")
        .body()
        .lines()
        .filter(line -> line.startsWith("jmmv_file_"))
        .map(line -> line.substring(0, line.lastIndexOf(' ')))
        .collect(Collectors.toSet());
  }

  @Test
  void noFileLosesItsSeriesWhileAllAreReadAgain() {
    while (web.get("/-/ready").statusCode() != 200) {
      Thread.onSpinWait();
    }
    Set<String> before = seriesOfFiles();
    assertTrue(before.contains("jmmv_file_state{file=\"file7\",state=\"served\"}"));
    for (int i = 0; i < 5; i++) {
      web.server().catalog().requestReload();
      for (int scrape = 0; scrape < 20; scrape++) {
        assertEquals(before, seriesOfFiles());
      }
      assertNull(web.server().catalog().dueReload(), "it has begun");
    }
  }
}
