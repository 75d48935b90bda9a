package org.jmmv.micrometer;

/** A meter that applications update, and may still update when it has been removed. */
interface Removable {

  /**
   * Ends the meter, which keeps its last values: its place in the file may become that of another
   * one.
   */
  void end();
}
