package org.jmmv.web.pmapi;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.Labels;
import org.jmmv.pcp.Pmid;
import org.jmmv.web.http.Request;

/**
 * A request with its context. A {@link Document} takes from it what is asked, and does not keep it.
 *
 * @param hostLabels the labels of all contexts
 */
record Call(Labels hostLabels, Context context, Request request) {
  private static final Pattern IN_DOM = Pattern.compile("(\\d{1,3})\\.(\\d{1,7})");
  private static final Pattern NUMBER = Pattern.compile("\\d{1,10}|0[xX]\\p{XDigit}{1,8}");

  /** Returns the first value of the parameter that comes first among these names. */
  Optional<String> first(String... names) {
    return List.of(names).stream().flatMap(name -> request.all(name).stream()).findFirst();
  }

  /** Returns a PMID given as a number or as pmIDStr(3) writes it; {@link Pmid#NULL} if neither. */
  static int pmid(String text) {
    int pmid = Pmid.parse(text);
    return pmid == Pmid.NULL ? number(text) : pmid;
  }

  /**
   * Returns an instance domain given as a number or as pmInDomStr(3) writes it; {@link InDom#NULL}
   * if neither.
   */
  static int inDom(String text) {
    Matcher parts = IN_DOM.matcher(text);
    return parts.matches() ? InDom.build(part(parts, 1), part(parts, 2)) : number(text);
  }

  private static int part(Matcher matcher, int group) {
    return Integer.parseInt(matcher.group(group));
  }

  private static int number(String text) {
    return NUMBER.matcher(text).matches()
        ? (text.contains("x") || text.contains("X") ? Long.decode(text) : Long.valueOf(text))
            .intValue()
        : -1;
  }
}
