package org.jmmv.qa;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * An nginx with the configuration of its Debian package, and one location that passes requests on.
 * Its log, its temporary files and its port are its own.
 */
final class Nginx implements AutoCloseable {
  private static final Path DEBIAN = Path.of("/etc/nginx/nginx.conf");
  private static final String SITES = "include /etc/nginx/sites-enabled/*;";

  private final int port = PrivatePmcd.freePort();
  private final Path directory;
  private final RunningProgram program;

  /**
   * Starts it, and waits until it answers.
   *
   * @param location a block of nginx's configuration
   */
  Nginx(TemporaryPcp pcp, String location) {
    try {
      directory = Files.createDirectories(pcp.file("nginx"));
      StringBuilder site = new StringBuilder();
      for (String kind : new String[] {"client_body", "proxy", "fastcgi", "uwsgi", "scgi"}) {
        site.append("%s_temp_path %s/%s;\n".formatted(kind, directory, kind));
      }
      site.append("server { listen 127.0.0.1:%d;\n%s\n}\n".formatted(port, location));
      String text =
          Files.readString(DEBIAN)
              .replaceFirst("(?m)^user .*", "user root;") // who owns the directory
              .replaceAll("/var/log/nginx/|/run/", directory + "/")
              .replace("include /etc/nginx/conf.d/*.conf;", "")
              .replace(SITES, site);
      Path configuration = Files.writeString(directory.resolve("nginx.conf"), text);
      String errors = directory.resolve("error.log").toString();
      program =
          RunningProgram.start(
              pcp,
              "nginx",
              List.of(
                  "/usr/sbin/nginx",
                  "-e",
                  errors,
                  "-c",
                  configuration.toString(),
                  "-g",
                  "daemon off;"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    program.await("nginx listens", this::log, () -> Files.exists(directory.resolve("nginx.pid")));
  }

  /** Returns the address of a path. */
  String address(String path) {
    return "http://127.0.0.1:" + port + path;
  }

  private String log() {
    return TemporaryPcp.text(directory.resolve("error.log"));
  }

  /** Ends it with SIGTERM, which also ends its workers. */
  @Override
  public void close() {
    program.stop();
  }
}
