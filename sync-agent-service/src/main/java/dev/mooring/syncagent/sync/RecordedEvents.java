package dev.mooring.syncagent.sync;

import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.event.EventNote;
import dev.mooring.runtime.event.EventRecorder;

/** Events in the consumer's workspace, written in the background. */
final class RecordedEvents implements ConsumerEvents {
  private final EventRecorder recorder;

  RecordedEvents(EventRecorder recorder) {
    this.recorder = recorder;
  }

  @Override
  public void normal(KubeClient workspace, KubeObject about, String reason, String message) {
    recorder.record(workspace, EventNote.normal(about, reason, message));
  }

  @Override
  public void warning(KubeClient workspace, KubeObject about, String reason, String message) {
    recorder.record(workspace, EventNote.warning(about, reason, message));
  }
}
