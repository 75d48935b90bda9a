package org.jmmv.example;

/** The pages of the shop. */
enum Page {
  BOOKS("/books", 40, 8, 24_000),
  SEARCH("/search", 18, 35, 9_000),
  CART("/cart", 6, 14, 5_000),
  CHECKOUT("/checkout", 3, 110, 7_000);

  private final String path;
  private final double requestsPerSecond;
  private final double milliseconds;
  private final double bytes;

  Page(String path, double requestsPerSecond, double milliseconds, double bytes) {
    this.path = path;
    this.requestsPerSecond = requestsPerSecond;
    this.milliseconds = milliseconds;
    this.bytes = bytes;
  }

  String path() {
    return path;
  }

  /** How often it is asked for on average. */
  double requestsPerSecond() {
    return requestsPerSecond;
  }

  /** How long it takes to serve, on average. */
  double milliseconds() {
    return milliseconds;
  }

  /** How large it is, on average. */
  double bytes() {
    return bytes;
  }
}
