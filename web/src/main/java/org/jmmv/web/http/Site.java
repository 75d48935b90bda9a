package org.jmmv.web.http;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.NetUtil;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;

/** The resources by their paths, and who may ask for them. */
public final class Site {
  private final Map<String, Resource> resources = new HashMap<>();
  private final Supplier<SiteRules> rules;

  /**
   * Creates a site without resources.
   *
   * @param rules is asked for each request
   */
  public Site(Supplier<SiteRules> rules) {
    this.rules = rules;
  }

  SiteRules rules() {
    return rules.get();
  }

  /**
   * Adds a resource.
   *
   * @param path the path; if it ends with a slash, all paths that begin with it, unless they have a
   *     resource of their own
   */
  public void add(String path, Resource resource) {
    resources.put(path, resource);
  }

  /** Returns the resource with a path. */
  Resource resource(String path) throws Failure {
    Resource found = resources.get(path);
    for (int slash = path.lastIndexOf('/');
        found == null && slash > 0;
        slash = path.lastIndexOf('/', slash - 1)) {
      found = resources.get(path.substring(0, slash + 1));
    }
    if (found == null) {
      throw new Failure(HttpResponseStatus.NOT_FOUND, "there is nothing at this path");
    }
    return found;
  }

  /** Refuses a request under a name that is not one of this host. */
  void checkHost(String host) throws Failure {
    if (host == null) {
      return; // HTTP/1.0; every browser sends it
    }
    String name = host.replaceFirst(":[0-9]*$", "").toLowerCase(Locale.ROOT);
    boolean isAddress =
        NetUtil.isValidIpV4Address(name)
            || (name.startsWith("[") && name.endsWith("]") && NetUtil.isValidIpV6Address(name));
    if (!isAddress && !rules().hosts().contains(name)) {
      throw new Failure(
          HttpResponseStatus.MISDIRECTED_REQUEST,
          "this host is not known by the name in the request's Host header; http.hosts in jmmv.toml lists further names");
    }
  }
}
