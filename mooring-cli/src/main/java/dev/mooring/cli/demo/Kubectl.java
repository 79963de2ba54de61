package dev.mooring.cli.demo;

import dev.mooring.harness.Await;
import dev.mooring.harness.HarnessFailure;
import dev.mooring.harness.Manifests;
import dev.mooring.harness.OwnFiles;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.ListQuery;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Makes requests and shows each as the {@code kubectl} command that would make it, with the answer.
 * A failed request is the {@link KubeFailure} it was, shown as {@code kubectl} shows it.
 */
public final class Kubectl {
  private final Narrator narrator;
  private final Path manifests;
  private final Runnable alive;
  private final Duration patience;

  /**
   * @param manifests directory for what is created, so that people can look at it and use it again
   * @param alive throws once a process of the suite has died
   * @param patience how long to wait for one state
   */
  public Kubectl(Narrator narrator, Path manifests, Runnable alive, Duration patience) {
    this.narrator = narrator;
    this.manifests = manifests;
    this.alive = alive;
    this.patience = patience;
  }

  /** Creates the objects in their order. */
  public void create(ClusterClient cluster, String file, List<KubeObject> objects) {
    Path manifest = manifests.resolve(file);
    OwnFiles.write(manifest, Manifests.render(objects));
    narrator.request(cluster.name(), "kubectl create -f " + shown(manifest));
    for (KubeObject object : objects) {
      ResourceType type = Manifests.typeOf(object);
      created(cluster, type, object);
      narrator.answer(named(type, object.name()) + " created");
    }
  }

  /** Creates an object of a type that the story does not know. */
  public KubeObject create(
      ClusterClient cluster, String file, ResourceType type, KubeObject object) {
    Path manifest = manifests.resolve(file);
    OwnFiles.write(manifest, Manifests.render(List.of(object)));
    narrator.request(cluster.name(), "kubectl create -f " + shown(manifest));
    KubeObject created = created(cluster, type, object);
    narrator.answer(named(type, object.name()) + " created");
    return created;
  }

  /** Waits for the type: kcp may serve a bound one only a moment after its binding is Bound. */
  private KubeObject created(ClusterClient cluster, ResourceType type, KubeObject object) {
    return shown(() ->
        Await.answer(
            type.qualified() + " is served in " + cluster.name(),
            patience,
            alive,
            () -> createdIfServed(cluster, type, object)));
  }

  private static Optional<KubeObject> createdIfServed(
      ClusterClient cluster, ResourceType type, KubeObject object) {
    try {
      return Optional.of(cluster.client().create(type, object));
    } catch (KubeFailure e) {
      if (e.kind() == KubeFailure.Kind.NOT_SERVED) {
        return Optional.empty();
      }
      throw e;
    }
  }

  /**
   * Waits until the object is there and as it should be.
   *
   * @param expectation completes "until …" in the message if that never happens
   * @param show the answer to print
   */
  public KubeObject await(
      ClusterClient cluster,
      ResourceType type,
      String namespace,
      String name,
      String expectation,
      Predicate<KubeObject> ready,
      Function<KubeObject, String> show) {
    narrator.request(
        cluster.name(),
        "kubectl get "
            + type.resource()
            + " "
            + name
            + inNamespace(namespace)
            + " -o yaml --watch");
    KubeObject found =
        Await.answer(
            named(type, name) + " in " + cluster.name() + " " + expectation,
            patience,
            alive,
            () -> find(cluster, type, namespace, name).filter(ready));
    narrator.answer(show.apply(found));
    return found;
  }

  /** Waits until exactly the objects that should be there are listed. */
  public List<KubeObject> awaitList(
      ClusterClient cluster,
      ResourceType type,
      String namespace,
      String expectation,
      Predicate<List<KubeObject>> ready,
      Function<KubeObject, String> show) {
    narrator.request(
        cluster.name(),
        "kubectl get "
            + type.qualified()
            + (namespace.isEmpty() ? " --all-namespaces" : inNamespace(namespace)));
    List<KubeObject> found =
        Await.answer(
            "the " + type.qualified() + " in " + cluster.name() + " " + expectation,
            patience,
            alive,
            () -> listed(cluster, type, namespace).filter(ready));
    narrator.answer(
        found.isEmpty()
            ? "No resources found."
            : String.join("\n", found.stream().map(show).toList()));
    return found;
  }

  /** What is there now, without waiting. */
  public List<KubeObject> list(
      ClusterClient cluster,
      ResourceType type,
      String namespace,
      Function<KubeObject, String> show) {
    return awaitList(cluster, type, namespace, "are listed", any -> true, show);
  }

