package org.jmmv.serving;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jmmv.pcp.User;
import org.junit.jupiter.api.Test;

/** The test is the event loop. */
class SlowTasksTest {
  private final BlockingQueue<Runnable> loop = new LinkedBlockingQueue<>();
  private final AtomicLong clock = new AtomicLong();
  private final SlowTasks tasks = new SlowTasks(loop::add, clock::get);
  private final List<String> done = Collections.synchronizedList(new ArrayList<>());
  private final CountDownLatch first = new CountDownLatch(1);

  private Executor connection(int user) {
    return tasks.open(User.of(user));
  }

  /** Has a task begin that waits until all others have been added. */
  private void occupy(Executor connection) {
    connection.execute(() -> {
      try {
        first.await();
        clock.incrementAndGet();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    });
  }

  /** Runs the tasks of the loop until {@code slow} slow tasks are done. */
  private void finish(int slow) throws InterruptedException {
    first.countDown();
    while (done.size() < slow) {
      loop.take().run();
    }
  }

  @Test
  void usersTakeTurnsHoweverManyTasksAndConnectionsTheyHave() throws InterruptedException {
    occupy(connection(1));
    for (int i = 0; i < 3; i++) {
      Executor connection = connection(1);
      connection.execute(() -> done.add("many"));
      connection.execute(() -> done.add("many"));
    }
    connection(2).execute(() -> done.add("one"));
    finish(7);
    assertEquals("one", done.getFirst());
  }

  @Test
  void aUserWhoseTasksTakeLongWaitsLonger() throws InterruptedException {
    occupy(connection(1));
    for (int i = 0; i < 2; i++) {
      connection(2).execute(() -> done.add("long " + clock.addAndGet(10)));
    }
    for (int i = 0; i < 3; i++) {
      connection(3).execute(() -> done.add("short " + clock.addAndGet(1)));
    }
    finish(5);
    assertEquals(List.of("long 11", "short 12", "short 13", "short 14", "long 24"), done);
  }

  @Test
  void tasksOfAConnectionAreDoneInTheirOrder() throws InterruptedException {
    Executor connection = connection(1);
    occupy(connection);
    for (int i = 0; i < 5; i++) {
      int number = i;
      connection.execute(() -> done.add("" + number));
    }
    finish(5);
    assertEquals(List.of("0", "1", "2", "3", "4"), done);
  }

  @Test
  void whatHasNotBegunWhenAConnectionEndsIsNotDone() throws InterruptedException {
    occupy(connection(1));
    SlowTasks.OfConnection leaving = tasks.open(User.of(2));
    leaving.execute(() -> done.add("left"));
    connection(3).execute(() -> done.add("stayed"));
    leaving.close();
    finish(1);
    assertEquals(List.of("stayed"), done);
  }

  @Test
  void aTaskThatFailsDoesNotKeepTheNextFromBeingDone() throws InterruptedException {
    Executor connection = connection(1);
    connection.execute(() -> {
      throw new IllegalStateException("a test");
    });
    connection.execute(() -> done.add("next"));
    finish(1);
    assertEquals(List.of("next"), done);
  }
}
