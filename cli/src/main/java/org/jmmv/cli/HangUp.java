package org.jmmv.cli;

import java.lang.reflect.Proxy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** SIGHUP. Without a handler of its own, the JVM would exit. */
final class HangUp {
  private static final Logger LOG = LoggerFactory.getLogger(HangUp.class);

  private HangUp() {}

  /**
   * Calls an action at each SIGHUP, in a thread that the JVM creates for it. The classes of {@code
   * sun.misc} are called by reflection, because the compiler's warnings about them can't be
   * suppressed.
   */
  static void handle(Runnable action) {
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      Object calling =
          Proxy.newProxyInstance(
              HangUp.class.getClassLoader(),
              new Class<?>[] {handler},
              (_, _, _) -> {
                action.run();
                return null;
              });
      Object hangUp = signal.getConstructor(String.class).newInstance("HUP");
      signal.getMethod("handle", signal, handler).invoke(null, hangUp, calling);
    } catch (ReflectiveOperationException e) { // another Java, without the module jdk.unsupported
      LOG.warn("SIGHUP ends the agent, because this Java can't handle signals: {}", e.toString());
    }
  }
}
