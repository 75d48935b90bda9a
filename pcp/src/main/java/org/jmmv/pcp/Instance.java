package org.jmmv.pcp;

/**
 * An instance of an instance domain.
 *
 * @param number the internal instance identifier; {@link #NULL} in the reply to a lookup by number
 * @param name the external instance name; empty in the reply to a lookup by name
 */
public record Instance(int number, String name) {

  /** No instance, {@code PM_IN_NULL}; also the instance of a singular value. */
  public static final int NULL = -1;
}
