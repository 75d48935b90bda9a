package org.jmmv.config;

import java.net.SocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jmmv.pcp.Network;

/**
 * The table {@code http} of the settings file.
 *
 * @param addresses where {@code jmmv serve} listens for clients of HTTP, beside the addresses of
 *     its command line
 * @param hosts names by which clients may call this host, beside its own, in lower case; {@code *}
 *     stands for any
 * @param origins web sites whose pages may read what is served, for example {@code
 *     https://grafana.example.com}
 * @param hasPcpNames whether metrics have their names in PCP by default, not those that Prometheus
 *     recommends
 * @param maxSeries how many series of a file are on a page for Prometheus; 0: any number
 * @param history the memory for the values of the last minutes in MiB; 0: none are kept
 * @param certificate the certificate for HTTPS; empty: that of the command line
 * @param clientCa a PEM file with certificates, one of which must have issued that of each client;
 *     empty: clients need none
 * @param users the bcrypt hashes of the passwords of users; empty: clients need no password
 * @param proxies the networks of reverse proxies whose X-Forwarded-For is trusted
 */
public record HttpSettings(
    List<SocketAddress> addresses,
    Set<String> hosts,
    Set<String> origins,
    boolean hasPcpNames,
    int maxSeries,
    int history,
    Optional<CertificateFiles> certificate,
    Optional<Path> clientCa,
    Map<String, String> users,
    List<Network> proxies) {
  /** The settings without a file. */
  public static final HttpSettings DEFAULT =
      new HttpSettings(
          List.of(),
          Set.of(),
          Set.of(),
          false,
          0,
          16,
          Optional.empty(),
          Optional.empty(),
          Map.of(),
          List.of());

  public HttpSettings {
    addresses = List.copyOf(addresses);
    hosts = Set.copyOf(hosts);
    origins = Set.copyOf(origins);
    users = Map.copyOf(users);
    proxies = List.copyOf(proxies);
  }
}
