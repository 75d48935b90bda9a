package org.jmmv.pcp;

/** The bits of a {@link TextReq}'s type, {@code PM_TEXT_*} of {@code <pcp/pmapi.h>}. */
public final class TextType {

  public static final int ONELINE = 1;
  public static final int HELP = 2;

  /** The identifier is a PMID. */
  public static final int PMID = 4;

  /** The identifier is an instance domain. */
  public static final int INDOM = 8;

  /** Without what pmcd may have cached: of no concern to an agent. */
  public static final int DIRECT = 16;

  private TextType() {}
}
