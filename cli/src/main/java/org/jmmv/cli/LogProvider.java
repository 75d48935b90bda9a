package org.jmmv.cli;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import org.slf4j.ILoggerFactory;
import org.slf4j.IMarkerFactory;
import org.slf4j.helpers.BasicMarkerFactory;
import org.slf4j.spi.MDCAdapter;
import org.slf4j.spi.SLF4JServiceProvider;

/**
 * Binds SLF4J to Logback like Logback's own provider, but does not search all jars for services and
 * version files, which takes 12 ms at start. The launcher selects this class with the system
 * property {@code slf4j.provider}. Without the property, SLF4J finds Logback's provider, and only
 * the start takes longer.
 */
public final class LogProvider implements SLF4JServiceProvider {
  private final LoggerContext context = new LoggerContext();
  private final IMarkerFactory markers = new BasicMarkerFactory();
  private final LogbackMDCAdapter mdc = new LogbackMDCAdapter();

  @Override
  public void initialize() {
    context.setMDCAdapter(mdc);
    new LogConfigurator().configure(context);
    context.start();
  }

  @Override
  public ILoggerFactory getLoggerFactory() {
    return context;
  }

  @Override
  public IMarkerFactory getMarkerFactory() {
    return markers;
  }

  @Override
  public MDCAdapter getMDCAdapter() {
    return mdc;
  }

  @Override
  public String getRequestedApiVersion() {
    return "2.0.99"; // any 2.0
  }
}
