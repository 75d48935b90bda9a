package org.jmmv.web.http;

/** What is served at a path. */
@FunctionalInterface
public interface Resource {
  /**
   * Parses a GET or HEAD request. Only the body gets the catalogue, step by step: whatever a
   * request can multiply is a step, and so are errors that only the catalogue shows. The body keeps
   * nothing of the request but what it asks for.
   *
   * @throws Failure with a status that is not 200
   */
  Response get(Request request) throws Failure;

  /** Returns this resource, which refuses parameters that it does not ask for. */
  default Resource strict() {
    return request -> {
      Response response = get(request);
      try {
        request.query().checkAsked();
      } catch (Failure e) {
        response.body().close();
        throw e;
      }
      return response;
    };
  }
}
