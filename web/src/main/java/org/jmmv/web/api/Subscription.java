package org.jmmv.web.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import org.jmmv.core.Turn;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jmmv.core.Catalog;
import org.jmmv.core.InstanceFilter;
import org.jmmv.core.Metric;
import org.jmmv.core.Scope;
import org.jmmv.core.View;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.Instance;
import org.jmmv.pcp.PmidList;
import org.jmmv.pcp.ValueSink;
import org.jmmv.pcp.ValueType;
import org.jmmv.web.http.Body;
import org.jmmv.web.http.Failure;
import org.jmmv.web.http.JsonBody;
import org.jmmv.web.http.Request;

/** The values that a client wants: each of a singular metric, or of one instance. */
final class Subscription {
  private static final int MAX = 500; // values
  private static final int VALUE_BYTES = 300; // of a value in the heap
  private static final long MAX_INSTANCE = 0xffff_ffffL;
  private static final double NANOS_PER_MILLI = 1e6;

  /**
   * A value.
   *
   * @param instance {@link Instance#NULL} for a singular metric
   */
  private record Series(int pmid, int instance) {}

  private final Catalog catalog;
  private final Map<Series, Integer> positions;
  private final int size; // the same value may be wanted twice, and is found at its last position
  private final Map<Integer, int[]> instances; // by PMID

  private Subscription(Catalog catalog, Map<Series, Integer> positions, int size) {
    this.catalog = catalog;
    this.positions = positions;
    this.size = size;
    instances = new LinkedHashMap<>();
    for (Series one : positions.keySet()) {
      int[] before = instances.getOrDefault(one.pmid, new int[0]);
      int[] after = Arrays.copyOf(before, before.length + 1);
      after[before.length] = one.instance;
      instances.put(one.pmid, after);
    }
  }

  /** Returns the values that the parameters {@code series} of a request name. */
  static Subscription of(Request request, Catalog catalog) throws Failure {
    List<String> wanted = request.all("series");
    if (wanted.size() > MAX) {
      throw Parameters.bad("there are more than " + MAX + " series");
    }
    Map<Series, Integer> positions = new HashMap<>();
    for (String one : wanted) {
      int colon = one.indexOf(':');
      int pmid = Parameters.pmid(colon < 0 ? one : one.substring(0, colon));
      int instance = colon < 0 ? Instance.NULL : instance(one.substring(colon + 1));
      if (positions.putIfAbsent(new Series(pmid, instance), positions.size()) != null) {
        throw Parameters.bad("the same series is given twice");
      }
    }
    return new Subscription(catalog, positions, wanted.size());
  }

  private static int instance(String text) throws Failure {
    if (!Parameters.isDecimal(text) || Long.parseLong(text) > MAX_INSTANCE) {
      throw Parameters.bad("a series is a PMID, perhaps with a colon and an instance number");
    }
    return (int) Long.parseLong(text);
  }

  /** Returns what is kept for the subscription, in bytes. */
  long bytes() {
    return (long) VALUE_BYTES * size;
  }

  /** Returns a document with the current values. */
  Body body() {
    return new JsonBody() {
      @Override
      protected boolean writeNext(JsonGenerator json, Turn turn) throws IOException {
        writeValues(json);
        return false;
      }
    };
  }

  /** Writes the current values, in the order in which they were named. */
  void writeValues(JsonGenerator json) throws IOException {
    String[] values = read();
    json.writeStartObject();
    json.writeNumberField("time", System.currentTimeMillis());
    json.writeNumberField("clock", System.nanoTime() / NANOS_PER_MILLI);
    json.writeNumberField("epoch", catalog.changes().epoch());
    json.writeNumberField("version", catalog.changes().version());
    json.writeArrayFieldStart("values");
    for (String value : values) {
      json.writeString(value); // null if there is none
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private String[] read() {
    View view = catalog.begin(new Scope.OfMetrics(pmids()));
    String[] values = new String[size];
    instances.forEach((pmid, wanted) -> {
      Metric metric = view.metric(pmid);
      if (metric != null) {
        InstanceFilter filter = new InstanceFilter(false);
        if (metric.inDom() != InDom.NULL) {
          filter.set(metric.inDom(), false, wanted.clone());
        }
        view.read(metric, filter, new Reader(pmid, values));
      }
    });
    return values;
  }

  private PmidList pmids() {
    return PmidList.of(instances.keySet().stream().mapToInt(Integer::intValue).toArray());
  }

  /** Receives the values of a metric as texts: JSON's numbers are not exact beyond 53 bits. */
  private final class Reader implements ValueSink {
    private final int pmid;
    private final String[] values;

    private Reader(int pmid, String[] values) {
      this.pmid = pmid;
      this.values = values;
    }

    @Override
    public void numbers(int type, int[] numbers, long[] bits, int count) {
      for (int i = 0; i < count; i++) {
        set(numbers[i], ValueType.decimal(type, bits[i]));
      }
    }

    @Override
    public void text(int instance, byte[] bytes, int offset, int length) {
      set(instance, new String(bytes, offset, length, UTF_8));
    }

    private void set(int instance, String value) {
      Integer position = positions.get(new Series(pmid, instance));
      if (position != null) { // a metric may have become singular, or have got instances
        values[position] = value;
      }
    }

    @Override
    public void none(int status) {}

    @Override
    public void clear() {
      for (int instance : instances.get(pmid)) {
        values[positions.get(new Series(pmid, instance))] = null;
      }
    }
  }
}
