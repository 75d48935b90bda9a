package org.jmmv.web.metrics;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jmmv.core.Metric;
import org.jmmv.pcp.HeapSize;
import org.jmmv.reader.watch.NamePattern;
import org.jmmv.web.http.Failure;
import org.jmmv.web.http.Request;

/**
 * Which families a client asks for: {@code name[]}, names in Prometheus of families or series;
 * {@code match}, a pattern for such names; {@code files}, patterns for the names of files. Each
 * that is given must be met. A page keeps these texts, each of which ends with NUL, because what a
 * {@link Matcher} has takes up to 60 times as much: it is made for each piece.
 *
 * @param names empty: all
 * @param patterns of names; empty: all
 * @param files patterns of files; empty: all
 */
record FamilyFilter(String names, String patterns, String files) {
  private static final String END = "\0"; // is in no name

  /** Asks for all. */
  static final FamilyFilter ALL = new FamilyFilter("", "", "");

  static FamilyFilter of(Request request) throws Failure {
    check(request, "match");
    check(request, "files");
    return new FamilyFilter(
        joined(request.all("name[]")), joined(request.all("match")), joined(request.all("files")));
  }

  private static void check(Request request, String parameter) throws Failure {
    try {
      request.all(parameter).forEach(NamePattern::of);
    } catch (IllegalArgumentException e) {
      throw Failure.badRequest(parameter + ": " + e.getMessage());
    }
  }

  /** Returns texts as a filter keeps them. */
  static String joined(List<String> texts) {
    StringBuilder joined = new StringBuilder();
    texts.forEach(text -> joined.append(text.replace(END, "\ufffd")).append(END));
    return joined.toString();
  }

  private static List<String> split(String joined) {
    List<String> texts = Arrays.asList(joined.split(END, -1));
    return texts.subList(0, texts.size() - 1); // nothing is behind the last END
  }

  private static List<NamePattern> patterns(String joined) {
    return split(joined).stream().map(NamePattern::of).toList();
  }

  long bytes() {
    return HeapSize.of(names) + HeapSize.of(patterns) + HeapSize.of(files);
  }

  Matcher matcher() {
    List<String> sorted = split(names).stream().sorted().distinct().toList();
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
      return patterns.stream().anyMatch(pattern -> pattern.matches(text.getBytes(ISO_8859_1)));
    }
  }
}
