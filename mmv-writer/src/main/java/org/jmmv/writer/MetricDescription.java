package org.jmmv.writer;

import java.util.LinkedHashMap;
import java.util.Map;

/** What is said of a metric before it is added, see {@link MetricBuilder}. */
final class MetricDescription {
  final String name;
  int item = -1; // to be assigned
  Type type; // null: that of the kind
  Semantics semantics; // null: that of the kind
  Units units = Units.NONE;
  String oneLine;
  String text;
  final Map<String, byte[]> labels = new LinkedHashMap<>(); // JSON by names

  MetricDescription(String name) {
    this.name = name;
  }
}
