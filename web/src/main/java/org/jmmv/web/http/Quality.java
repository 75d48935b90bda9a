package org.jmmv.web.http;

/** How much a client likes what it accepts: the parameter q of some headers (RFC 9110, 12.4.2). */
public final class Quality {
  private Quality() {}

  /** Returns a quality from 0 to 1; 0 if the text is none. */
  public static double of(String text) {
    return text.matches("[01](\\.[0-9]{0,3})?") ? Double.parseDouble(text) : 0;
  }
}
