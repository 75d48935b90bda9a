package org.jmmv.qa;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Firefox without a window. Debian has no driver for it, so the test speaks Firefox's own protocol,
 * Marionette: messages of JSON, each with its length in bytes and a colon before it.
 */
final class FirefoxTab implements Tab {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Socket socket;
  private int requests;

  private FirefoxTab(Socket socket) {
    this.socket = socket;
  }

  /** Starts the browser, which the directories of a test end. */
  static Tab start(TemporaryPcp pcp) {
    try {
      Path profile = Files.createDirectories(pcp.file("firefox"));
      Files.writeString(profile.resolve("user.js"), "user_pref('marionette.port', 0);\n");
      RunningProgram program =
          pcp.open(
              RunningProgram.start(
                  pcp,
                  "firefox",
                  List.of(
                      "firefox-esr",
                      "--headless",
                      "--marionette",
                      "--no-remote",
                      "--profile",
                      profile.toString())));
      Path port = profile.resolve("MarionetteActivePort"); // which Firefox writes
      Await.until("a port of Firefox", program::output, () -> Files.exists(port));
      FirefoxTab tab =
          pcp.open(
              new FirefoxTab(
                  new Socket(
                      InetAddress.getLoopbackAddress(), Integer.parseInt(Files.readString(port)))));
      tab.receive(); // which program this is
      tab.ask("WebDriver:NewSession", Map.of());
      return tab;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void open(String address) {
    ask("WebDriver:Navigate", Map.of("url", address));
  }

  @Override
  public String run(String script) {
    return ask("WebDriver:ExecuteScript", Map.of("script", script)).get("value").asText();
  }

  /** Sends a request, and returns the result. */
  private JsonNode ask(String command, Map<String, Object> parameters) {
    try {
      byte[] request = JSON.writeValueAsBytes(List.of(0, ++requests, command, parameters));
      socket.getOutputStream().write((request.length + ":").getBytes(UTF_8));
      socket.getOutputStream().write(request);
      JsonNode response = receive(); // its type, the number of the request, an error, a result
      if (!response.get(2).isNull()) {
        throw new AssertionError(response.get(2).toString());
      }
      return response.get(3);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private JsonNode receive() throws IOException {
    InputStream in = socket.getInputStream();
    int length = 0;
    for (int next = in.read(); next != ':'; next = in.read()) {
      if (next < 0) {
        throw new EOFException();
      }
      length = 10 * length + Character.digit(next, 10);
    }
    return JSON.readTree(in.readNBytes(length));
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
