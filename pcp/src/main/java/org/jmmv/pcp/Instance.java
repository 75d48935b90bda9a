package org.jmmv.pcp;

/**
 * An instance of an instance domain.
 *
 * @param number {@link #NULL} where the name was asked for
 * @param name "" where the number was asked for
 */
public record Instance(int number, String name) {

  /** No instance: {@code PM_IN_NULL}. */
  public static final int NULL = -1;
}
