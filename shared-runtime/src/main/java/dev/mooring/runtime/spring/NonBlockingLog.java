package dev.mooring.runtime.spring;

import ch.qos.logback.classic.AsyncAppender;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.OutputStreamAppender;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.boot.context.logging.LoggingApplicationListener;
import org.springframework.context.ApplicationListener;
import org.springframework.core.Ordered;

/**
 * Writes log lines on a thread of their own. Where the reader of standard output stops, each thread
 * that logs would else wait for it, and the service would answer nothing. Lines that find no place
 * are dropped and counted. At the end of the process, what waits is written within a second.
 */
final class NonBlockingLog
    implements ApplicationListener<ApplicationEnvironmentPreparedEvent>, Ordered {
  /** A line holds about 1 kB, and seldom as much as a thread dump. */
  private static final int WAITING_MAX = 1_000;

  private static final AtomicLong DROPPED = new AtomicLong();

  static void bind(MeterRegistry meters) {
    FunctionCounter.builder("mooring.log.dropped", DROPPED, AtomicLong::get)
        .description("Log lines dropped because standard output did not accept them in time")
        .register(meters);
  }

  /** After Spring Boot has made the appenders. */
  @Override
  public int getOrder() {
    return LoggingApplicationListener.DEFAULT_ORDER + 1;
  }

  @Override
  public void onApplicationEvent(ApplicationEnvironmentPreparedEvent event) {
    if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
      ch.qos.logback.classic.Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
      var writers = new ArrayList<Appender<ILoggingEvent>>();
      root.iteratorForAppenders().forEachRemaining(writers::add);
      writers.removeIf(writer -> !(writer instanceof OutputStreamAppender));
      writers.forEach(writer -> {
        root.detachAppender(writer);
        root.addAppender(inFrontOf(writer, context));
      });
    }
  }

  private static Appender<ILoggingEvent> inFrontOf(
      Appender<ILoggingEvent> writer, LoggerContext context) {
    var queue = new Queue();
    queue.setContext(context);
    queue.setName("NON-BLOCKING-" + writer.getName());
    queue.setNeverBlock(true);
    queue.setQueueSize(WAITING_MAX);
    queue.setDiscardingThreshold(0);
    queue.addAppender(writer);
    queue.start();
    return queue;
  }

  private static final class Queue extends AsyncAppender {
    @Override
    protected void append(ILoggingEvent line) {
      if (getRemainingCapacity() == 0) {
        DROPPED.incrementAndGet();
      } else {
        super.append(line);
      }
    }
  }
}
