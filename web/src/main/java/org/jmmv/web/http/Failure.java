package org.jmmv.web.http;

import io.netty.handler.codec.http.HttpResponseStatus;

/** A request that is answered with an error. */
public final class Failure extends Exception {
  private static final long serialVersionUID = 1;

  private final transient HttpResponseStatus status;

  /**
   * Creates an exception.
   *
   * @param message a sentence for people, in printable ASCII
   */
  public Failure(HttpResponseStatus status, String message) {
    super(message, null, false, false);
    this.status = status;
  }

  /** Returns an exception for a request that no server could answer. */
  public static Failure badRequest(String message) {
    return new Failure(HttpResponseStatus.BAD_REQUEST, message);
  }

  public HttpResponseStatus status() {
    return status;
  }

  /** Returns an exception for a fault of this program, which is in the log. */
  static Failure internal() {
    return new Failure(HttpResponseStatus.INTERNAL_SERVER_ERROR, "internal error");
  }
}