  public void delete(ClusterClient cluster, ResourceType type, String namespace, String name) {
    narrator.request(
        cluster.name(), "kubectl delete " + type.resource() + " " + name + inNamespace(namespace));
    shown(() -> {
      cluster.client().delete(type, namespace, name, new DeleteCondition.Unconditional());
      return name;
    });
    narrator.answer(type.qualified() + " \"" + name + "\" deleted");
  }

  /** Asks for a deletion that has to be refused, and says why it was. */
  public String deleteRefused(
      ClusterClient cluster, ResourceType type, String namespace, String name) {
    narrator.request(
        cluster.name(), "kubectl delete " + type.resource() + " " + name + inNamespace(namespace));
    try {
      cluster.client().delete(type, namespace, name, new DeleteCondition.Unconditional());
    } catch (KubeFailure refused) {
      narrator.answer("Error from server: " + said(refused));
      if (refused.kind() == KubeFailure.Kind.FORBIDDEN) {
        return refused.getMessage();
      }
      throw refused;
    }
    narrator.answer(type.qualified() + " \"" + name + "\" deleted");
    throw new HarnessFailure(
        named(type, name) + " in " + cluster.name() + " was deleted although it is still in use.");
  }

  public void awaitGone(ClusterClient cluster, ResourceType type, String namespace, String name) {
    narrator.request(
        cluster.name(),
        "kubectl wait " + type.resource() + "/" + name + inNamespace(namespace) + " --for=delete");
    Await.until(
        named(type, name) + " is gone from " + cluster.name(),
        patience,
        alive,
        () -> find(cluster, type, namespace, name).isEmpty());
    narrator.answer("gone");
  }

  /** Changes fields by a merge patch. */
  public void patch(
      ClusterClient cluster,
      ResourceType type,
      String namespace,
      String name,
      Map<String, Object> change) {
    narrator.request(
        cluster.name(),
        "kubectl patch "
            + type.resource()
            + " "
            + name
            + inNamespace(namespace)
            + " --type=merge -p '"
            + dev.mooring.model.json.KubeJson.writeText(change)
            + "'");
    shown(() -> cluster.client().patch(type, namespace, name, change));
    narrator.answer(named(type, name) + " patched");
  }

  private Optional<KubeObject> find(
      ClusterClient cluster, ResourceType type, String namespace, String name) {
    try {
      return cluster.client().find(type, namespace, name);
    } catch (KubeFailure e) {
      return ifPassing(e);
    }
  }

  private Optional<List<KubeObject>> listed(
      ClusterClient cluster, ResourceType type, String namespace) {
    try {
      return Optional.of(cluster.client().list(type, ListQuery.ALL.inNamespace(namespace)).items());
    } catch (KubeFailure e) {
      return ifPassing(e);
    }
  }

  /** A type that is not served yet, or a server that is not ready: worth another look. */
  private static <T> Optional<T> ifPassing(KubeFailure failure) {
    return switch (failure.kind()) {
      case NOT_FOUND, NOT_SERVED, UNAVAILABLE, CONFLICT, GONE -> Optional.empty();
      case ALREADY_EXISTS, INVALID, FORBIDDEN, UNAUTHORIZED, TOO_LARGE -> throw failure;
    };
  }

  private <T> T shown(java.util.function.Supplier<T> request) {
    try {
      return request.get();
    } catch (KubeFailure e) {
      narrator.answer("Error from server: " + said(e));
      throw e;
    }
  }

  /** Without the request's URL and the status code, as {@code kubectl} shows it. */
  private static String said(KubeFailure failure) {
    return failure.getMessage().replaceFirst("^[A-Z]+ \\S+: \\d{3} ", "");
  }

  private static String named(ResourceType type, String name) {
    String singular =
        type.resource().endsWith("s")
            ? type.resource().substring(0, type.resource().length() - 1)
            : type.resource();
    return singular.toLowerCase(Locale.ROOT)
        + (type.group().isEmpty() ? "" : "." + type.group())
        + "/"
        + name;
  }

  private static String inNamespace(String namespace) {
    return namespace.isEmpty() || namespace.equals("default") ? "" : " -n " + namespace;
  }

  /** Relative to where the reader stands, if that is shorter. */
  private static String shown(Path file) {
    Path here = Path.of("").toAbsolutePath();
    Path absolute = file.toAbsolutePath().normalize();
    return absolute.startsWith(here) ? here.relativize(absolute).toString() : absolute.toString();
  }
}
