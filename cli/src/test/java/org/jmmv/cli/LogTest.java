package org.jmmv.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.spi.FilterReply;
import io.netty.util.internal.logging.InternalLogger;
import io.netty.util.internal.logging.InternalLoggerFactory;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the log's lines look like, which there are, and how many. */
class LogTest {
  private static final String HEAD =
      "\\[\\w{3} \\w{3} [ \\d]\\d \\d\\d:\\d\\d:\\d\\d\\] pmdajmmv\\("
          + ProcessHandle.current().pid()
          + "\\) ";

  private long time = Long.MAX_VALUE - 5; // nanoTime may overflow
  private int room = Integer.MAX_VALUE; // number of writes that standard error takes
  private final FloodFilter flood = new FloodFilter(() -> time, _ -> room > 0);
  private final LogFormat format = new LogFormat(flood);

  private static LoggingEvent event(Level level, String text, Throwable thrown) {
    LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    return new LoggingEvent("", context.getLogger("test"), level, text, thrown, null);
  }

  private String line(Level level, String text) {
    return format.doLayout(event(level, text, null));
  }

  private boolean passes(Level level) {
    return passes(level, "a: something is wrong");
  }

  private boolean passes(Level level, String text) {
    return flood.decide(event(level, text, null)) != FilterReply.DENY;
  }

  private int passed(int lines) {
    int passed = 0;
    for (int i = 0; i < lines; i++) {
      passed += passes(Level.WARN) ? 1 : 0;
    }
    return passed;
  }

  @Nested
  class Flood {
    @Test
    void aFloodEndsAfterAThousandLinesAndIsCounted() {
      assertEquals(1000, passed(1_000_000));
      assertEquals(999_000, flood.takeLeftOut());
      assertEquals(0, flood.takeLeftOut());
    }

    @Test
    void thenThereIsALineInTenSeconds() {
      assertEquals(1000, passed(2000));
      time += TimeUnit.SECONDS.toNanos(9);
      assertFalse(passes(Level.WARN));
      time += TimeUnit.SECONDS.toNanos(1);
      assertEquals(1, passed(1000));
      time += TimeUnit.HOURS.toNanos(1);
      assertEquals(360, passed(1000));
      time += TimeUnit.DAYS.toNanos(100);
      assertEquals(1000, passed(2000));
    }

    @Test
    void warningsAboutFilesDoNotHideTheAgentsOwnErrors() {
      passed(2000);
      int errors = 0;
      while (errors < 2000 && passes(Level.ERROR)) {
        errors++;
      }
      assertEquals(1000, errors);
    }

    /** A client can switch on a debug option, and then send PDUs. */
    @Test
    void debugMessagesAreLimitedByTheirLength() {
      String kilobyte = "x".repeat(1000);
      int passed = 0;
      while (passed < 20_000 && passes(Level.DEBUG, kilobyte)) {
        passed++;
      }
      assertEquals(10_000, passed);
      time += TimeUnit.MILLISECONDS.toNanos(999);
      assertFalse(passes(Level.DEBUG, kilobyte));
      time += TimeUnit.MILLISECONDS.toNanos(1);
      assertTrue(passes(Level.DEBUG, kilobyte));
      assertTrue(passes(Level.WARN));
    }

    @Test
    void warningsDoNotHideDebugMessages() {
      passed(2000);
      assertTrue(passes(Level.DEBUG));
      assertFalse(passes(Level.WARN));
    }

    @Test
    void theNextLineSaysHowManyWereLeftOut() {
      passed(1003);
      String first = line(Level.WARN, "b: something is wrong");
      assertTrue(
          first.matches(
              HEAD
                  + "Warning: 3 lines suppressed here\n"
                  + HEAD
                  + "Warning: b: something is wrong\n"),
          first);
      String second = line(Level.WARN, "c: something is wrong");
      assertTrue(second.matches(HEAD + "Warning: c: something is wrong\n"), second);
    }
  }

  @Nested
  class Format {
    @Test
    void severitiesAreThoseOfPmNotifyErr() {
      assertTrue(line(Level.ERROR, "x").matches(HEAD + "Error: x\n"));
      assertTrue(line(Level.WARN, "x").matches(HEAD + "Warning: x\n"));
      assertTrue(line(Level.INFO, "x").matches(HEAD + "Info: x\n"));
      assertTrue(line(Level.DEBUG, "x").matches(HEAD + "Debug: x\n"));
    }

