package org.jmmv.web.pmapi;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.List;
import java.util.Optional;
import org.jmmv.core.Catalog;
import org.jmmv.core.Metric;
import org.jmmv.core.PmcdClients;
import org.jmmv.pcp.FileText;
import org.jmmv.pcp.HeapSize;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.PmError;
import org.jmmv.pcp.ValueType;
import org.jmmv.web.http.Failure;
import org.jmmv.web.http.Request;

/**
 * {@code /pmapi/store}: sets a control metric, for users who are known, and waits for the reload
 * that the value asks for.
 */
final class StoreDocument extends Document {
  private final boolean isName; // whether the metric is given by its name, otherwise by its PMID
  private final String given;
  private final String value;
  private final boolean isPermitted;
  private Catalog.Reload reload; // null: none is waited for

  StoreDocument(Call call) throws Failure {
    super(call);
    isName = call.first("name").isPresent();
    given =
        FileText.encode(
            call.first("name", "pmid").orElseThrow(() -> Failure.badRequest("no metric is given")));
    value =
        FileText.encode(
            call.first("value").orElseThrow(() -> Failure.badRequest("no value is given")));
    isPermitted = isPermitted(call.request());
  }

  @Override
  protected List<Step> steps() {
    return List.of(once(this::store), turn -> reload != null && !reload.goOn(turn), success());
  }

  private void store() throws Failure {
    Metric metric = (isName ? find(given) : find(Call.pmid(given))).metric();
    String shown = FileText.decode(given);
    if (metric == null) {
      throw Failure.badRequest(
          shown + (isName ? " - failed to lookup metric" : " - failed to lookup PMID"));
    }
    Optional<String> error = store(metric);
    if (error.isPresent()) {
      throw Failure.badRequest(
          "failed to store value to metric %s: %s".formatted(shown, error.get()));
    }
    reload = catalog().dueReload();
  }

  /** Stores the value, or returns why it can't be stored. */
  private Optional<String> store(Metric metric) {
    // A metric with instances is not stored: pmcd.client.whoami belongs to clients of PCP.
    if (!metric.isStorable() || metric.inDom() != InDom.NULL || !isPermitted) {
      return Optional.of(message(PmError.PERMISSION));
    }
    PmError error;
    if (metric.type() == ValueType.STRING) {
      error = metric.store(value, PmcdClients.NONE);
    } else { // a 32-bit number: no other metric can be stored
      try {
        error = metric.store(Integer.parseInt(value.strip()));
      } catch (NumberFormatException e) {
        error = PmError.TYPE;
      }
    }
    return Optional.ofNullable(error).map(StoreDocument::message);
  }

  /** Returns the message of pmErrStr(3). Clients look for parts of it. */
  private static String message(PmError error) {
    return switch (error) {
      case PERMISSION -> "No permission to perform requested operation";
      case TYPE -> "Unknown or illegal metric type";
      case CONV -> "Impossible value or scale conversion";
      default -> "Bad input to pmstore";
    };
  }

  /**
   * Returns whether a client may store values: a known user that does not pass on the request of
   * another one, and is not a browser that shows the page of another site. Such a page can have a
   * browser send any GET request; then the browser says so in Sec-Fetch-Site, unless it is an old
   * one. A loopback address does not make a client known: behind a reverse proxy on this machine,
   * clients of all hosts have it.
   */
  private static boolean isPermitted(Request request) {
    HttpHeaders headers = request.headers();
    boolean isForwarded =
        headers.contains("forwarded")
            || headers.contains("x-forwarded-for")
            || headers.contains("via");
    boolean isBrowser =
        headers.contains("sec-fetch-site")
            || headers.contains(HttpHeaderNames.ORIGIN)
            || headers.contains(HttpHeaderNames.REFERER)
            || headers.get(HttpHeaderNames.USER_AGENT, "").contains("Mozilla/");
    return request.isUser()
        && !isForwarded
        && (!isBrowser || headers.get("sec-fetch-site", "").equals("same-origin"));
  }

  @Override
  public long bytes() {
    return super.bytes() + HeapSize.of(given) + HeapSize.of(value);
  }
}
