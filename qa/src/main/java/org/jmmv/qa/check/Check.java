package org.jmmv.qa.check;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Starts the parts in their order, two at a time, shows how far they are, and ends with a table.
 * The exit status is 0 if none has failed.
 */
public final class Check {
  private static final Path LOGS = Path.of("target/check");
  private static final Path TIMES = LOGS.resolve("times");
  private static final Duration QUIET = Duration.ofMinutes(1); // between lines without a terminal
  private static final int SHOWN_OF_LOG = 60; // lines
  private static final int MAX_LINE =
      300; // characters of a failure; an assertion may print megabytes

  private final Options options;
  private final boolean isTerminal;
  private final boolean isCi;
  private final int lanes;
  private final Map<Part, Long> lastSeconds;
  private final Map<Part, Run> runs = new EnumMap<>(Part.class);
  private final Set<Part> pending;
  private long shown = System.nanoTime();
  private volatile boolean isInterrupted;

  private Check(
      Options options, boolean isTerminal, boolean isCi, int lanes, Map<Part, Long> lastSeconds) {
    this.options = options;
    this.isTerminal = isTerminal;
    this.isCi = isCi;
    this.lanes = lanes;
    this.lastSeconds = lastSeconds;
    pending = EnumSet.copyOf(options.parts());
  }

  /** Runs in the project's directory; the arguments are those of the script. */
  public static void main(String[] words) throws IOException, InterruptedException {
    Options options;
    try {
      options = Options.of(words);
    } catch (IllegalArgumentException e) {
      System.err.println("check: " + e.getMessage() + " (see ./check --help)");
      System.exit(2);
      return;
    }
    if (options.isList()) {
      options.parts().forEach(part -> System.out.printf("%-12s%s%n", part.label(), part.what()));
      return;
    }
    Files.createDirectories(LOGS);
    Check check =
        new Check(
            options,
            Boolean.getBoolean("check.terminal"),
            "true".equals(System.getenv("CI")),
            new ProcessBuilder("qa/apart", "--test").start().waitFor() == 0 ? 2 : 1,
            lastSeconds());
    Thread main = Thread.currentThread();
    Thread atInterrupt = new Thread(() -> check.interrupt(main));
    Runtime.getRuntime().addShutdownHook(atInterrupt);
    check.run();
    if (!check.isInterrupted) {
      Runtime.getRuntime().removeShutdownHook(atInterrupt);
      check.writeTimes();
      System.exit(check.show() ? 0 : 1);
    }
  }

  private static Map<Part, Long> lastSeconds() throws IOException {
    Map<Part, Long> seconds = new EnumMap<>(Part.class);
    if (Files.exists(TIMES)) {
      for (String line : Files.readAllLines(TIMES)) {
        String[] words = line.split(" ", 2);
        Part.of(words[0]).ifPresent(part -> seconds.put(part, Long.parseLong(words[1])));
      }
    }
    return seconds;
  }

  private void writeTimes() throws IOException {
    runs.values().stream()
        .filter(run -> run.outcome() == Run.Outcome.PASSED || run.outcome() == Run.Outcome.PARTLY)
        .forEach(run -> lastSeconds.put(run.part(), run.duration().toSeconds()));
    Files.write(
        TIMES,
        lastSeconds.entrySet().stream()
            .map(entry -> entry.getKey().label() + " " + entry.getValue())
            .toList());
  }

  /** Ends what runs, and shows what has ended and what has not. */
  private void interrupt(Thread main) {
    isInterrupted = true;
    try {
      main.join();
    } catch (InterruptedException e) { // nobody interrupts this thread
      throw new IllegalStateException(e);
    }
    List<Run> interrupted =
        runs.values().stream().filter(run -> !run.hasEnded() || run.hasEndedByInterrupt()).toList();
    showLine("Interrupted: ends " + labels(interrupted.stream().map(Run::part).toList()));
    interrupted.forEach(Run::kill);
    show();
    System.out.println("Not begun: " + labels(pending));
  }

  private static String labels(Collection<Part> parts) {
    return parts.isEmpty()
        ? "nothing"
        : parts.stream().map(Part::label).collect(Collectors.joining(", "));
  }

  private void run() throws InterruptedException {
    while (!isInterrupted && !(pending.isEmpty() && running().isEmpty())) {
      for (Part part : List.copyOf(pending)) {
        if (running().size() < lanes && isReady(part)) {
          pending.remove(part);
          begin(part);
        }
      }
      List<Run> running = running();
      Thread.sleep(200);
      showProgress();
      if (!isInterrupted) {
        running.stream().filter(Run::hasEnded).forEach(this::showEnd);
      }
    }
  }

  private List<Run> running() {
    return runs.values().stream().filter(run -> !run.hasEnded()).toList();
  }

  private boolean isReady(Part part) {
    return part.after().stream()
        .allMatch(before ->
            !pending.contains(before)
                && (!runs.containsKey(before) || runs.get(before).hasEnded()));
  }

