package org.jmmv.qa;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** What a run of attacks has shown: figures on one line, and failures. */
final class Outcome {
  private final List<String> failures = Collections.synchronizedList(new ArrayList<>());
  private String figures = "";

  void setFigures(String line) {
    figures = line;
  }

  /** Adds a failure; any thread may. */
  void fail(String what) {
    failures.add(what);
  }

  /** Adds a failure if a figure is over its limit. */
  void failIfOver(long limit, long figure, String what) {
    if (figure > limit) {
      fail(figure + " " + what);
    }
  }

  /** Returns what is wrong; empty if the attacks were withstood. */
  List<String> failures() {
    return failures;
  }

  @Override
  public String toString() {
    return figures + (failures.isEmpty() ? " ok" : " FAILED: " + String.join("; ", failures));
  }
}
