package org.jmmv.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import ch.qos.logback.core.spi.ContextAwareBase;
import java.util.function.IntPredicate;
import org.jmmv.posix.PosixProcess;

/**
 * Configures Logback, which finds this class as a service. Warnings and errors of all loggers, and
 * the debug messages of {@code org.jmmv}, go to standard error in {@link LogFormat}. {@link
 * FloodFilter} limits their rate.
 *
 * <p>Nothing is written to standard output, which may be the pipe to pmcd; Logback's default
 * configuration would write there. The level DEBUG is always enabled for the agent's loggers. The
 * code that logs a debug message first checks its debug option, which can change at run time.
 */
public final class LogConfigurator extends ContextAwareBase implements Configurator {
  @Override
  public ExecutionStatus configure(LoggerContext context) {
    IntPredicate mayWrite = PosixProcess.awaitingOutput(2);
    FloodFilter flood = new FloodFilter(System::nanoTime, mayWrite);
    flood.start();
    LogFormat format = new LogFormat(flood);
    format.start();
    LayoutWrappingEncoder<ILoggingEvent> encoder = new LayoutWrappingEncoder<>();
    encoder.setContext(context);
    encoder.setLayout(format);
    encoder.start();
    OutputStreamAppender<ILoggingEvent> appender = new OutputStreamAppender<>();
    appender.setContext(context);
    appender.setEncoder(encoder);
    appender.setOutputStream(new LogStream(mayWrite));
    appender.addFilter(flood);
    appender.start();
    Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
    root.setLevel(Level.WARN);
    root.addAppender(appender);
    context.getLogger("org.jmmv").setLevel(Level.DEBUG);
    return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
  }
}
