package dev.mooring.runtime.testing;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.LoggerFactory;

/** What one class logs during each test of the class that registers this. */
public final class LoggedLines implements BeforeEachCallback, AfterEachCallback {
  private final Logger log;
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

  public LoggedLines(Class<?> logging) {
    this.log = (Logger) LoggerFactory.getLogger(logging);
  }

  @Override
  public void beforeEach(ExtensionContext test) {
    lines.start();
    log.addAppender(lines);
  }

  @Override
  public void afterEach(ExtensionContext test) {
    log.detachAppender(lines);
  }

  public List<ILoggingEvent> all() {
    return lines.list;
  }
}
