package dev.mooring.runtime.spring.reload;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Informable;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/**
 * Watches ConfigMaps and Secrets by their names, whether they exist or not. The watches of Spring
 * Cloud Kubernetes need the right to read every ConfigMap and Secret of the namespace.
 */
final class ConfigObjectWatch implements AutoCloseable {
  private final List<? extends SharedIndexInformer<?>> informers;

  /**
   * @param changed called for each event, also for the objects that are there at start; must not
   *     block
   */
  ConfigObjectWatch(
      KubernetesClient client,
      String namespace,
      Collection<String> configMaps,
      Collection<String> secrets,
      Runnable changed) {
    this.informers =
        Stream.concat(
                configMaps.stream()
                    .map(name ->
                        start(client.configMaps().inNamespace(namespace).withName(name), changed)),
                secrets.stream()
                    .map(name ->
                        start(client.secrets().inNamespace(namespace).withName(name), changed)))
            .toList();
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
