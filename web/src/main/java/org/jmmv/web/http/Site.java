package org.jmmv.web.http;

import static org.jmmv.pcp.Printable.printable;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.NetUtil;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The resources by their paths, and who may ask for them. */
public final class Site {
  private static final Logger LOG = LoggerFactory.getLogger(Site.class);
  private static final int MAX_NAME = 253; // of DNS: a header may be longer, a line of the log not
  private static final int MAX_LOGGED = 20; // clients choose the names, and could fill log and heap

  private final Map<String, Resource> resources = new HashMap<>();
  private final Map<String, String> redirects = new HashMap<>();
  private final Map<String, Function<Failure, Response>> errors = new HashMap<>();
  private final Set<String> publicPaths = new HashSet<>();
  private final Set<String> urgentPaths = new HashSet<>();
  private final Set<String> logged = new HashSet<>(); // names of hosts
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

  /**
   * Sends clients that ask for a path to another one, and for no path below it.
   *
   * @param target relative to that path: a proxy may serve all at a path of its own
   */
  public void redirect(String path, String target) {
    redirects.put(path, target);
  }

  /** Adds a resource that clients get also when all connections are taken. */
  public void addUrgent(String path, Resource resource) {
    urgentPaths.add(path);
    add(path, resource);
  }

  /** As {@link #addUrgent}, and also without a password. */
  public void addPublic(String path, Resource resource) {
    publicPaths.add(path);
    addUrgent(path, resource);
  }

  /**
   * Sets how errors are reported for all paths that begin with one, instead of by a line of text.
   */
  public void addErrors(String path, Function<Failure, Response> response) {
    errors.put(path, response);
  }

  /** Returns the response to a request with a path if it has failed. */
  Response error(String path, Failure why) {
    return errors.entrySet().stream()
        .filter(one -> path.startsWith(one.getKey()))
        .findFirst()
        .map(one -> one.getValue().apply(why))
        .orElseGet(() -> Response.of(why))
        .with(why);
  }

  /** Returns whether clients get a path also when all connections are taken. */
  boolean isUrgent(String path) {
    return urgentPaths.contains(path);
  }

  /** Returns whether clients may ask for a path without a password. */
  boolean isPublic(String path) {
    return publicPaths.contains(path);
  }

  /** Returns the resource with a path. */
  Resource resource(String path) throws Failure {
    String target = redirects.get(path);
    Resource found = target == null ? resources.get(path) : _ -> Response.redirect(target);
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

  /**
   * Refuses a request under a name that is not one of this host.
   *
   * @param host the name and perhaps a port; null if the client gives none
   */
  void checkHost(String host, SiteRules permitted) throws Failure {
    if (host == null) {
      return; // HTTP/1.0; every browser sends it
    }
    String name = host.replaceFirst(":[0-9]*$", "").toLowerCase(Locale.ROOT);
    boolean isAddress =
        NetUtil.isValidIpV4Address(name)
            || (name.startsWith("[") && name.endsWith("]") && NetUtil.isValidIpV6Address(name));
    if (!isAddress && !permitted.permitsHost(name)) {
      log(printable(name.substring(0, Math.min(MAX_NAME, name.length()))));
      throw new Failure(
          HttpResponseStatus.MISDIRECTED_REQUEST,
          "this host is not known by the name in the request's Host header; --http-host, or http.hosts in jmmv.toml, permits further names");
    }
  }

  /** Logs each name once, and not more than some: clients choose them. */
  private void log(String name) {
    if (logged.size() < MAX_LOGGED && logged.add(name)) {
      LOG.warn(
          "requests to the host \"{}\" are refused: it is not known to be a name of this host; --http-host {},"
              + " or http.hosts in jmmv.toml, permits it{}",
          name,
          name,
          logged.size() < MAX_LOGGED ? "" : "; further names are not logged");
    }
  }
}
