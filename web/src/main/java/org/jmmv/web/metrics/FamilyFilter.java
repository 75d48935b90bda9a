package org.jmmv.web.metrics;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.List;
import java.util.Set;
import org.jmmv.reader.watch.NamePattern;
import org.jmmv.web.http.Failure;
import org.jmmv.web.http.Request;

/**
 * Which families a client asks for: {@code name[]}, names in Prometheus of families or series;
 * {@code match}, a pattern for such names; {@code files}, patterns for the names of files. Each
 * that is given must be met.
 *
 * @param names empty: all
 * @param patterns of names; empty: all
 * @param files patterns of files; empty: all
 */
record FamilyFilter(Set<String> names, List<NamePattern> patterns, List<NamePattern> files) {
  static FamilyFilter of(Request request) throws Failure {
    return new FamilyFilter(
        Set.copyOf(request.all("name[]")), patterns(request, "match"), patterns(request, "files"));
  }

  private static List<NamePattern> patterns(Request request, String parameter) throws Failure {
    try {
      return request.all(parameter).stream().map(NamePattern::of).toList();
    } catch (IllegalArgumentException e) {
      throw new Failure(HttpResponseStatus.BAD_REQUEST, parameter + ": " + e.getMessage());
    }
  }

  /** Returns whether a family is asked for. */
  boolean test(Family family) {
    return hasName(family)
        && (files.isEmpty() || family.files().stream().anyMatch(file -> matches(files, file)));
  }

  /** Returns whether the name of a family is asked for, whatever file it comes from. */
  boolean hasName(Family family) {
    String series = family.series();
    return (names.isEmpty() || names.contains(series) || names.contains(family.name()))
        && (patterns.isEmpty() || matches(patterns, series));
  }

  private static boolean matches(List<NamePattern> patterns, String text) {
    return patterns.stream().anyMatch(pattern -> pattern.matches(text.getBytes(ISO_8859_1)));
  }
}
