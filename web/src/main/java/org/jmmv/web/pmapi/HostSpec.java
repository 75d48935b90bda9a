package org.jmmv.web.pmapi;

import java.util.Locale;
import java.util.Set;
import org.jmmv.web.http.Failure;
import org.jmmv.web.http.Request;

/** The host that a client asks about, see PCPIntro(1): only this one is served. */
final class HostSpec {
  private static final Set<String> THIS_HOST =
      Set.of("", "localhost", "127.0.0.1", "[::1]", "local:", "unix:");

  private HostSpec() {}

  /**
   * Refuses a request about another host. What follows a port, as {@code ?container=NAME}, is part
   * of no name of this host.
   *
   * @param text the host, with or without protocol and port
   */
  static void check(String text, String hostname, Request request) throws Failure {
    String host = withoutPort(text.replaceFirst("^pcps?://", ""));
    String asked = withoutPort(request.headers().get("host", ""));
    if (!THIS_HOST.contains(host) && !host.equalsIgnoreCase(hostname) && !host.equals(asked)) {
      throw Failure.badRequest("cannot connect to PMCD: %s is not this host".formatted(text));
    }
  }

  private static String withoutPort(String host) {
    return host.replaceFirst(":[0-9]{1,5}/?$", "").toLowerCase(Locale.ROOT);
  }
}
