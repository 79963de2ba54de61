package dev.mooring.syncagent.sync;

import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeClient;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

final class RecordedEvents implements ConsumerEvents {
  private static final Logger LOG = LoggerFactory.getLogger(RecordedEvents.class);

  @Override
  public void normal(KubeClient workspace, KubeObject about, String reason, String message) {
    LOG.info("{} {}: {}", reason, about, message);
  }

  @Override
  public void warning(KubeClient workspace, KubeObject about, String reason, String message) {
    LOG.warn("{} {}: {}", reason, about, message);
  }
}
