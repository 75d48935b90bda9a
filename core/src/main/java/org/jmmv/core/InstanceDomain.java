package org.jmmv.core;

import org.jmmv.pcp.InstanceTable;
import org.jmmv.pcp.Labels;

/** An instance domain. */
public abstract class InstanceDomain {
  /** Returns the current instances. */
  public abstract InstanceTable table();

  /** Returns whether any instance can have labels: only those of files. */
  public boolean hasLabels() {
    return false;
  }

  /**
   * Returns the labels of an instance, or null if it has none. Unlike other methods, this one may
   * also be called after the view's end, and returns the labels that the instance then has: none if
   * the instance domain has gone.
   *
   * @param number the instance number
   */
  public Labels labels(int number) {
    return null;
  }

  /** Returns one line of help, or null if there is none. */
  public abstract String oneLine();

  /** Returns the help text, or null if there is none. */
  public abstract String help();
}
