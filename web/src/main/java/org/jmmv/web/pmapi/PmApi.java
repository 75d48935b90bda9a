package org.jmmv.web.pmapi;

import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jmmv.pcp.Labels;
import org.jmmv.serving.Accounts;
import org.jmmv.serving.ThisHost;
import org.jmmv.web.http.Failure;
import org.jmmv.web.http.JsonBody;
import org.jmmv.web.http.Request;
import org.jmmv.web.http.Response;
import org.jmmv.web.http.Site;

/** Answers the requests below {@code /pmapi/}. An error is a JSON document, too. */
public final class PmApi {
  private static final String ROOT = "/pmapi/";
  private static final Pattern PATH = Pattern.compile(ROOT + "(?:(\\d+)/)?([a-z]+)");
  private static final Pattern SECONDS = Pattern.compile("\\d{1,9}(?:\\.\\d*)?|\\.\\d+");
  private static final Pattern NUMBER = Pattern.compile("\\d{1,18}");
  private static final String DEFAULT_SECONDS = "5";
  private static final double MAX_SECONDS = 4_294_967; // as pmproxy: 32 bits of milliseconds

  private static final Set<String> THIS_HOST =
      Set.of("", "localhost", "127.0.0.1", "[::1]", "local:", "unix:");

  private final Labels hostLabels;
  private final Contexts contexts;
  private final Map<String, Endpoint> endpoints;

  /** What answers a call. */
  private interface Endpoint {
    Document answer(Call call) throws Failure;
  }

  /**
   * Creates an object.
   *
   * @param accounts are charged for contexts
   * @param loop the event loop
   * @param hostLabels the labels of all contexts
   */
  public PmApi(Accounts accounts, ScheduledExecutorService loop, Labels hostLabels) {
    this.hostLabels = hostLabels;
    contexts = new Contexts(accounts, loop, System::nanoTime);
    endpoints =
        Map.of(
            "context",
            ContextDocument::new,
            "metric",
            MetricDocument::new,
            "fetch",
            call -> new FetchDocument(call, contexts),
            "indom",
            InDomDocument::new,
            "children",
            ChildrenDocument::new,
            "profile",
            call -> new ProfileDocument(call, contexts),
            "store",
            StoreDocument::new,
            "derive",
            call -> new DeriveDocument(call, contexts));
  }

  public void addTo(Site site) {
    site.add(ROOT, this::get);
    site.addErrors(ROOT, why -> Document.failed(OptionalLong.empty(), why));
  }

  private Response get(Request request) {
    Matcher path = PATH.matcher(request.path());
    Endpoint endpoint = path.matches() ? endpoints.get(path.group(2)) : null;
    OptionalLong number = OptionalLong.empty();
    try {
      if (endpoint == null) {
        throw new Failure(HttpResponseStatus.NOT_FOUND, "PCP's web API has no such request");
      }
      Optional<String> given = request.last("context").or(() -> Optional.ofNullable(path.group(1)));
      Context context;
      if (given.isPresent()) {
        number = OptionalLong.of(number(given.get()));
        context = contexts.use(number.getAsLong());
      } else {
        context = create(request);
        number = OptionalLong.of(context.number());
      }
      return Response.ok(JsonBody.JSON, endpoint.answer(new Call(hostLabels, context, request)));
    } catch (Failure e) {
      return Document.failed(number, e);
    }
  }

  private static long number(String context) throws Failure {
    if (!NUMBER.matcher(context).matches()) {
      throw Failure.badRequest("invalid context identifier: " + context);
    }
    return Long.parseLong(context);
  }

  private Context create(Request request) throws Failure {
    String seconds = request.last("polltimeout").orElse(DEFAULT_SECONDS);
    if (!SECONDS.matcher(seconds).matches()) {
      throw Failure.badRequest("invalid timeout requested in polltime");
    }
    String host = request.last("hostspec").or(() -> request.last("hostname")).orElse("");
    checkHost(host, request);
    double timeout = Math.min(Double.parseDouble(seconds), MAX_SECONDS);
    return contexts.create(request.client(), (long) (timeout * 1e9));
  }

  /**
   * Refuses a request about another host. What follows a port, as {@code ?container=NAME}, is part
   * of no name of this host.
   *
   * @param text the host, with or without protocol and port, see PCPIntro(1)
   */
  private static void checkHost(String text, Request request) throws Failure {
    String host = withoutPort(text.replaceFirst("^pcps?://", ""));
    String asked = withoutPort(request.headers().get("host", ""));
    if (!THIS_HOST.contains(host)
        && !host.equalsIgnoreCase(ThisHost.hostname())
        && !host.equals(asked)) {
      throw Failure.badRequest("cannot connect to PMCD: %s is not this host".formatted(text));
    }
  }

  private static String withoutPort(String host) {
    return host.replaceFirst(":[0-9]{1,5}/?$", "").toLowerCase(Locale.ROOT);
  }
}
