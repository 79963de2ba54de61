package dev.mooring.depwebhook.index;

import static dev.mooring.depwebhook.Fixtures.MACHINES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.depwebhook.FakeWorkspace;
import dev.mooring.depwebhook.FakeWorkspace.Scope;
import dev.mooring.depwebhook.eligibility.decide.Binding;
import dev.mooring.depwebhook.index.decide.BindingSource;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeFailure;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BindingSourceReaderTest {
  private static final BindingSource FIRST = new BindingSource("compute", "7");

  private final FakeWorkspace workspace = new FakeWorkspace();
  private final BindingSourceReader reader = new BindingSourceReader(workspace, MACHINES);

  @Test
  void listsThemOnceAndThenReadsTheOneThatItWas() {
    workspace.serves(Binding.TYPE, Scope.CLUSTER, binding("7"));
    assertThat(reader.read()).isEqualTo(FIRST);
    workspace.requests.clear();

    assertThat(reader.confirm(FIRST)).isEqualTo(FIRST);

    assertThat(workspace.requests).containsExactly("get " + Binding.TYPE + " /compute");
  }

  @Test
  void seesThatItWasWrittenOrIsGone() {
    workspace.serves(Binding.TYPE, Scope.CLUSTER, binding("8"));
    assertThat(reader.confirm(FIRST)).isEqualTo(new BindingSource("compute", "8"));

    workspace.serves(Binding.TYPE, Scope.CLUSTER);
    assertThat(reader.confirm(FIRST)).isEqualTo(BindingSource.NONE);
  }

  @Test
  void seesThatWhatNoBindingHadIsBoundNow() {
    workspace.serves(Binding.TYPE, Scope.CLUSTER, binding("7"));

    assertThat(reader.confirm(BindingSource.NONE)).isEqualTo(FIRST);
  }

  /** A workspace that is gone, or a shard that is not there, has not unbound anything. */
  @Test
  void doesNotTakeAFailureForAnAnswer() {
    workspace.servesNoMore(Binding.TYPE);

    assertThatThrownBy(reader::read).isInstanceOf(KubeFailure.class);
    assertThatThrownBy(() -> reader.confirm(FIRST)).isInstanceOf(KubeFailure.class);
    assertThatThrownBy(() -> reader.confirm(BindingSource.NONE)).isInstanceOf(KubeFailure.class);
  }

  private static KubeObject binding(String version) {
    return KubeObject.of(
        Map.of(
            "metadata", Map.of("name", "compute", "uid", "uid", "resourceVersion", version),
            "status",
                Map.of(
                    "boundResources",
                    List.of(
                        Map.of(
                            "group",
                            MACHINES.group(),
                            "resource",
                            MACHINES.resource(),
                            "schema",
                            Map.of("UID", "s", "identityHash", "i"))))));
  }
}
