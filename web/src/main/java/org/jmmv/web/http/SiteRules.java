package org.jmmv.web.http;

import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jmmv.pcp.Network;

/**
 * Which requests are permitted.
 *
 * @param hosts the names by which clients may call this host, in lower case; {@value #ANY_HOST}
 *     stands for any. An IP address is always permitted: a web site that tricks a browser into
 *     requests to this host (DNS rebinding) does so under a name of its own
 * @param origins web sites whose pages may read responses, for example {@code
 *     https://grafana.example.com}
 * @param users the bcrypt hashes of the passwords of users; empty: clients need no password
 * @param proxies the networks of reverse proxies whose X-Forwarded-For is trusted
 */
public record SiteRules(
    Set<String> hosts, Set<String> origins, Map<String, String> users, List<Network> proxies) {
  private static final String ANY_HOST = "*";

  public SiteRules {
    hosts = Set.copyOf(hosts);
    origins = Set.copyOf(origins);
    users = Map.copyOf(users);
    proxies = List.copyOf(proxies);
  }

  /** Returns whether clients may call this host by a name, in lower case. */
  boolean permitsHost(String name) {
    return hosts.contains(name) || hosts.contains(ANY_HOST);
  }

  /** Returns whether a proxy connects from an address. */
  boolean trusts(InetAddress address) {
    return proxies.stream().anyMatch(network -> network.contains(address));
  }
}
