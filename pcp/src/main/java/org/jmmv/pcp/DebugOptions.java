package org.jmmv.pcp;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The debug options of pmdbg(1) and which of them are on. Belongs to one thread.
 *
 * <p>The names are those of PCP 7.2 (PCP 6 lacks the last three), in its order. Of the numbers that
 * meant them before PCP 7, the first 28 options have the bits 0 to 27, and {@code desperate} has
 * bit 30: pmdbg(1), "Compatibility".
 */
public final class DebugOptions {

  private static final List<String> NAMES =
      List.of(
          ("pdu fetch profile value context indom pdubuf log logmeta optfetch af appl0 appl1 appl2"
                  + " pmns libpmda timecontrol pmc derive lock interp config pmapi fault auth"
                  + " discovery attr http desperate deprecated exec labels series libweb alloc"
                  + " services appl3 appl4 appl5 access qa search query compress dev0 dev1 dev2 pmlc"
                  + " appl6 appl7 appl8 appl9 tls misc qed getopt")
              .split(" "));

  private static final long ALL = (1L << NAMES.size()) - 1;
  private static final long PDU = bit("pdu");
  private static final long APPL0 = bit("appl0");
  private static final long LIBPMDA = bit("libpmda");
  private static final long DESPERATE = bit("desperate");

  private static final int OLD_DESPERATE = 1 << 30;
  private static final int OLD_OTHERS = (1 << NAMES.indexOf("desperate")) - 1;

  private long bits;

  /** No option is on. */
  public DebugOptions() {}

  /**
   * Options as {@code -D} gives them.
   *
   * @throws IllegalArgumentException as {@link #set}
   */
  public static DebugOptions parse(String spec) {
    DebugOptions options = new DebugOptions();
    options.set(spec);
    return options;
  }

  /**
   * Turns more options on, as pmSetDebug(3) does.
   *
   * @param spec names, in any case, or {@code all}, or numbers as PCP 6 takes them, separated by
   *     commas, without blanks; empty: none
   * @throws IllegalArgumentException if one of them is unknown; the message names it, and nothing
   *     has changed
   */
  public void set(String spec) {
    long more = 0;
    if (!spec.isEmpty()) {
      // pmSetDebug forgives a comma at the end, and no other empty name
      String list = spec.endsWith(",") ? spec.substring(0, spec.length() - 1) : spec;
      for (String name : list.split(",", -1)) {
        more |= name.matches("-?[0-9]{1,18}") ? fromNumber(name) : fromName(name);
      }
    }
    bits |= more;
  }

  private static long fromName(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    if (lower.equals("all")) {
      return ALL;
    }
    if (!NAMES.contains(lower)) {
      throw new IllegalArgumentException(
          "unknown debug option \"" + name + "\", pmdbg(1) lists the known ones");
    }
    return bit(lower);
  }

  private static long fromNumber(String number) {
    int old = (int) Long.parseLong(number);
    return (old & OLD_OTHERS) | ((old & OLD_DESPERATE) != 0 ? DESPERATE : 0);
  }

  private static long bit(String name) {
    return 1L << NAMES.indexOf(name);
  }

  /** Turns all options off. */
  public void clear() {
    bits = 0;
  }

  /** Whether PDUs are to be traced. */
  public boolean pdu() {
    return (bits & PDU) != 0;
  }

  /** Whether requests are to be traced. */
  public boolean libpmda() {
    return (bits & LIBPMDA) != 0;
  }

  /** Whether the loading of files is to be traced. */
  public boolean appl0() {
    return (bits & APPL0) != 0;
  }

  /**
   * The options that are on, as pmGetDebug(3) of PCP 7 names them: separated by commas, in the
   * order of pmdbg(1); {@code all} if all are, and nothing if none is.
   */
  public String names() {
    if (bits == ALL) {
      return "all";
    }
    return IntStream.range(0, NAMES.size())
        .filter(i -> (bits & 1L << i) != 0)
        .mapToObj(NAMES::get)
        .collect(Collectors.joining(","));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof DebugOptions that && bits == that.bits;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(bits);
  }

  @Override
  public String toString() {
    return names();
  }
}
