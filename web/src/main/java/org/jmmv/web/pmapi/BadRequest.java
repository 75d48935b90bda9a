package org.jmmv.web.pmapi;

import io.netty.handler.codec.http.HttpResponseStatus;
import org.jmmv.web.http.Failure;

/** The errors of clients. */
final class BadRequest {
  private BadRequest() {}

  /**
   * Returns an error.
   *
   * @param message for people, and for clients, which look for pmproxy's words
   */
  static Failure of(String message) {
    return new Failure(HttpResponseStatus.BAD_REQUEST, message);
  }
}
