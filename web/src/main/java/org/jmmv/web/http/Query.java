package org.jmmv.web.http;

import static org.jmmv.pcp.Printable.printable;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The parameters of a request. It records which of them are read; others can be refused. */
public final class Query {
  private final Map<String, List<String>> values;
  private final Set<String> asked = new TreeSet<>();

  /**
   * Creates a query.
   *
   * @param values the values of each parameter, decoded
   */
  public Query(Map<String, List<String>> values) {
    this.values = values;
  }

  List<String> all(String parameter) {
    asked.add(parameter);
    return values.getOrDefault(parameter, List.of());
  }

  /** Refuses a parameter that nobody has asked for. */
  void checkAsked() throws Failure {
    for (String name : values.keySet()) {
      if (!asked.contains(name)) {
        throw Failure.badRequest(
            "unknown parameter %s; %s"
                .formatted(
                    printable(name),
                    asked.isEmpty()
                        ? "there is none here"
                        : "the parameters are " + String.join(", ", asked)));
      }
    }
  }
}
