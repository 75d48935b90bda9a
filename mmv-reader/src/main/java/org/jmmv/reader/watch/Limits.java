package org.jmmv.reader.watch;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.ToIntFunction;
import org.jmmv.reader.FileLimits;

/**
 * A number for each {@link Limit}.
 *
 * @param numbers the numbers of all limits
 */
public record Limits(Map<Limit, Integer> numbers) {
  /** The default limits: far above what applications need. */
  public static final Limits DEFAULT = of(Limit::byDefault);

  public Limits {
    numbers = Collections.unmodifiableMap(new EnumMap<>(numbers)); // asked for each request
  }

  /** Returns limits with the number that a function returns for each. */
  public static Limits of(ToIntFunction<Limit> number) {
    Map<Limit, Integer> numbers = new EnumMap<>(Limit.class);
    for (Limit limit : Limit.values()) {
      numbers.put(limit, number.applyAsInt(limit));
    }
    return new Limits(numbers);
  }

  public int of(Limit limit) {
    return numbers.get(limit);
  }

  /** Returns these limits with another number for one of them. */
  public Limits with(Limit limit, int number) {
    return of(other -> other == limit ? number : of(other));
  }

  /** The maximum number of mapped files that are not served. */
  static final int MAX_MAPPED_IN_VAIN = 10_000;

  /**
   * The maximum number of mappings of the process besides those of served files: those of files
   * that are not served, 1,000 of files that one {@link Change} withdraws, and 5,000 of the JVM,
   * which has about 200 after a start.
   */
  private static final int OTHER_MAPPINGS = MAX_MAPPED_IN_VAIN + 6_000;

  /**
   * Returns these limits with as few files as a process can map at the same time. When the kernel
   * refuses a mapping, the JVM can't get memory either, and dies.
   *
   * @param maxMappings the maximum number of mappings of a process: vm.max_map_count, proc(5)
   */
  public Limits within(int maxMappings) {
    int max = Math.max(1, maxMappings - OTHER_MAPPINGS);
    return with(Limit.FILES, Math.min(of(Limit.FILES), max));
  }

  /** Returns the limits of a single file. */
  public FileLimits ofOneFile() {
    return new FileLimits(
        of(Limit.FILE_SIZE), of(Limit.INSTANCES), of(Limit.VALUES), memoryOfOneFile());
  }

  /** Returns the maximum memory for the metadata of one file in bytes. */
  long memoryOfOneFile() {
    return ((long) of(Limit.MEMORY) << 20) / 2;
  }
}
