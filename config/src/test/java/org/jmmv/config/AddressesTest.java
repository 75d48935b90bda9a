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
import java.util.function.Function;
import org.jmmv.pcp.Network;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Addresses, hosts and networks as options and settings give them. */
class AddressesTest {
  private static String refusal(Function<String, ?> converter, String text) {
    return assertThrows(IllegalArgumentException.class, () -> converter.apply(text)).getMessage();
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
    assertEquals(new Network(InetAddress.ofLiteral(address), bits), Addresses.network(text));
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
    assertEquals(
        "\"%s\" is not a network such as 192.0.2.0/24 or 2001:db8::/32, or an address in full"
            .formatted(text),
        refusal(Addresses::network, text));
  }

  @Test
  void anAddressToListenAtIsGivenInFull() {
    assertEquals(List.of(at("192.0.2.1", 65_535)), Addresses.pcp("192.0.2.1:65535"));
    assertEquals(List.of(at("::1", 0)), Addresses.pcp("[::1]:0"));
    assertTrue(
        refusal(Addresses::pcp, "127.1:44321").startsWith("\"127.1:44321\" is not an IP address"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"65536", "-1", "x", ""})
  void otherPortsAreRefusedWithThoseThatThereAre(String port) {
    String reason = "\"" + port + "\" is not a port from 1 to 65535, or 0 for a free one";
    assertEquals(reason, refusal(Addresses::pcp, "127.0.0.1:" + port));
    assertEquals(reason, refusal(Addresses::http, "127.0.0.1:" + port));
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
    assertEquals(loopback(9464), Addresses.http("localhost:9464"));
    assertEquals(loopback(9464), Addresses.pcp("localhost:9464"));
    assertEquals(List.of(), Addresses.pcp("none"));
  }

  @Test
  void aPortAloneIsThatOfAllAddresses() throws SocketException {
    String any = loopback(1).size() == 1 ? "0.0.0.0" : "::";
    assertEquals(List.of(at(any, 9464)), Addresses.http(":9464"));
    assertEquals(List.of(at(any, 0)), Addresses.pcp(":0"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"localhost", "example.com:9464", "9464", "LOCALHOST", "none"})
  void otherAddressesOfHttpAreRefusedWithExamples(String text) {
    assertTrue(
        refusal(Addresses::http, text)
            .startsWith(
                "\"%s\" is not an address and port such as 127.0.0.1:9464, localhost:9464 or :9464,"
                    .formatted(text)),
        text);
  }

  @Test
  void namesOfThisHostAreInLowerCase() {
    assertEquals("jmmv", Addresses.host("JMMV"));
    assertEquals("host.docker.internal", Addresses.host("host.docker.internal"));
    assertEquals("*", Addresses.host("*"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"jmmv:9464", "*.example.com", "http://jmmv", "jmmv/", "a b", "-x", ".", "[::1]"})
  void whatCantBeANameOfAHostIsRefused(String text) {
    assertTrue(
        refusal(Addresses::host, text)
            .startsWith("\"" + text + "\" is not a name of this host such as metrics.example.com,"),
        text);
  }
}
