package org.jmmv.writer;

import java.util.LinkedHashMap;
import java.util.Map;

/** What is said of an instance domain before it is added, see {@link InDomBuilder}. */
final class InDomDescription {
  final String name;
  int serial; // 0: to be assigned
  String oneLine;
  String text;
  final Map<String, byte[]> labels = new LinkedHashMap<>(); // JSON by names

  InDomDescription(String name) {
    this.name = name;
  }
}