    /** pmNotifyErr prints the first 19 characters of ctime(3). */
    @Test
    void theDayOfTheMonthTakesTwoColumns() {
      assertEquals("[Sun Nov  8 05:09:07]", timeOf(LocalDateTime.of(2026, 11, 8, 5, 9, 7)));
      assertEquals("[Fri Nov 20 15:19:27]", timeOf(LocalDateTime.of(2026, 11, 20, 15, 19, 27)));
    }

    private String timeOf(LocalDateTime time) {
      LoggingEvent event = event(Level.WARN, "x", null);
      event.setInstant(time.atZone(ZoneId.systemDefault()).toInstant());
      String line = format.doLayout(event);
      return line.substring(0, line.indexOf(']') + 1);
    }

    @Test
    void aStackTraceFollowsOnItsLine() {
      String lines = format.doLayout(event(Level.ERROR, "x", new IllegalStateException("why")));
      assertTrue(
          lines.matches(
              "(?s)" + HEAD + "Error: x\njava.lang.IllegalStateException: why\n\tat org.jmmv.*\n"),
          lines);
    }
  }

  /** A pipe that nobody reads. */
  @Nested
  class Full {
    private final PrintStream standardError = System.err;
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final LogStream stream = new LogStream(_ -> room-- > 0);

    Full() {
      System.setErr(new PrintStream(err, true, UTF_8));
    }

    @AfterEach
    void restore() {
      System.setErr(standardError);
    }

    @Test
    void linesThatCannotBeWrittenAreCountedAndUseNothingUp() {
      room = 0;
      assertEquals(0, passed(5000));
      room = 1;
      assertEquals(1000, passed(2000));
      assertEquals(6000, flood.takeLeftOut());
    }

    @Test
    void aLineBehindAnUnfinishedOneBeginsByItself() {
      room = 2;
      write("x".repeat(10_000) + "\n");
      room = 9;
      write("b\n");
      write("c\n");
      assertEquals("x".repeat(8190) + "\nb\nc\n", err.toString(UTF_8));
    }

    private void write(String text) {
      stream.write(text.getBytes(UTF_8), 0, text.length());
    }
  }

  /** What SLF4J comes to, by way of Logback's provider and by way of ours. */
  @Nested
  class Configuration {
    private final PrintStream standardOutput = System.out;
    private final PrintStream standardError = System.err;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    Configuration() {
      System.setOut(new PrintStream(out, true, UTF_8));
      System.setErr(new PrintStream(err, true, UTF_8));
    }

    @AfterEach
    void restore() {
      System.setOut(standardOutput);
      System.setErr(standardError);
    }

    private void assertLogged(String lines) {
      assertTrue(err.toString(UTF_8).matches(lines), () -> err.toString(UTF_8));
      assertEquals("", out.toString(UTF_8));
    }

    @Test
    void theAgentsLinesGoToStandardError() {
      Logger log = LoggerFactory.getLogger("org.jmmv.test");
      log.warn("app: {} of {} metrics served", 3, 5);
      log.debug("a trace");
      assertLogged(HEAD + "Warning: app: 3 of 5 metrics served\n" + HEAD + "Debug: a trace\n");
    }

    @Test
    void theLaunchersProviderIsConfiguredLikeLogbacks() {
      LogProvider provider = new LogProvider();
      provider.initialize();
      Logger ours = provider.getLoggerFactory().getLogger("org.jmmv.test");
      ours.warn("app: {} of {} metrics served", 3, 5);
      ours.debug("a trace");
      provider.getLoggerFactory().getLogger("org.example").info("not interesting");
      assertLogged(HEAD + "Warning: app: 3 of 5 metrics served\n" + HEAD + "Debug: a trace\n");
    }

    @Test
    void othersLogWarningsAndErrors() {
      Logger log = LoggerFactory.getLogger("org.example");
      log.info("not interesting");
      log.debug("not interesting");
      log.error("broken");
      assertLogged(HEAD + "Error: broken\n");
    }

    @Test
    void nettyLogsThereToo() {
      InternalLogger log = InternalLoggerFactory.getInstance("io.netty.test");
      log.info("not interesting");
      log.warn("no more {}", "memory");
      assertLogged(HEAD + "Warning: no more memory\n");
    }
  }
}
