package org.jmmv.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketAddress;
import java.net.SocketException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jmmv.pcp.Network;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.ParameterException;

/** The command line of {@code jmmv serve}. */
class ServeCommandTest {
  private static ServeCommand.Options options(String... args) {
    String[] words = Stream.concat(Stream.of("serve"), Stream.of(args)).toArray(String[]::new);
    return ServeCommand.options(ToolCommand.commandLine().parseArgs(words).subcommand());
  }

  private static String refusal(String... args) {
    return AgentCommand.refusal(assertThrows(ParameterException.class, () -> options(args)));
  }

  @ParameterizedTest
  @CsvSource({
    "192.0.2.0/24, 192.0.2.0, 24",
    "192.0.2.7, 192.0.2.7, 32",
    "0.0.0.0/0, 0.0.0.0, 0",
    "2001:db8::/32, 2001:db8::, 32",
    "::1, ::1, 128",
    "::ffff:192.0.2.0/24, 192.0.2.0, 24"
  })
  void networksHaveAnAddressAndALength(String text, String address, int bits) {
    assertEquals(
        List.of(new Network(InetAddress.ofLiteral(address), bits)),
        options("--allow", text).allowed());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1.2.3",
        "10/8",
        "192.0.2.0/",
        "192.0.2.0/33",
        "192.0.2.0/+8",
        "192.0.2.0/-1",
        "::/129",
        "010.0.0.0/8",
        "192.0.2.256",
        "fe80::1%1",
        "[::1]",
        "example.org",
        ""
      })
  void otherNetworksAreRefused(String text) {
    String reason =
        "\"%s\" is not a network such as 192.0.2.0/24 or 2001:db8::/32, or an address in full"
            .formatted(text);
    assertTrue(refusal("--allow", text).contains(reason), refusal("--allow", text));
  }

  @Test
  void anAddressToListenAtIsGivenInFull() {
    assertEquals(
        List.of(
            new InetSocketAddress(InetAddress.ofLiteral("192.0.2.1"), 65_535),
            new InetSocketAddress(InetAddress.ofLiteral("::1"), 0)),
        options("--listen=192.0.2.1:65535", "--listen=[::1]:0").addresses());
    assertTrue(refusal("--listen=127.1:44321").contains("\"127.1:44321\" is not an IP address"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"65536", "-1", "x", ""})
  void otherPortsAreRefusedWithThoseThatThereAre(String port) {
    for (String option : List.of("--listen", "--http")) {
      String said = refusal(option, "127.0.0.1:" + port);
      assertTrue(
          said.contains("\"" + port + "\" is not a port from 1 to 65535, or 0 for a free one"),
          said);
    }
  }

  private static SocketAddress at(String address, int port) {
    return new InetSocketAddress(InetAddress.ofLiteral(address), port);
  }

  /** Returns the loopback addresses that this machine has. */
  private static List<SocketAddress> loopback(int port) throws SocketException {
    return NetworkInterface.getByInetAddress(InetAddress.ofLiteral("::1")) == null
        ? List.of(at("127.0.0.1", port))
        : List.of(at("127.0.0.1", port), at("::1", port));
  }

  @Test
  void localhostIsEachLoopbackAddress() throws SocketException {
    assertEquals(loopback(9464), options("--http", "localhost:9464").http());
    assertEquals(loopback(9464), options("--listen", "localhost:9464").addresses());
    assertEquals(loopback(ServeCommand.PORT), options().addresses());
    assertEquals(List.of(), options("--listen", "none", "--http", "localhost:0").addresses());
  }

  @Test
  void aPortAloneIsThatOfAllAddresses() throws SocketException {
    String any = loopback(1).size() == 1 ? "0.0.0.0" : "::";
    assertEquals(List.of(at(any, 9464)), options("--http", ":9464").http());
    assertEquals(List.of(at(any, 0)), options("--listen", ":0").addresses());
  }

  @ParameterizedTest
  @ValueSource(strings = {"localhost", "example.com:9464", "9464", "LOCALHOST", "none"})
  void otherAddressesOfHttpAreRefusedWithExamples(String text) {
    assertTrue(
        refusal("--http", text)
            .contains(
                "\"%s\" is not an address and port such as 127.0.0.1:9464, localhost:9464 or :9464,"
                    .formatted(text)),
        refusal("--http", text));
  }

  @Test
  void namesOfThisHostAreInLowerCase() {
    assertEquals(
        Set.of("jmmv", "host.docker.internal", "*"),
        options("--http-host", "JMMV", "--http-host=host.docker.internal", "--http-host", "*")
            .httpHosts());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"jmmv:9464", "*.example.com", "http://jmmv", "jmmv/", "a b", "-x", ".", "[::1]"})
  void whatCantBeANameOfAHostIsRefused(String text) {
    assertTrue(
        refusal("--http-host=" + text)
            .contains("\"" + text + "\" is not a name of this host such as metrics.example.com,"),
        refusal("--http-host=" + text));
  }

  @Test
  void onlyWhatAServerCanSayIsAsked() {
    assertEquals(Optional.of("ready"), options("--ask=ready").ask());
    assertEquals(Optional.of("healthy"), options("--ask", "healthy").ask());
    assertTrue(refusal("--ask", "x").contains("\"x\" is not ready or healthy"));
  }
}
