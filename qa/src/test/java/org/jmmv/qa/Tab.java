package org.jmmv.qa;

/** A page in another browser than Chromium. */
interface Tab extends AutoCloseable {
  /** Opens an address, and waits until the page is loaded. */
  void open(String address);

  /** Runs a script, the body of a function, and returns what it returns as a text. */
  String run(String script);

  @Override
  void close();
}
