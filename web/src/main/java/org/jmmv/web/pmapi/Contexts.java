package org.jmmv.web.pmapi;

import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jmmv.pcp.HeapSize;
import org.jmmv.pcp.User;
import org.jmmv.serving.Accounts;
import org.jmmv.web.http.Failure;

/**
 * The contexts of all clients. A context outlives the connection of its client, so it has a random
 * number, and ends when it has not been used for a time. Its memory is charged to the user who has
 * asked for it. If there are too many, the user with most loses the one that it has not used for
 * the longest time.
 */
final class Contexts {
  /** All are looked at in one step, which takes less than 1 ms. */
  private static final int MAX = 16_384;

  private static final int SWEEP_SECONDS = 2; // as pmproxy

  private final Accounts accounts;
  private final ScheduledExecutorService executor;
  private final LongSupplier clock;
  private final SecureRandom random = new SecureRandom();
  private final Map<Integer, Context> contexts = new HashMap<>();
  private final Map<User, OfUser> users = new HashMap<>();
  private boolean isSweeping;

  private final class OfUser {
    // the first one has not been used for the longest time
    private final Map<Integer, Context> own = new LinkedHashMap<>(8, 0.75f, true);
    private final Accounts.Account account;

    OfUser(User user) {
      account = accounts.open(user, this::forgetOldest);
    }

    /** Returns what the user takes in the heap: this object, its map, and its place among all. */
    long bytes() {
      long map = HeapSize.ofObject(6, 5 * Integer.BYTES);
      return HeapSize.ofHashEntry() + HeapSize.ofObject(3, 0) + map;
    }

    void forgetOldest() {
      forget(own.values().iterator().next());
    }

    void charge(long more) {
      account.set(account.bytes() + more);
    }
  }

  /**
   * Creates an object without contexts.
   *
   * @param accounts is charged
   * @param executor the event loop, in which all methods are called
   * @param clock returns the time, as System.nanoTime
   */
  Contexts(Accounts accounts, ScheduledExecutorService executor, LongSupplier clock) {
    this.accounts = accounts;
    this.executor = executor;
    this.clock = clock;
  }

  /**
   * Creates a context.
   *
   * @param user who asks for it
   * @param timeoutNanos how long it is kept unused
   */
  Context create(User user, long timeoutNanos) {
    int number;
    do {
      number = random.nextInt(1, Integer.MAX_VALUE);
    } while (contexts.containsKey(number));
    if (contexts.size() == MAX) { // then this looks at each user, which takes less than 1 ms
      Collections.max(users.values(), Comparator.comparingInt(one -> one.own.size()))
          .forgetOldest();
    }
    OfUser owner = users.computeIfAbsent(user, OfUser::new);
    Context context = new Context(number, user, timeoutNanos);
    context.use(clock.getAsLong());
    contexts.put(number, context);
    owner.own.put(number, context);
    owner.charge(context.takeUncharged() + (owner.own.size() == 1 ? owner.bytes() : 0));
    if (!isSweeping) {
      isSweeping = true;
      awaitSweep();
    }
    return context;
  }

  /**
   * Returns the context with a number, which begins to wait for its next use.
   *
   * @throws Failure if there is none
   */
  Context use(long number) throws Failure {
    Context context = number > Integer.MAX_VALUE ? null : contexts.get((int) number);
    if (context == null) {
      throw Failure.badRequest("unknown context identifier: " + number);
    }
    long now = clock.getAsLong();
    if (context.isExpired(now)) {
      forget(context);
      throw Failure.badRequest("expired context identifier: " + number);
    }
    context.use(now);
    users.get(context.user()).own.get(context.number()); // which makes it the last one
    return context;
  }

  /** Called when the profile of a context has changed, which may have been forgotten since. */
  void charge(Context context) {
    if (contexts.get(context.number()) == context) {
      users.get(context.user()).charge(context.takeUncharged());
    }
  }

  private void forget(Context context) {
    contexts.remove(context.number());
    context.forget();
    OfUser owner = users.get(context.user());
    owner.own.remove(context.number());
    if (owner.own.isEmpty()) {
      users.remove(context.user());
      owner.account.close();
    } else {
      owner.charge(-context.charged());
    }
  }

  private void awaitSweep() {
    executor.schedule(this::sweep, SWEEP_SECONDS, TimeUnit.SECONDS);
  }

  /** Looks at all contexts, at most 16,384, which takes less than 1 ms every two seconds. */
  private void sweep() {
    long now = clock.getAsLong();
    new ArrayList<>(contexts.values())
        .stream().filter(context -> context.isExpired(now)).forEach(this::forget);
    isSweeping = !contexts.isEmpty();
    if (isSweeping) {
      awaitSweep();
    }
  }
}
