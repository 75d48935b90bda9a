package org.jmmv.reader.fault;

import static org.jmmv.pcp.Printable.printable;

import java.util.List;

/**
 * What is wrong with a file or a directory. The texts are made of it where they are shown: in the
 * log, by {@code jmmv check} and {@code jmmv dump}, and in {@code mmv.control.file.reason}. They
 * are one line of printable ASCII, because bytes from the file are escaped.
 *
 * @param kind what is wrong, what is lost by it, and what to do
 * @param place where; the name of a directory's own fault is empty
 * @param arguments of the kind's text
 * @param more the number of further faults of the same kind, which are only counted
 */
public record Fault(FaultKind kind, Place place, List<Object> arguments, int more) {
  public Fault {
    arguments = List.copyOf(arguments);
  }

  /** Creates a fault that is the only one of its kind. */
  public static Fault of(FaultKind kind, Place place, Object... arguments) {
    return new Fault(kind, place, List.of(arguments), 0);
  }

  /** Returns whether another fault has the same kind and place, and as many further ones. */
  public boolean repeats(Fault other) {
    return kind == other.kind && more == other.more && place.equals(other.place);
  }

  /** Returns the same fault with another number of further ones. */
  public Fault withMore(int number) {
    return number == more ? this : new Fault(kind, place, arguments, number);
  }

  /** Returns the fault of a file that stays {@linkplain FaultKind#isUnfinished unfinished}. */
  public Fault afterWaiting() {
    return new Fault(kind.afterWaiting(), Place.of(place.file()), arguments, more);
  }

  /** Returns whether all is served in spite of it, see {@link FaultKind.Severity#HINT}. */
  public boolean isHint() {
    return kind.severity() == FaultKind.Severity.HINT;
  }

  /** Returns whether anything can be missing in what is served. */
  public boolean leavesOut() {
    return kind.leavesOut();
  }

  /** Returns what is wrong, without the place. */
  public String problem() {
    return kind.problem(arguments);
  }

  /** Returns the place and what is wrong there, for example {@code header at 4: version 9 ...}. */
  public String text() {
    String where = place.toString();
    return (where.isEmpty() ? "" : where + ": ") + problem();
  }

  /**
   * Returns the line for the log without the file's name, for example {@code metric[3] at 416: name
   * offset 70000 is beyond the file's 6816 bytes, left out (and 2 more like it)}.
   */
  public String sentence() {
    return text() + kind.loss().suffix() + others();
  }

  /** Returns how many further faults there are, in parentheses; empty if there are none. */
  public String others() {
    return more == 0 ? "" : " (and " + more + " more like it)";
  }

  /** Returns what is lost. */
  public String loss() {
    return kind.loss().of(place.section());
  }

  /** Returns the line for the log. */
  @Override
  public String toString() {
    return printable(place.file().toString()) + ": " + sentence();
  }
}
