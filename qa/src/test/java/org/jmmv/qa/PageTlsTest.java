package org.jmmv.qa;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jmmv.pcp.ValueType;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.Test;

/** The page over TLS, for a user with a password. */
final class PageTlsTest {
  @Test
  void prometheusIsToldOfCertificatesAndOfThePassword() throws IOException {
    Need.CHROMIUM.require();
    try (TemporaryPcp pcp = new TemporaryPcp()) {
      MmvWriter app = new MmvWriter(2).cluster(11);
      app.metric("size", 1, ValueType.U64).value(7);
      app.write(pcp.mmv(), "app");
      PemFiles.make(pcp.file(""), "server");
      String settings =
          """
          [http]
          cert = "%s"
          key = "%s"
          [http.users]
          prometheus = "$2y$10$pmy4o6KESlBpbLWUVh68Tu9PnIDW5msYwWLKWSvcDCKvWvUK0Bxq."
          """
              .formatted(pcp.file("server.pem"), pcp.file("server-key.pem"));
      Path file = Files.writeString(pcp.file("jmmv.toml"), settings);
      URI address =
          pcp.open(
                  CollectorProcess.start(
                      pcp, "--http", "127.0.0.1:0", "--settings", file.toString()))
              .http();
      Browser browser = pcp.open(new Browser(pcp.file("profile"), 1400, 860));
      MetricsPage page = new MetricsPage(browser);
      browser.open(address.toString().replace("//", "//prometheus:secret@") + "#metrics");
      page.awaitCell("mmv.app.size", "value", "7");
      browser.click("nav a[href='#prometheus']");
      String expected =
          """
          scrape_configs:
            - job_name: mmv
              scrape_interval: 15s
              scheme: https
              tls_config:
                ca_file: ca.pem # unless this host trusts the issuer of the certificate
              basic_auth: {username: USER, password_file: jmmv.password}
              static_configs:
                - targets: ['%s']
          """
              .formatted(address.getAuthority());
      page.awaitText("#prometheus pre", expected.strip());
      assertEquals(
          expected.replaceFirst(
              "(?= +basic_auth)", "      cert_file: client.pem\n      key_file: client-key.pem\n"),
          browser.run(
              """
              return import('./page/guide.js').then(guide => {
                guide.showPrometheus({hasAuthorization: true, needsCertificate: true});
                return document.querySelector('#scrape-config div:last-child pre').textContent;
              });
              """));
    }
  }
}
