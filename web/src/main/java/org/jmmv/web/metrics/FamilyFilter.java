package org.jmmv.web.metrics;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.jmmv.core.Metric;
import org.jmmv.pcp.FileText;
import org.jmmv.pcp.TextList;
import org.jmmv.reader.watch.NamePattern;
import org.jmmv.web.http.Failure;
import org.jmmv.web.http.Request;

/**
 * Which families a client asks for: {@code name[]}, names in Prometheus of families or series;
 * {@code match}, a pattern for such names; {@code files}, patterns for the names of files. Each
 * that is given must be met. A page keeps these texts, because what a {@link Matcher} has takes up
 * to 60 times as much: it is made for each piece.
 *
 * @param names empty: all
 * @param patterns of names; empty: all
 * @param files patterns of files; empty: all
 */
record FamilyFilter(TextList names, TextList patterns, TextList files) {
  /** Asks for all. */
  static final FamilyFilter ALL = of(List.of(), List.of(), List.of());

  static FamilyFilter of(Request request) throws Failure {
    check(request, "match");
    check(request, "files");
    return of(request.all("name[]"), request.all("match"), request.all("files"));
  }

  static FamilyFilter of(List<String> names, List<String> patterns, List<String> files) {
    return new FamilyFilter(encoded(names), encoded(patterns), encoded(files));
  }

  private static TextList encoded(List<String> texts) {
    return TextList.of(texts.stream().map(FileText::encode).toList());
  }

  private static void check(Request request, String parameter) throws Failure {
    try {
      request.all(parameter).forEach(NamePattern::of);
    } catch (IllegalArgumentException e) {
      throw Failure.badRequest(parameter + ": " + e.getMessage());
    }
  }

  private static Stream<String> decoded(TextList texts) {
    return texts.toList().stream().map(FileText::decode);
  }

  private static List<NamePattern> patterns(TextList texts) {
    return decoded(texts).map(NamePattern::of).toList();
  }

  long bytes() {
    return names.bytes() + patterns.bytes() + files.bytes();
  }

  Matcher matcher() {
    List<String> sorted = decoded(names).sorted().distinct().toList();
    return new Matcher(sorted, patterns(patterns), patterns(files));
  }

  /**
   * Tells families that are asked for from others.
   *
   * @param names sorted, each once
   */
  record Matcher(List<String> names, List<NamePattern> patterns, List<NamePattern> files) {
    private static final int MAX_FILES = 16; // that are compared: thousands may share a metric

    /** Returns whether all families are asked for. */
    boolean isAll() {
      return names.isEmpty() && patterns.isEmpty() && files.isEmpty();
    }

    /** Returns whether the family of a metric is asked for. */
    boolean test(FamilyName family, Metric metric) {
      return hasName(family)
          && (files.isEmpty()
              || metric.origins(MAX_FILES).stream()
                  .anyMatch(origin -> matches(files, origin.file().toString())));
    }

    /** Returns whether the name of a family is asked for, whatever file it comes from. */
    boolean hasName(FamilyName family) {
      String series = family.series();
      return (names.isEmpty() || isNamed(series) || isNamed(family.name()))
          && (patterns.isEmpty() || matches(patterns, series));
    }

    /** Returns whether a family is asked for by a name, and not also by that of its series. */
    boolean isNamedBy(String name, FamilyName family) {
      return name.equals(family.series())
          || (name.equals(family.name()) && !isNamed(family.series()));
    }

    private boolean isNamed(String name) {
      return Collections.binarySearch(names, name) >= 0;
    }

    private static boolean matches(List<NamePattern> patterns, String text) {
      byte[] bytes = text.getBytes(ISO_8859_1);
      return patterns.stream().anyMatch(pattern -> pattern.matches(bytes));
    }
  }
}
