package dev.mooring.depwebhook.index;

import static dev.mooring.runtime.testing.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.depwebhook.eligibility.decide.Binding;
import dev.mooring.depwebhook.index.decide.TypeInWorkspace;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.FieldMask;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.time.SystemTime;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Indexes on the sandbox whose watches work, while nobody may read the consumer's APIBindings. */
class UnreadableBindingsIT extends OnIndexes {
  private static final ResourceType CONFIG_MAPS = ResourceType.core("configmaps");

  private volatile boolean readable = true;
  private LogicalCluster consumer;

  @BeforeEach
  void opens() {
    consumer = workspaces.cluster(workspaces.create("unreadable"));
    indexes =
        ReferenceIndexes.start(
            cluster -> sometimesReadable(workspaces.client(cluster)),
            new IndexLimits(Duration.ofSeconds(5), Duration.ofMinutes(10), 10, 100, 100),
            SystemTime.steadyClock(),
            SystemTime.scheduler());
  }

  @Test
  void areNotUsedUntilTheyAreReadable() {
    readable = false;
    assertThat(usable()).isFalse();
    await().until(() -> indexes.status().unconfirmed() == 1);

    assertThat(usable()).isFalse();
    assertThat(indexes.status().problem()).isEqualTo("apibindings are not for you");

    readable = true;
    await().until(this::usable);
    assertThat(indexes.status().unconfirmed()).isZero();
    assertThat(indexes.status().problem()).isEmpty();
  }

  /** Its watch is as good as ever, and proves on that nothing is missing from it. */
  @Test
  void areUsedNoMoreOnceTheyWereNotReadableForTooLong() {
    await().until(this::usable);

    readable = false;
    await().until(() -> indexes.status().oldest().compareTo(Duration.ofSeconds(6)) > 0);
    assertThat(usable()).isFalse();

    readable = true;
    await().until(this::usable);
  }

  private boolean usable() {
    return indexes
        .usable(new TypeInWorkspace(consumer, CONFIG_MAPS), List.of(), FieldMask.ALL)
        .isPresent();
  }

  private KubeClient sometimesReadable(KubeClient client) {
    return (KubeClient)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {KubeClient.class},
            (_, method, arguments) -> {
              if (!readable && arguments != null && Binding.TYPE.equals(arguments[0])) {
                throw new KubeFailure(
                    KubeFailure.Kind.FORBIDDEN,
                    403,
                    "Forbidden",
                    "apibindings are not for you",
                    null,
                    null);
              }
              try {
                return method.invoke(client, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
