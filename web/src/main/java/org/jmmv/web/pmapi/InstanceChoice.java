package org.jmmv.web.pmapi;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jmmv.core.Metric;
import org.jmmv.pcp.InDom;
import org.jmmv.reader.watch.NamePattern;
import org.jmmv.web.http.Failure;

/**
 * The instances that a request names: by the parameters {@code iname}, whole names or patterns, or
 * {@code instance}, numbers.
 */
final class InstanceChoice {
  private final Set<String> names = new HashSet<>(); // one char per byte
  private final List<NamePattern> patterns = new ArrayList<>();
  private final Set<Integer> numbers = new HashSet<>();
  private final boolean isAll;

  private InstanceChoice(boolean isAll) {
    this.isAll = isAll;
  }

  /**
   * Returns what a request names.
   *
   * @throws Failure if a pattern or a number is invalid
   */
  static InstanceChoice of(Call call) throws Failure {
    String match = call.first("match").orElse("exact");
    Optional<String> names = call.first("iname");
    Optional<String> numbers = call.first("instance");
    InstanceChoice choice = new InstanceChoice(names.isEmpty() && numbers.isEmpty());
    if (match.equals("regex")) { // its time has no bound that suits a server
      throw BadRequest.of("match=regex is not supported");
    } else if (!match.equals("exact") && !match.equals("glob")) {
      throw BadRequest.of(match + " - invalid 'match' parameter value");
    }
    try {
      for (String name : Call.list(names.orElse(""))) {
        if (match.equals("glob")) {
          choice.patterns.add(NamePattern.of(name));
        } else {
          choice.names.add(Call.bytes(name));
        }
      }
      for (String number : names.isPresent() ? List.<String>of() : Call.list(numbers.orElse(""))) {
        choice.numbers.add(
            number.startsWith("-") ? Integer.parseInt(number) : Integer.parseUnsignedInt(number));
      }
    } catch (NumberFormatException e) {
      throw BadRequest.of("an instance is not a number");
    } catch (IllegalArgumentException e) { // the message says why
      throw BadRequest.of(e.getMessage());
    }
    return choice;
  }

  /**
   * Returns the instance domain that a request names by a metric or directly.
   *
   * @return {@link InDom#NULL} if it names none, or one that is neither a number nor has the form
   *     of pmInDomStr(3)
   * @throws Failure if the metric is unknown or singular
   */
  static int inDom(Call call) throws Failure {
    Optional<String> name = call.first("name");
    Optional<String> inDom = call.first("indom");
    if (name.isEmpty()) {
      return inDom.isEmpty() ? InDom.NULL : Call.inDom(inDom.get());
    }
    Metric metric = call.metric(Call.bytes(name.get()));
    if (metric == null) {
      throw BadRequest.of(name.get() + " - failed to lookup metric");
    }
    if (metric.inDom() == InDom.NULL) {
      throw BadRequest.of(name.get() + " - metric has null indom");
    }
    return metric.inDom();
  }

  /** Returns whether the request names no instances, which stands for all. */
  boolean isAll() {
    return isAll;
  }

  /** Returns whether an instance is among those. */
  boolean contains(int number, String name) {
    if (isAll || numbers.contains(number) || names.contains(name)) {
      return true;
    }
    if (patterns.isEmpty()) {
      return false;
    }
    byte[] bytes = name.getBytes(ISO_8859_1);
    return patterns.stream().anyMatch(pattern -> pattern.matches(bytes));
  }
}
