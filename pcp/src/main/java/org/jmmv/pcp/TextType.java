package org.jmmv.pcp;

/**
 * The bits of a help text request's type, {@code PM_TEXT_*} of {@code <pcp/pmapi.h>}; see
 * pmLookupText(3). A type has one of {@link #PMID} and {@link #INDOM}, and at least one of {@link
 * #ONELINE} and {@link #HELP}.
 */
public final class TextType {

  /** The one-line text. */
  public static final int ONELINE = 1;

  /** The full text. */
  public static final int HELP = 2;

  /** The identifier is a PMID. */
  public static final int PMID = 4;

  /** The identifier is an instance domain. */
  public static final int INDOM = 8;

  /** The client's library shall not answer from its cache. Agents ignore this bit. */
  public static final int DIRECT = 16;

  private TextType() {}
}
