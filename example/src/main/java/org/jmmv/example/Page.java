package org.jmmv.example;

/** The pages of the shop, with their mean traffic. */
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

  /** Returns the mean number of requests per second. */
  double requestsPerSecond() {
    return requestsPerSecond;
  }

  /** Returns the mean time that a request takes, in milliseconds. */
  double milliseconds() {
    return milliseconds;
  }

  /** Returns the mean size of a reply in bytes. */
  double bytes() {
    return bytes;
  }
}
