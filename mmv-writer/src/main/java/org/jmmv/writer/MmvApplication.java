package org.jmmv.writer;

import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * An application and the MMV file in which its metrics are. All methods can be called by any
 * thread.
 *
 * <p>The file appears with the first metric. It takes the place of the file that an earlier process
 * has left, and is open until {@link #close}, or until the process ends. One process at a time can
 * write it: another one that starts in this time runs without metrics. Metrics and instances can be
 * added at any time, but are not removed; {@link MetricValue#noValue} says that a value is not
 * there now. Each addition makes agents read the metadata again, so add what is known {@link
 * #together}.
 */
public final class MmvApplication implements AutoCloseable {
  private static final Pattern NAME =
      Pattern.compile("[A-Za-z][A-Za-z0-9_]*(\\.[A-Za-z][A-Za-z0-9_]*)*");

  /** What is said of an application before it starts. */
  public static final class Builder {
    private final Options options;

    private Builder(String name) {
      options = new Options(name);
    }

    /** Sets the directory. Otherwise it is {@code $PCP_TMP_DIR/mmv}, where agents look. */
    public Builder directory(Path other) {
      options.directory = other;
      return this;
    }

    /**
     * Sets the cluster of the PMIDs, which no other application may have: items begin with 1 in
     * each. Otherwise the agent assigns one, and keeps it for the name of the application.
     *
     * @param number 1 to 4,095
     * @throws IllegalArgumentException if it is out of range
     */
    public Builder cluster(int number) {
      options.cluster = checked("cluster", number, 1, 4_095);
      return this;
    }

    /**
     * Sets the version of the format. Otherwise it is 2, and 3 if there are labels. In version 1,
     * names have at most 63 bytes.
     *
     * @param number 1 to 3
     * @throws IllegalArgumentException if it is out of range
     */
    public Builder version(int number) {
      options.version = checked("version", number, 1, 3);
      return this;
    }

    /** Has the metrics called {@code mmv.METRIC}, not {@code mmv.APPLICATION.METRIC}. */
    public Builder withoutPrefix() {
      options.flags |= MmvLayout.NO_PREFIX;
      return this;
    }

    /** Has the metrics served after the process has ended, too, as long as the file exists. */
    public Builder withoutProcess() {
      options.flags &= ~MmvLayout.PROCESS;
      return this;
    }

    /** Has agents take special numbers, {@link MetricValue#noValue}, for no value. */
    public Builder sentinel() {
      options.flags |= MmvLayout.SENTINEL;
      return this;
    }

    /** Has {@link MmvApplication#close} leave the file. Otherwise it is deleted. */
    public Builder keepFile() {
      options.isKept = true;
      return this;
    }

    /**
     * Sets how many values and instances there may be at most; otherwise there may be 4,096 of
     * each. For each of them the file has 80 bytes, in version 1 of the format 192.
     *
     * @param number 1 to 1,000,000
     * @throws IllegalArgumentException if it is out of range
     */
    public Builder maxValues(int number) {
      options.maxValues = checked("maximum of values", number, 1, 1_000_000);
      return this;
    }

    /**
     * Sets how many labels there may be at most; otherwise there may be 255. The agent of PCP
     * ignores all labels if there are more.
     *
     * @param number 0 to 100,000
     * @throws IllegalArgumentException if it is out of range
     */
    public Builder maxLabels(int number) {
      options.maxLabels = checked("maximum of labels", number, 0, 100_000);
      return this;
    }

    /**
     * Sets who is told, in a sentence, that nobody can read the metrics, or some of them, and why:
     * by the thread that adds them, and each reason once. Otherwise, or if the listener throws an
     * exception, it is a warning of {@link System.Logger}.
     */
    public Builder onProblem(Consumer<String> listener) {
      options.onProblem = Objects.requireNonNull(listener);
      return this;
    }

    /** Starts the application. What can go wrong is told as {@link #onProblem} says. */
    public MmvApplication start() {
      return new MmvApplication(new Options(options));
    }
  }

  private final Registry registry;
  private final Metrics metrics;

  /**
   * Describes an application.
   *
   * @param name that of the file, and a part of the metrics' names: letters, digits, {@code _} and
   *     {@code .}, where each part begins with a letter; at most 246 characters
   * @throws IllegalArgumentException if the name is invalid
   */
  public static Builder named(String name) {
    return new Builder(checkedName("application", name, Numbers.MAX_NAME));
  }

  private MmvApplication(Options options) {
    registry = new Registry(options);
    metrics = new Metrics(registry);
  }

  private static int checked(String what, int number, int min, int max) {
    if (number < min || number > max) {
      throw new IllegalArgumentException(
          "the %s is %,d, not %,d to %,d".formatted(what, number, min, max));
    }
    return number;
  }

  private static String checkedName(String what, String name, int max) {
    if (name.length() > max || !NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          ("the %s can't be called \"%s\": a name has letters, digits, _ and ., at most %d of them,"
                  + " and each part begins with a letter")
              .formatted(what, name, max));
    }
    return name;
  }

  /** Returns the file; empty before the first metric, after the end, and if nobody can read it. */
  public Optional<Path> file() {
    return Optional.ofNullable(registry.path());
  }

  /**
   * Describes a metric.
   *
   * @param name letters, digits, {@code _} and {@code .}, where each part begins with a letter; at
   *     most 255 characters, in version 1 of the format 63
   * @throws IllegalArgumentException if the name is invalid
   */
  public MetricBuilder metric(String name) {
    return new MetricBuilder(
        metrics, checkedName("metric", name, registry.options().nameSize() - 1));
  }

  /**
   * Describes an instance domain.
   *
   * @param name to which its number belongs; no reader sees it
   * @throws IllegalArgumentException if the name has control characters
   */
  public InDomBuilder inDom(String name) {
    if (name.chars().anyMatch(Character::isISOControl)) {
      throw new IllegalArgumentException("the name of an instance domain has control characters");
    }
    return new InDomBuilder(metrics, name);
  }

  /**
   * Adds a label for all metrics of the application. It replaces that of the same name.
   *
   * @param value a {@link String}, a {@link Number} or a {@link Boolean}
   * @throws IllegalArgumentException if the label is invalid, or has more than 243 bytes of JSON
   */
  public void label(String name, Object value) {
    byte[] json = Labels.json(name, value);
    registry.addLabel(
        name, MmvLayout.OF_CLUSTER, registry.options().cluster, MmvLayout.NO_INSTANCE, json);
  }

  /**
   * Adds several metrics and instances, which readers see at once. Other threads wait before they
   * add anything.
   *
   * @param additions calls methods of this application
   */
  public void together(Runnable additions) {
    Object unused =
        registry.add(() -> {
          additions.run();
          return this;
        });
  }

  /**
   * Closes the file, and deletes it unless it is kept. Values can be updated after that, which
   * readers see in a file that is kept. Of a section of a {@link Timer} in progress, they see the
   * time until now, and the rest when it ends.
   */
  @Override
  public void close() {
    metrics.close();
  }
}
