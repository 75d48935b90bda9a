package org.jmmv.web.http;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What a client accepts, an element of a header such as Accept (RFC 9110, 12.5). Its texts are in
 * lower case, and values without quotes.
 *
 * @param quality how much the client likes it, from 0 to 1; 0 if the text is no number
 */
public record Accepted(String name, Map<String, String> parameters, double quality) {
  /** Returns the elements of a header. */
  public static List<Accepted> of(String header) {
    List<Accepted> all = new ArrayList<>();
    for (String element :
        header.toLowerCase(Locale.ROOT).replaceAll("[\\s\"]", "").split(",", -1)) {
      String[] parts = element.split(";", -1);
      Map<String, String> parameters = new HashMap<>();
      for (int i = 1; i < parts.length; i++) {
        String[] parameter = parts[i].split("=", 2);
        parameters.put(parameter[0], parameter[parameter.length - 1]);
      }
      String q = parameters.getOrDefault("q", "1");
      boolean isNumber = q.matches("[01](\\.[0-9]{0,3})?");
      all.add(new Accepted(parts[0], parameters, isNumber ? Double.parseDouble(q) : 0));
    }
    return all;
  }

  /** Returns whether a parameter has one of some values, or is not there. */
  public boolean has(String parameter, String... values) {
    String value = parameters.get(parameter);
    return value == null || List.of(values).contains(value);
  }
}
