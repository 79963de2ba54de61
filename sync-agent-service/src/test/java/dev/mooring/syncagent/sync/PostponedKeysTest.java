package dev.mooring.syncagent.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PostponedKeysTest {
  private static final ObjectKey KEY =
      new ObjectKey(new LogicalCluster("consumer"), "default", "first");

  private final List<ObjectKey> requeued = new ArrayList<>();

  @Test
  void aKeyThatAWorkerPostponesAgainAtOnceIsRequeuedTheNextTime() {
    var postponed =
        new Object() {
          final PostponedKeys keys = new PostponedKeys(this::work);

          /** As a worker for which another cache is still empty. */
          void work(ObjectKey key) {
            requeued.add(key);
            keys.add(key);
          }
        };
    postponed.keys.add(KEY);

    postponed.keys.requeueAll();
    postponed.keys.requeueAll();

    assertThat(requeued).containsExactly(KEY, KEY);
  }

  @Test
  void aKeyIsRequeuedOnce() {
    var keys = new PostponedKeys(requeued::add);
    keys.add(KEY);

    keys.requeueAll();
    keys.requeueAll();
    keys.requeue(KEY);

    assertThat(requeued).containsExactly(KEY);
  }
}
