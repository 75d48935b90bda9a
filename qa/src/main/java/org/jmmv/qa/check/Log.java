package org.jmmv.qa.check;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the log of a part says of its tests, until now: the lines of Surefire and of qa's Report.
 */
record Log(List<String> lines) {
  private static final Pattern CLASS =
      Pattern.compile(
          "(?:\\[\\w+] )?Tests run: (\\d+), Failures: (\\d+), Errors: (\\d+), Skipped: (\\d+),"
              + " Time elapsed.*");
  private static final Pattern FAILED =
      Pattern.compile(
          "\\[FAILED] (.*)|\\[ERROR] (\\S.*) -- Time elapsed: .* <<< (?:FAILURE|ERROR)!");
  private static final Pattern SKIPPED = Pattern.compile("\\[SKIPPED] .*?: (needs .*)");

  /** The number of Maven's errors to show: the goal, and what it says of the first file. */
  private static final int MAX_ERRORS = 3;

  /** The numbers of tests. */
  record Count(int run, int failed, int skipped) {
    Count plus(Count other) {
      return new Count(run + other.run, failed + other.failed, skipped + other.skipped);
    }

    int passed() {
      return run - failed - skipped;
    }
  }

  /** Reads a log; an empty one if it is missing. */
  static Log of(Path file) {
    try {
      return new Log(Files.readString(file, StandardCharsets.ISO_8859_1).lines().toList());
    } catch (NoSuchFileException e) {
      return new Log(List.of());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the number of tests. */
  Count count() {
    return lines.stream()
        .map(CLASS::matcher)
        .filter(found -> found.matches())
        .map(found ->
            new Count(number(found, 1), number(found, 2) + number(found, 3), number(found, 4)))
        .reduce(new Count(0, 0, 0), Count::plus);
  }

  private static int number(MatchResult found, int group) {
    return Integer.parseInt(found.group(group));
  }

  /** Returns the tests that have failed, or if there are none, what else went wrong. */
  List<String> failures() {
    List<String> tests = failedTests();
    List<String> errors = lines.stream().filter(line -> line.startsWith("[ERROR] ")).toList();
    return !tests.isEmpty()
        ? tests
        : errors.isEmpty()
            ? List.of(lastLine())
            : errors.subList(0, Math.min(errors.size(), MAX_ERRORS));
  }

  private List<String> failedTests() {
    List<String> tests = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      Matcher found = FAILED.matcher(lines.get(i));
      if (found.matches()) {
        String why = i + 1 < lines.size() ? lines.get(i + 1) : "";
        tests.add(found.group(1) != null ? found.group(1) : found.group(2) + ": " + why);
      }
    }
    return tests.stream().distinct().toList();
  }

  /** Returns why tests could not run, a line for each test. */
  List<String> reasons() {
    return lines.stream()
        .map(SKIPPED::matcher)
        .filter(found -> found.matches())
        .map(found -> found.group(1))
        .toList();
  }

  /** Returns the last line that is not empty. */
  String lastLine() {
    return lines.stream().filter(line -> !line.isBlank()).reduce("", (_, line) -> line).strip();
  }

  /** Returns the last lines. */
  List<String> tail(int count) {
    return lines.subList(Math.max(0, lines.size() - count), lines.size());
  }
}
