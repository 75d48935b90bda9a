package org.jmmv.qa;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A reverse proxy before {@code jmmv serve}: the program of a Debian package with the block of its
 * configuration that docs/web.md has. Its files and its port are its own.
 */
final class Proxy implements AutoCloseable {
  private static final String DOCUMENT = TemporaryPcp.text(Path.of("../docs/web.md"));

  private final int port = PrivatePmcd.freePort();
  private final Path directory;
  private final Path pem; // a certificate and its key
  private final boolean hasTls;
  private final RunningProgram program;

  /** The programs. */
  enum Kind {
    NGINX("location /jmmv/ {"),
    APACHE("ProxyPass "),
    CADDY("handle_path /jmmv/"),
    HAPROXY("frontend www");

    private final String beginning; // of its block in the document

    Kind(String beginning) {
      this.beginning = beginning;
    }

    private String block() {
      Matcher block =
          Pattern.compile("(?m)^    \\Q" + beginning + "\\E.*\n(?:    .*\n)*").matcher(DOCUMENT);
      if (!block.find()) {
        throw new AssertionError("docs/web.md has no block for " + this);
      }
      return block.group().replace("\n    ", "\n").strip() + "\n";
    }

    /** Returns the block for a server with TLS. */
    private static String withTls(String block) {
      return block
          .replace("http://127", "https://127")
          .replaceFirst("(?=ProxyPass )", "SSLProxyEngine on\nSSLProxyCheckPeerName off\n")
          .replaceFirst("(?m)(?=^ +header_up)", "transport http {\ntls_insecure_skip_verify\n}\n")
          .replaceFirst("reverse_proxy (?=127)", "reverse_proxy https://")
          .replaceFirst("(?m)^( +server jmmv .*)", "$1 ssl verify none");
    }
  }

  /**
   * Starts a proxy, and waits until it listens. With TLS, its certificate is {@code server.pem}.
   *
   * @param path where it serves everything: /jmmv/ as in the document, or /
   * @param server the port of the server
   * @param hasTls whether the server and the proxy speak TLS
   */
  Proxy(TemporaryPcp pcp, Kind kind, String path, int server, boolean hasTls) {
    this.hasTls = hasTls;
    String block = kind.block().replace("/jmmv/", path).replace("9464", "" + server);
    try {
      directory = Files.createDirectories(pcp.file("proxy"));
      pem = directory.resolve("both.pem");
      Files.writeString(
          pem,
          TemporaryPcp.text(pcp.file("server.pem"))
              + TemporaryPcp.text(pcp.file("server-key.pem")));
      Path file = directory.resolve("configuration");
      Files.writeString(file, configuration(kind, hasTls ? Kind.withTls(block) : block));
      program =
          RunningProgram.start(
              pcp, "proxy", Map.of("HOME", directory.toString()), command(kind, file.toString()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    program.await("the proxy listens", this::log, this::listens);
  }

  private List<String> command(Kind kind, String file) {
    return switch (kind) {
      case NGINX -> List.of("/usr/sbin/nginx", "-e", errors(), "-c", file, "-g", "daemon off;");
      case APACHE -> List.of("/usr/sbin/apache2", "-f", file, "-D", "FOREGROUND");
      case CADDY -> List.of("caddy", "run", "--config", file, "--adapter", "caddyfile");
      case HAPROXY -> List.of("/usr/sbin/haproxy", "-db", "-f", file);
    };
  }

  private String configuration(Kind kind, String block) throws IOException {
    return switch (kind) {
      case NGINX -> {
        StringBuilder site = new StringBuilder();
        for (String use : new String[] {"client_body", "proxy", "fastcgi", "uwsgi", "scgi"}) {
          site.append("%s_temp_path %s/%s;\n".formatted(use, directory, use));
        }
        String listen = withPem(" ssl;\nssl_certificate %1$s;\nssl_certificate_key %1$s");
        site.append("server { listen 127.0.0.1:%d%s;\n%s\n}\n".formatted(port, listen, block));
        yield Files.readString(Path.of("/etc/nginx/nginx.conf"))
            .replaceFirst("(?m)^user .*", "user root;") // who owns the directory
            .replaceAll("/var/log/nginx/|/run/", directory + "/")
            .replace("include /etc/nginx/conf.d/*.conf;", "")
            .replace("include /etc/nginx/sites-enabled/*;", site);
      }
      case APACHE ->
          """
          ServerRoot /usr/lib/apache2
          ServerName localhost
          User www-data
          Group www-data
          PidFile %1$s/pid
          ErrorLog %2$s
          Mutex file:%1$s
          LoadModule mpm_event_module modules/mod_mpm_event.so
          LoadModule authz_core_module modules/mod_authz_core.so
          LoadModule socache_shmcb_module modules/mod_socache_shmcb.so
          LoadModule ssl_module modules/mod_ssl.so
          LoadModule proxy_module modules/mod_proxy.so
          LoadModule proxy_http_module modules/mod_proxy_http.so
          Listen 127.0.0.1:%3$d
          %4$s
          %5$s
          """
              .formatted(
                  directory, errors(), port, withPem("SSLEngine on\nSSLCertificateFile %s"), block);
      case CADDY ->
          """
          {
            admin off
            auto_https off
          }
          :%d {
            bind 127.0.0.1
            %s
            %s
          }
          """
              .formatted(port, withPem("tls %1$s %1$s"), block);
      case HAPROXY ->
          """
          defaults
              mode http
              timeout connect 5s
              timeout client 60s
              timeout server 60s
          %s
          """
              .formatted(
                  block.replaceFirst(
                      "frontend www\n",
                      "$0    bind 127.0.0.1:" + port + withPem(" ssl crt %s") + "\n"));
    };
  }

  /** Returns configuration that only a proxy with TLS has. */
  private String withPem(String format) {
    return hasTls ? format.formatted(pem) : "";
  }

  private boolean listens() {
    try (Socket _ = new Socket(InetAddress.ofLiteral("127.0.0.1"), port)) {
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** Returns the address of a path. */
  String address(String path) {
    return (hasTls ? "https" : "http") + "://127.0.0.1:" + port + path;
  }

  private String errors() {
    return directory.resolve("error.log").toString();
  }

  private String log() {
    return Files.exists(Path.of(errors())) ? TemporaryPcp.text(Path.of(errors())) : "";
  }

  /** Ends it with SIGTERM, which also ends its workers. */
  @Override
  public void close() {
    program.stop();
  }
}
