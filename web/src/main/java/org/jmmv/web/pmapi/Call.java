package org.jmmv.web.pmapi;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jmmv.core.Catalog;
import org.jmmv.core.InstanceFilter;
import org.jmmv.core.Metric;
import org.jmmv.core.Scope;
import org.jmmv.core.View;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.Labels;
import org.jmmv.pcp.Pmid;
import org.jmmv.pcp.PmidList;
import org.jmmv.web.http.Request;

/** A request with its context. */
final class Call {
  private static final Pattern PMID = Pattern.compile("(\\d{1,3})\\.(\\d{1,4})\\.(\\d{1,4})");
  private static final Pattern IN_DOM = Pattern.compile("(\\d{1,3})\\.(\\d{1,7})");
  private static final Pattern NUMBER = Pattern.compile("\\d{1,10}|0[xX]\\p{XDigit}{1,8}");

  private final Catalog catalog;
  private final Labels hostLabels;
  private final Context context;
  private final Request request;
  private View view; // of the last look-up of metrics

  /**
   * Creates a call.
   *
   * @param hostLabels the labels of all contexts
   */
  Call(Catalog catalog, Labels hostLabels, Context context, Request request) {
    this.catalog = catalog;
    this.hostLabels = hostLabels;
    this.context = context;
    this.request = request;
  }

  Catalog catalog() {
    return catalog;
  }

  Labels hostLabels() {
    return hostLabels;
  }

  Context context() {
    return context;
  }

  Request request() {
    return request;
  }

  /** Returns the parameter that comes first among these names. */
  Optional<String> first(String... names) {
    return List.of(names).stream().flatMap(name -> request.last(name).stream()).findFirst();
  }

  /** Returns the parts between the commas; none of an empty text. */
  static List<String> list(String text) {
    return text.isEmpty() ? List.of() : List.of(text.split(",", -1));
  }

  /**
   * Returns the metric with a name in the context, or null if there is none.
   *
   * @param name one char per byte
   */
  Metric metric(String name) {
    return metrics(List.of(name))[0];
  }

  /** Returns the metric with a PMID, or null if there is none. */
  Metric metric(int pmid) {
    return metrics(pmid)[0];
  }

  /**
   * Returns the metrics with some names in the context.
   *
   * @param names one char per byte
   * @return an entry for each name; null if there is no such metric
   */
  Metric[] metrics(List<String> names) {
    return find(view -> names.stream().map(context::metric).mapToInt(view.names()::pmid).toArray());
  }

  /**
   * Returns the metrics with some PMIDs.
   *
   * @return an entry for each PMID; null if there is no such metric
   */
  Metric[] metrics(int... pmids) {
    return find(_ -> pmids);
  }

  /** Looks metrics up. If any is unknown, new files are looked for, which may have it. */
  private Metric[] find(Function<View, int[]> pmids) {
    Metric[] found = find(pmids, new Scope.OfNone());
    return Arrays.asList(found).contains(null) ? find(pmids, new Scope.OfAll()) : found;
  }

  private Metric[] find(Function<View, int[]> pmids, Scope scope) {
    PmidList wanted = PmidList.of(pmids.apply(catalog.begin(scope)));
    view = catalog.begin(new Scope.OfMetrics(wanted));
    return view.metrics(wanted);
  }

  /** Returns an upper bound for the number of values of a metric that was looked up last. */
  int maxValues(Metric metric, InstanceFilter filter) {
    return view.maxValues(metric, filter);
  }

  /** Returns a text of a client as the catalogue has texts, with one char per byte. */
  static String bytes(String text) {
    return new String(text.getBytes(UTF_8), ISO_8859_1);
  }

  /** Returns a PMID given as a number or as pmIDStr(3) writes it; {@link Pmid#NULL} if neither. */
  static int pmid(String text) {
    Matcher parts = PMID.matcher(text);
    return parts.matches()
        ? Pmid.build(part(parts, 1), part(parts, 2), part(parts, 3))
        : number(text);
  }

  /** Returns PMIDs, each in one of these forms. */
  static int[] pmids(List<String> texts) {
    return texts.stream().mapToInt(Call::pmid).toArray();
  }

  /**
   * Returns an instance domain given as a number or as pmInDomStr(3) writes it; {@link InDom#NULL}
   * if neither.
   */
  static int inDom(String text) {
    Matcher parts = IN_DOM.matcher(text);
    return parts.matches() ? InDom.build(part(parts, 1), part(parts, 2)) : number(text);
  }

  private static int part(Matcher matcher, int group) {
    return Integer.parseInt(matcher.group(group));
  }

  private static int number(String text) {
    return NUMBER.matcher(text).matches()
        ? (text.contains("x") || text.contains("X") ? Long.decode(text) : Long.valueOf(text))
            .intValue()
        : -1;
  }
}
