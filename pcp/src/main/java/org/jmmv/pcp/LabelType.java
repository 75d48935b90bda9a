package org.jmmv.pcp;

/**
 * The types and flags of labels, {@code PM_LABEL_*} of {@code <pcp/pmapi.h>}; see
 * pmLookupLabels(3). Each is one bit: the flags of a {@link LabelEntry} combine one type with any
 * of {@link #COMPOUND} and {@link #OPTIONAL}.
 */
public final class LabelType {

  /** Labels of the client's context, that is, of the host. */
  public static final int CONTEXT = 1;

  /** Labels of all metrics of an agent. */
  public static final int DOMAIN = 2;

  /** Labels of an instance domain. */
  public static final int INDOM = 4;

  /** Labels of all metrics of a cluster. */
  public static final int CLUSTER = 8;

  /** Labels of one metric. */
  public static final int ITEM = 16;

  /** Labels of the instances of an instance domain, one set for each. */
  public static final int INSTANCES = 32;

  /** Flag: the name has several components, separated by dots. */
  public static final int COMPOUND = 64;

  /** Flag: the label is a note, and not part of the identity of the labelled object. */
  public static final int OPTIONAL = 128;

  private LabelType() {}
}
