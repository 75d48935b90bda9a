package org.jmmv.web.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.netty.handler.codec.http.HttpResponseStatus;

/** A request that is answered with an error. */
public final class Failure extends Exception {
  private static final long serialVersionUID = 1;

  private final transient HttpResponseStatus status;
  private final transient String contentType;
  private final transient Body body;

  /**
   * Creates an exception. The content of the response is the message.
   *
   * @param message a sentence for people, in printable ASCII
   */
  public Failure(HttpResponseStatus status, String message) {
    this(status, message, Response.TEXT, Body.of((message + "\n").getBytes(UTF_8)));
  }

  /** Creates an exception for a response with another content than the message. */
  public Failure(HttpResponseStatus status, String message, String contentType, Body body) {
    super(message, null, false, false);
    this.status = status;
    this.contentType = contentType;
    this.body = body;
  }

  /** Returns the status of the response. */
  public HttpResponseStatus status() {
    return status;
  }

  String contentType() {
    return contentType;
  }

  Body body() {
    return body;
  }
}
