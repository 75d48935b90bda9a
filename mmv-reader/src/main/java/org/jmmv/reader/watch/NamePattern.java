package org.jmmv.reader.watch;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jmmv.posix.PosixDirectory;

/**
 * A pattern for the bytes of a file's name, as in glob(7): {@code *} matches any bytes, {@code ?}
 * one byte, {@code [a-z]} one byte of a set, {@code [!a-z]} one byte outside of it, and {@code \}
 * takes the special meaning from the next byte. All other bytes match themselves. Classes such as
 * {@code [[:digit:]]} are refused.
 *
 * <p>Applications choose the names. Therefore the time to match is at most proportional to the
 * product of the lengths of name and pattern: only the last {@code *} is tried at several places.
 */
public final class NamePattern {
  private final String text;
  private final BitSet[] steps; // the bytes that match; empty: any number of any bytes

  private NamePattern(String text, List<BitSet> steps) {
    this.text = text;
    this.steps = steps.toArray(BitSet[]::new);
  }

  /**
   * Creates a pattern.
   *
   * @param text the pattern, which is encoded in UTF-8; not empty
   * @throws IllegalArgumentException if the pattern is invalid; the message says why
   */
  public static NamePattern of(String text) {
    byte[] bytes = text.getBytes(UTF_8);
    if (bytes.length == 0 || bytes.length > PosixDirectory.MAX_NAME) {
      throw new IllegalArgumentException(
          "a pattern has 1 to %d bytes, not %d".formatted(PosixDirectory.MAX_NAME, bytes.length));
    }
    List<BitSet> steps = new ArrayList<>();
    for (int at = 0; at < bytes.length; at++) {
      switch (bytes[at]) {
        case '*' -> {
          if (steps.isEmpty() || !steps.getLast().isEmpty()) {
            steps.add(new BitSet());
          }
        }
        case '?' -> {
          BitSet all = new BitSet();
          all.set(0, 256);
          steps.add(all);
        }
        case '[' -> {
          BitSet set = new BitSet();
          at = readSet(bytes, at + 1, set);
          steps.add(set);
        }
        case '\\' -> {
          if (++at == bytes.length) {
            throw new IllegalArgumentException("nothing follows the last \\");
          }
          steps.add(only(bytes[at]));
        }
        default -> steps.add(only(bytes[at]));
      }
    }
    return new NamePattern(text, steps);
  }

  private static BitSet only(byte b) {
    BitSet set = new BitSet();
    set.set(Byte.toUnsignedInt(b));
    return set;
  }

  /**
   * Reads a set in brackets. A {@code ]} at its beginning and a {@code -} at its beginning or end
   * stand for themselves.
   *
   * @param begin the index behind the opening bracket
   * @return the index of the closing bracket
   */
  private static int readSet(byte[] bytes, int begin, BitSet set) {
    boolean isNegated = begin < bytes.length && (bytes[begin] == '!' || bytes[begin] == '^');
    int first = isNegated ? begin + 1 : begin;
    for (int at = first; at < bytes.length; at++) {
      byte low = bytes[at];
      if (low == ']' && at > first) {
        if (isNegated) {
          set.flip(0, 256);
        }
        return at;
      }
      if (low == '[' && at + 1 < bytes.length && bytes[at + 1] == ':') {
        throw new IllegalArgumentException(
            "classes such as [:digit:] are not supported; write [0-9]");
      }
      boolean isRange = at + 2 < bytes.length && bytes[at + 1] == '-' && bytes[at + 2] != ']';
      byte high = isRange ? bytes[at + 2] : low;
      if (low < 0 || high < 0) {
        throw new IllegalArgumentException("only ASCII characters can be in brackets");
      }
      if (high < low) {
        throw new IllegalArgumentException("the range %c-%c is empty".formatted(low, high));
      }
      set.set(low, high + 1);
      at += isRange ? 2 : 0;
    }
    throw new IllegalArgumentException("a [ without ]");
  }

  /** Returns whether the pattern matches a whole name. */
  public boolean matches(byte[] name) {
    int step = 0;
    int at = 0;
    int star = -1; // the last * so far
    int end = 0; // of the bytes that it matches
    while (at < name.length) {
      if (step < steps.length && steps[step].isEmpty()) {
        star = step++;
        end = at;
      } else if (step < steps.length && steps[step].get(Byte.toUnsignedInt(name[at]))) {
        step++;
        at++;
      } else if (star >= 0) {
        step = star + 1;
        at = ++end;
      } else {
        return false;
      }
    }
    while (step < steps.length && steps[step].isEmpty()) {
      step++;
    }
    return step == steps.length;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof NamePattern that && text.equals(that.text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  @Override
  public String toString() {
    return text;
  }
}
