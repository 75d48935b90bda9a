package org.jmmv.web.pmapi;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.util.stream.Collectors.toSet;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jmmv.core.BoundedPattern;
import org.jmmv.pcp.FileText;
import org.jmmv.pcp.TextList;
import org.jmmv.reader.watch.NamePattern;
import org.jmmv.web.http.Failure;

/**
 * The instances that a request names: by the parameters {@code iname}, whole names, patterns or
 * regular expressions, or {@code instance}, numbers. It keeps their texts; a step makes of them
 * what examines instances.
 */
record InstanceChoice(Kind kind, TextList texts) {
  /** How the texts name instances. */
  enum Kind {
    ALL,
    NAMES,
    PATTERNS,
    REGULAR_EXPRESSIONS,
    NUMBERS
  }

  interface Matcher {
    /**
     * Returns whether an instance is chosen.
     *
     * @param name one char per byte
     */
    boolean matches(int number, String name);
  }

  /**
   * Returns what a request names.
   *
   * @throws Failure if a pattern or a number is invalid
   */
  static InstanceChoice of(Call call) throws Failure {
    String match = call.first("match").orElse("exact");
    Kind ofNames =
        switch (match) {
          case "exact" -> Kind.NAMES;
          case "glob" -> Kind.PATTERNS;
          case "regex" -> Kind.REGULAR_EXPRESSIONS;
          default -> throw Failure.badRequest(match + " - invalid 'match' parameter value");
        };
    Optional<String> names = call.first("iname");
    Optional<String> numbers = call.first("instance");
    Kind kind = names.isPresent() ? ofNames : numbers.isPresent() ? Kind.NUMBERS : Kind.ALL;
    String text = names.or(() -> numbers).orElse("");
    InstanceChoice choice = new InstanceChoice(kind, TextList.ofCommas(FileText.encode(text)));
    try {
      choice.matcher();
    } catch (NumberFormatException e) {
      throw Failure.badRequest("an instance is not a number");
    } catch (IllegalArgumentException e) { // the message says why
      throw Failure.badRequest(e.getMessage());
    }
    return choice;
  }

  /** Returns whether the request names no instances, which stands for all. */
  boolean isAll() {
    return kind == Kind.ALL;
  }

  /**
   * Returns what examines instances. It takes many times what the texts take, so it is not kept
   * when a step has ended.
   */
  Matcher matcher() {
    List<String> parts = texts.toList();
    return switch (kind) {
      case ALL -> (_, _) -> true;
      case NAMES -> {
        Set<String> names = new HashSet<>(parts); // also for names of one hash code
        yield (_, name) -> names.contains(name);
      }
      case PATTERNS -> {
        List<NamePattern> patterns =
            parts.stream().map(FileText::decode).map(NamePattern::of).toList();
        yield (_, name) -> matches(patterns, name.getBytes(ISO_8859_1));
      }
      case REGULAR_EXPRESSIONS -> {
        BoundedPattern any = BoundedPattern.ofAny(parts);
        yield (_, name) -> any.isIn(name);
      }
      case NUMBERS -> {
        Set<Integer> numbers = parts.stream().map(InstanceChoice::number).collect(toSet());
        yield (number, _) -> numbers.contains(number);
      }
    };
  }

  private static boolean matches(List<NamePattern> patterns, byte[] name) {
    return patterns.stream().anyMatch(pattern -> pattern.matches(name));
  }

  private static int number(String text) {
    return text.startsWith("-") ? Integer.parseInt(text) : Integer.parseUnsignedInt(text);
  }

  long bytes() {
    return texts.bytes();
  }
}
