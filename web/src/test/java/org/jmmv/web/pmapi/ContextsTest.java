package org.jmmv.web.pmapi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jmmv.pcp.User;
import org.jmmv.serving.Accounts;
import org.jmmv.web.http.Failure;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ContextsTest {
  private static final long MINUTE = 60_000_000_000L;
  private static final int ALL = 16_384;

  private final ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor();
  private final Contexts contexts = contexts(1 << 30);
  private long now;

  private Contexts contexts(long bytes) {
    return new Contexts(new Accounts(bytes, Runnable::run), executor, () -> now);
  }

  @AfterEach
  void close() {
    executor.shutdownNow();
  }

  private static String failure(Contexts all, Context context) {
    return assertThrows(Failure.class, () -> all.use(context.number())).getMessage();
  }

  @Test
  void aContextEndsIfItIsNotUsed() throws Failure {
    Context context = contexts.create(User.of(1), MINUTE);
    for (int use = 0; use < 3; use++) {
      now += MINUTE;
      assertSame(context, contexts.use(context.number()));
    }
    now += MINUTE + 1;
    assertEquals("expired context identifier: " + context.number(), failure(contexts, context));
    assertEquals("unknown context identifier: " + context.number(), failure(contexts, context));
  }

  @Test
  void contextsThatAreNotUsedAreRemoved() throws Failure {
    List<Runnable> scheduled = new ArrayList<>();
    ScheduledExecutorService loop =
        new ScheduledThreadPoolExecutor(1) {
          @Override
          public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
            scheduled.add(task);
            return null;
          }
        };
    Contexts all = new Contexts(new Accounts(1 << 30, Runnable::run), loop, () -> now);
    Context unused = all.create(User.of(1), MINUTE);
    Context used = all.create(User.of(1), MINUTE);
    assertEquals(1, scheduled.size());
    now += MINUTE;
    all.use(used.number());
    now++;
    scheduled.getFirst().run();
    assertEquals("unknown context identifier: " + unused.number(), failure(all, unused));
    assertSame(used, all.use(used.number()));
    assertEquals(2, scheduled.size()); // it goes on while there are contexts
  }

  @Test
  void theUserWithMostKeepsTheContextsUsedLast() throws Failure {
    Context other = contexts.create(User.of(2), MINUTE);
    Context used = contexts.create(User.of(1), MINUTE);
    Context unused = contexts.create(User.of(1), MINUTE);
    for (int i = 3; i < ALL; i++) {
      contexts.create(User.of(1), MINUTE);
    }
    assertSame(used, contexts.use(used.number()));
    contexts.create(User.of(1), MINUTE);
    failure(contexts, unused);
    assertSame(used, contexts.use(used.number()));
    assertSame(other, contexts.use(other.number()));
  }

  @Test
  void ifThereAreTooManyThoseOfTheUserWithMostAreForgotten() throws Failure {
    List<Context> single = new ArrayList<>();
    Context most = contexts.create(User.of(3), MINUTE);
    contexts.create(User.of(3), MINUTE);
    for (int i = 2; i < ALL; i++) {
      single.add(contexts.create(User.of(i), MINUTE));
    }
    contexts.create(User.of(4), MINUTE);
    failure(contexts, most);
    for (Context context : single) {
      contexts.use(context.number());
    }
  }

  @Test
  void profilesAreCharged() throws Failure {
    Contexts few = contexts(100_000);
    Context small = few.create(User.of(5), MINUTE);
    Context large = few.create(User.of(6), MINUTE);
    large.select(1, true, IntStream.range(0, 30_000).toArray());
    few.charge(large);
    few.use(small.number());
    failure(few, large);
    assertThrows(Failure.class, () -> large.selectAll(1, true));
    few.charge(large); // a request that was begun before
    failure(few, large);
  }
}
