package org.jmmv.qa;

import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import org.jmmv.writer.InDom;
import org.jmmv.writer.Instances;
import org.jmmv.writer.LongCounter;
import org.jmmv.writer.LongGauge;
import org.jmmv.writer.MmvApplication;
import org.jmmv.writer.Text;

/**
 * An application that starts, adds metrics and instances, updates values and closes its file, again
 * and again, until it is killed. Its counters are multiples of {@link #STEP}, the values of
 * instances are their numbers times {@link #FACTOR}, and the characters of its text are all the
 * same.
 */
final class GrowingApplication {
  static final String FILE = "growing";
  static final int STEP = 7;
  static final int FACTOR = 1_000;
  private static final int ROUNDS = 60;
  private static final int UPDATES =
      20; // after each addition, so that readers have the time to read

  private GrowingApplication() {}

  public static void main(String[] directory) {
    System.out.println("ready");
    while (true) {
      MmvApplication.Builder builder =
          MmvApplication.named(FILE)
              .directory(Path.of(directory[0]))
              .onProblem(problem -> {
                System.err.println(problem);
                System.exit(1);
              });
      try (MmvApplication application = builder.start()) {
        grow(application);
      }
    }
  }

  private static void grow(MmvApplication application) {
    InDom inDom = application.inDom("instances").add();
    Text text = application.metric("text").text();
    Instances<LongGauge> gauges = application.metric("gauges").gauges(inDom);
    for (int i = 1; i <= ROUNDS; i++) {
      LongCounter counter = application.metric("counter" + i).counter();
      String name = "i" + i;
      inDom.instance(name, i).label(name, "number", i);
      gauges.of(name).set((long) FACTOR * i);
      for (int k = 0; k < UPDATES; k++) {
        counter.add(STEP);
        text.set(Character.toString('a' + k % 26).repeat(i));
        LockSupport.parkNanos(1_000_000);
      }
    }
  }
}
