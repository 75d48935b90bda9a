package org.jmmv.web.http;

/** What is served at a path. */
@FunctionalInterface
public interface Resource {
  /**
   * Answers a GET or HEAD request. Runs in the event loop that owns the catalogue, and takes at
   * most some milliseconds.
   *
   * @throws Failure with a status that is not 200
   */
  Response get(Request request) throws Failure;
}
