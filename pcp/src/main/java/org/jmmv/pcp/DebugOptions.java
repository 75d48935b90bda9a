package org.jmmv.pcp;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The set of debug options that are switched on; see pmdbg(1). Not thread-safe.
 *
 * <p>The names and their order are those of PCP 7.2; PCP 6 lacks the last three. PCP 6 also accepts
 * numbers, in which each bit stands for an option: bits 0 to 27 for the first 28 options, and bit
 * 30 for {@code desperate}. See pmdbg(1), "Compatibility".
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

  /** Creates a set with all options off. */
  public DebugOptions() {}

  /**
   * Parses the argument of the {@code -D} option.
   *
   * @param spec as for {@link #set}
   * @throws IllegalArgumentException if an option is unknown; the message names it
   */
  public static DebugOptions parse(String spec) {
    DebugOptions options = new DebugOptions();
    options.set(spec);
    return options;
  }

  /**
   * Switches options on, in addition to those that are on already, as pmSetDebug(3) does.
   *
   * @param spec a list separated by commas, without blanks, of option names in any case, {@code
   *     all}, and decimal numbers with the meaning of PCP 6; may be empty
   * @throws IllegalArgumentException if an option is unknown; the message names it, and no option
   *     has been switched on
   */
  public void set(String spec) {
    long more = 0;
    if (!spec.isEmpty()) {
      // pmSetDebug accepts a trailing comma, but no other empty name.
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

  /** Switches all options off. */
  public void clear() {
    bits = 0;
  }

  /** Returns whether {@code pdu} is on: trace PDUs. */
  public boolean pdu() {
    return (bits & PDU) != 0;
  }

  /** Returns whether {@code libpmda} is on: trace requests. */
  public boolean libpmda() {
    return (bits & LIBPMDA) != 0;
  }

  /** Returns whether {@code appl0} is on: trace the loading of files. */
  public boolean appl0() {
    return (bits & APPL0) != 0;
  }

  /**
   * Returns the names of the options that are on, as pmGetDebug(3) of PCP 7 does: separated by
   * commas, in the order of pmdbg(1), {@code all} if all options are on, and "" if none is.
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

  /** Returns the number of PCP 6 for the options that are on; later options have no number. */
  public int number() {
    return (int) (bits & OLD_OTHERS) | ((bits & DESPERATE) != 0 ? OLD_DESPERATE : 0);
  }
}
