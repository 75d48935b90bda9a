package org.jmmv.qa;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** How long requests took. */
final class RequestTimes {
  private final List<Long> all = new ArrayList<>(); // in microseconds
  private long longest;

  /** A request that waits for its reply. */
  interface Request {
    void send() throws IOException;
  }

  /** Sends a request; the time of one that fails counts, too. */
  void take(Request request) throws IOException {
    long start = System.nanoTime();
    try {
      request.send();
    } finally {
      long micros = TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - start);
      all.add(micros);
      longest = Math.max(longest, micros);
    }
  }

  /** Adds all times of others. */
  void add(RequestTimes others) {
    all.addAll(others.all);
    longest = Math.max(longest, others.longest);
  }

  /** Returns the number of requests. */
  int count() {
    return all.size();
  }

  /** Returns the median in milliseconds, 0 without requests. */
  double medianMillis() {
    return all.isEmpty() ? 0 : all.stream().sorted().toList().get(all.size() / 2) / 1000.0;
  }

  /** Returns the longest time in milliseconds, 0 without requests. */
  long longestMillis() {
    return longest / 1000;
  }
}
