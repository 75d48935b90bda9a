package org.jmmv.pcp;

/**
 * The types of labels, and flags of a {@link LabelEntry}: {@code PM_LABEL_*} of {@code
 * <pcp/pmapi.h>}.
 */
public final class LabelType {

  public static final int CONTEXT = 1;
  public static final int DOMAIN = 2;
  public static final int INDOM = 4;
  public static final int CLUSTER = 8;
  public static final int ITEM = 16;
  public static final int INSTANCES = 32;

  /** A flag: the name has several components. */
  public static final int COMPOUND = 64;

  /** A flag: the label is a note and does not identify what it describes. */
  public static final int OPTIONAL = 128;

  private LabelType() {}
}
