package org.jmmv.web.api;

import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.Optional;
import java.util.stream.Stream;
import org.jmmv.core.Metric;
import org.jmmv.core.View;
import org.jmmv.pcp.Pmid;
import org.jmmv.web.history.Order;
import org.jmmv.web.http.Failure;
import org.jmmv.web.http.Request;

/** The parameters of requests. */
final class Parameters {
  private static final int MAX_DIGITS = Integer.toString(Integer.MAX_VALUE).length();

  private Parameters() {}

  /** Returns a number, or its default if the request does not have it. */
  static int number(Request request, String name, int byDefault, int min, int max) throws Failure {
    Optional<String> text = request.last(name);
    if (text.isEmpty()) {
      return byDefault;
    }
    long number = isDecimal(text.get()) ? Long.parseLong(text.get()) : -1;
    if (number < min || number > max) {
      throw Failure.badRequest("%s is not a number from %d to %d".formatted(name, min, max));
    }
    return (int) number;
  }

  /** Returns a time of documents' clock; without the parameter, one before all. */
  static double clock(Request request, String name) throws Failure {
    String text = request.last(name).orElse("");
    if (text.isEmpty()) {
      return Double.NEGATIVE_INFINITY;
    }
    if (!text.matches("-?[0-9]{1,16}(\\.[0-9]{1,17})?(E[0-9]{1,2})?")) {
      throw Failure.badRequest(name + " is not a value of clock");
    }
    return Double.parseDouble(text);
  }

  /** Returns the order that the parameter {@code by} names. */
  static Order order(Request request) throws Failure {
    String text = request.last("by").orElse(Order.CHANGES.toString());
    return Stream.of(Order.values())
        .filter(one -> one.toString().equals(text))
        .findAny()
        .orElseThrow(() -> Failure.badRequest("by is changes, rate or value"));
  }

  /** Returns the position of the first element that a document has. */
  static int offset(Request request) throws Failure {
    return number(request, "offset", 0, 0, Integer.MAX_VALUE);
  }

  /** Returns the PMID that the request has to name. */
  static int pmid(Request request) throws Failure {
    String text =
        request.last("pmid").orElseThrow(() -> Failure.badRequest("the parameter pmid is missing"));
    return pmid(text);
  }

  /** Returns the PMID of a text such as {@code 70.12.3}. */
  static int pmid(String text) throws Failure {
    int pmid = Pmid.parse(text);
    if (pmid == Pmid.NULL) {
      throw Failure.badRequest("a PMID has the form domain.cluster.item, for example 70.12.3");
    }
    return pmid;
  }

  static boolean isDecimal(String text) {
    return !text.isEmpty()
        && text.length() <= MAX_DIGITS
        && text.chars().allMatch(c -> c >= '0' && c <= '9');
  }

  /**
   * Returns the metric with a PMID.
   *
   * @throws Failure if there is none
   */
  static Metric known(int pmid, View view) throws Failure {
    Metric metric = view.metric(pmid);
    if (metric == null) {
      throw new Failure(
          HttpResponseStatus.NOT_FOUND, "no metric has the PMID " + Pmid.toString(pmid));
    }
    return metric;
  }
}
