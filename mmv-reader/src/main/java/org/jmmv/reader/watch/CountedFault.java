package org.jmmv.reader.watch;

import java.time.Instant;
import org.jmmv.reader.fault.Fault;

/**
 * A fault that a file or directory has now.
 *
 * @param count how often it was found, in a row
 * @param first when it was first found
 * @param last when it was last found
 */
public record CountedFault(Fault fault, long count, Instant first, Instant last) {
  /** Returns another fault with the same count and times. */
  CountedFault of(Fault other) {
    return new CountedFault(other, count, first, last);
  }
}