  private void begin(Part part) {
    Run build = runs.get(Part.BUILD);
    if (build != null
        && part.after().contains(Part.BUILD)
        && build.outcome() != Run.Outcome.PASSED) {
      runs.put(part, Run.notStarted(part, LOGS, "the build failed"));
      return;
    }
    runs.put(part, Run.start(part, LOGS, options));
    showLine("%s: %s".formatted(part.label(), part.what()));
  }

  // --- what is shown while it runs

  private void showProgress() {
    Duration since = Duration.ofNanos(System.nanoTime() - shown);
    if (since.compareTo(isTerminal ? Duration.ofSeconds(1) : QUIET) < 0) {
      return;
    }
    shown = System.nanoTime();
    String line = running().stream().map(this::progress).collect(Collectors.joining("; "));
    if (isTerminal) {
      System.out.print("\r" + line + "\033[K");
      System.out.flush();
    } else if (!line.isEmpty()) {
      System.out.println(line);
    }
  }

  private String progress(Run run) {
    Log.Count count = run.log().count();
    String tests = count.run() == 0 ? "" : " " + count.run() + " tests";
    String failed = count.failed() == 0 ? "" : ", " + count.failed() + " failed";
    Long last = lastSeconds.get(run.part());
    String of = last == null ? "" : " of about " + clock(Duration.ofSeconds(last));
    return run.part().label() + tests + failed + " " + clock(run.duration()) + of;
  }

  private void showEnd(Run run) {
    showLine(
        "%s: %s after %s"
            .formatted(run.part().label(), word(run.outcome()), clock(run.duration())));
  }

  private void showLine(String line) {
    System.out.println((isTerminal ? "\r\033[K" : "") + line);
  }

  private static String clock(Duration duration) {
    return "%d:%02d".formatted(duration.toMinutes(), duration.toSecondsPart());
  }

  private static String word(Run.Outcome outcome) {
    return switch (outcome) {
      case PASSED -> "passed";
      case FAILED -> "FAILED";
      case PARTLY -> "passed, in part";
      case NOT_RUN -> "not run";
      case INTERRUPTED -> "interrupted";
    };
  }

  // --- what is shown at the end

  /** Shows the table, and returns whether nothing has failed. */
  private boolean show() {
    showLine("");
    List<Run> failed = with(Run.Outcome.FAILED);
    for (Run run : failed) {
      System.out.printf("--- %s failed; the end of %s:%n", run.part().label(), run.file());
      run.log().tail(SHOWN_OF_LOG).forEach(System.out::println);
    }
    String row = "%-12s%-17s%7s%8s%9s%8s%n";
    System.out.printf(row, "PART", "RESULT", "TESTS", "FAILED", "NOT RUN", "TIME");
    Log.Count all = new Log.Count(0, 0, 0);
    for (Run run : runs.values()) {
      Log.Count count = run.log().count();
      all = all.plus(count);
      boolean hasTests = count.run() > 0;
      System.out.printf(
          row,
          run.part().label(),
          word(run.outcome()),
          hasTests ? count.run() : "",
          hasTests ? count.failed() : "",
          hasTests ? count.skipped() : "",
          clock(run.duration()));
    }
    for (Run run : failed) {
      System.out.printf("%nFailed in %s (%s):%n", run.part().label(), run.file());
      for (String failure : run.log().failures()) {
        System.out.println("    " + failure.substring(0, Math.min(failure.length(), MAX_LINE)));
      }
    }
    List<String> unexpected = showNotRun();
    System.out.printf(
        "%n%d passed, %d failed, %d skipped%n", all.passed(), all.failed(), all.skipped());
    return failed.isEmpty() && (!isCi || unexpected.isEmpty());
  }

  private List<Run> with(Run.Outcome outcome) {
    return runs.values().stream().filter(run -> run.outcome() == outcome).toList();
  }

  /**
   * Shows what could not run and why. Returns the reasons that the command line does not accept.
   */
  private List<String> showNotRun() {
    List<String> unexpected = new ArrayList<>();
    for (Run run : runs.values()) {
      if (run.outcome() == Run.Outcome.PASSED) {
        continue;
      }
      Map<String, Long> reasons =
          run.reasons().stream()
              .collect(Collectors.groupingBy(line -> line, TreeMap::new, Collectors.counting()));
      reasons.forEach((reason, count) -> {
        boolean isPart = run.log().count().run() == 0;
        System.out.printf(
            "%nNot run here: %s (%s): %s%n",
            run.part().label(), isPart ? "all" : count == 1 ? "1 test" : count + " tests", reason);
        if (options.accepted().stream()
            .noneMatch(name -> reason.startsWith("needs " + name + " "))) {
          unexpected.add(reason);
        }
      });
    }
    if (isCi && !unexpected.isEmpty()) {
      System.out.println("\nWith CI=true, this is a failure; --without NAME accepts it.");
    }
    return unexpected;
  }
}
