package dev.mooring.runtime.spring.reload;

import dev.mooring.runtime.spring.reload.ConfigObjects.Selection;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Informable;
import io.fabric8.kubernetes.client.dsl.MixedOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Watches ConfigMaps and Secrets by their names, whether they exist or not, or by their labels. The
 * watches of Spring Cloud Kubernetes need the right to read every ConfigMap and Secret of the
 * namespace.
 */
final class ConfigObjectWatch implements AutoCloseable {
  private final List<? extends SharedIndexInformer<?>> informers;

  /**
   * @param namespace of what names none
   * @param changed called for each event, also for the objects that are there at start; must not
   *     block
   */
  ConfigObjectWatch(
      KubernetesClient client, String namespace, ConfigObjects objects, Runnable changed) {
    this.informers =
        Stream.concat(
                objects.configMaps().stream()
                    .map(selection ->
                        start(select(client.configMaps(), selection, namespace), changed)),
                objects.secrets().stream()
                    .map(selection ->
                        start(select(client.secrets(), selection, namespace), changed)))
            .toList();
  }

  private static <T extends HasMetadata, L, R extends Resource<T>> Informable<T> select(
      MixedOperation<T, L, R> all, Selection selection, String namespace) {
    var there = all.inNamespace(selection.namespace().orElse(namespace));
    return switch (selection) {
      case Selection.Named(_, String name) -> there.withName(name);
      case Selection.Labeled(_, Map<String, String> labels) -> there.withLabels(labels);
    };
  }

  private static <T extends HasMetadata> SharedIndexInformer<T> start(
      Informable<T> object, Runnable changed) {
    SharedIndexInformer<T> informer = object.runnableInformer(0);
    informer.addEventHandler(new Handler<>(changed));
    // Until the API server answers, and permits it.
    informer.exceptionHandler((_, _) -> true);
    informer.start();
    return informer;
  }

  @Override
  public void close() {
    informers.forEach(SharedIndexInformer::close);
  }

  private record Handler<T>(Runnable changed) implements ResourceEventHandler<T> {
    @Override
    public void onAdd(T object) {
      changed.run();
    }

    @Override
    public void onUpdate(T before, T after) {
      changed.run();
    }

    @Override
    public void onDelete(T object, boolean finalStateUnknown) {
      changed.run();
    }
  }
}
