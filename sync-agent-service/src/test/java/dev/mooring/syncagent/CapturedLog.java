package dev.mooring.syncagent;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.AppenderBase;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Keeps messages with their key-value pairs and stack traces. Thread-safe. */
final class CapturedLog extends AppenderBase<ILoggingEvent> {
  private final Collection<String> lines = new ConcurrentLinkedQueue<>();

  List<String> lines() {
    return List.copyOf(lines);
  }

  @Override
  protected void append(ILoggingEvent event) {
    lines.add(
        event.getFormattedMessage()
            + event.getMDCPropertyMap()
            + event.getKeyValuePairs()
            + ThrowableProxyUtil.asString(event.getThrowableProxy()));
  }
}
