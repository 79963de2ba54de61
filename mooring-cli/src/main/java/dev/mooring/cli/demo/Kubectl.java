package dev.mooring.cli.demo;

import dev.mooring.cli.demo.ClusterClient.Ref;
import dev.mooring.harness.Await;
import dev.mooring.harness.HarnessFailure;
import dev.mooring.harness.Manifests;
import dev.mooring.harness.OwnFiles;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.json.KubeJson;
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
import java.util.function.Supplier;

/**
 * Makes requests and shows each as the {@code kubectl} command that would make it, with the answer.
 * A failed request is the {@link KubeFailure} it was, shown as {@code kubectl} shows it.
 *
 * @param manifests directory for what is created, so that people can look at it and use it again
 * @param alive throws once a process of the suite has died
 * @param patience how long to wait for one state
 */
public record Kubectl(Narrator narrator, Path manifests, Runnable alive, Duration patience) {
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
      Ref ref, String expectation, Predicate<KubeObject> ready, Function<KubeObject, String> show) {
    request(ref, "get %s -o yaml --watch".formatted(typed(ref)));
    KubeObject found =
        Await.answer(
            named(ref) + " in " + ref.cluster().name() + " " + expectation,
            patience,
            alive,
            () -> find(ref).filter(ready));
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

  public void delete(Ref ref) {
    request(ref, "delete " + typed(ref));
    shown(() -> {
      deleteNow(ref);
      return ref;
    });
    deleted(ref);
  }

  /** Asks for a deletion that has to be refused, and says why it was. */
  public String deleteRefused(Ref ref) {
    request(ref, "delete " + typed(ref));
    try {
      deleteNow(ref);
    } catch (KubeFailure refused) {
      narrator.answer("Error from server: " + said(refused));
      if (refused.kind() == KubeFailure.Kind.FORBIDDEN) {
        return refused.getMessage();
      }
      throw refused;
    }
    deleted(ref);
    throw new HarnessFailure(
        named(ref) + " in " + ref.cluster().name() + " was deleted although it is still in use.");
  }

  private static void deleteNow(Ref ref) {
    ref.cluster()
        .client()
        .delete(ref.type(), ref.namespace(), ref.name(), new DeleteCondition.Unconditional());
  }

  private void deleted(Ref ref) {
    narrator.answer(ref.type().qualified() + " \"" + ref.name() + "\" deleted");
  }

  public void awaitGone(Ref ref) {
    request(
        ref,
        "wait %s/%s%s --for=delete"
            .formatted(ref.type().resource(), ref.name(), inNamespace(ref.namespace())));
    Await.until(
        named(ref) + " is gone from " + ref.cluster().name(),
        patience,
        alive,
        () -> find(ref).isEmpty());
    narrator.answer("gone");
  }

  /** Changes fields by a merge patch. */
  public void patch(Ref ref, Map<String, Object> change) {
    request(ref, "patch %s --type=merge -p '%s'".formatted(typed(ref), KubeJson.writeText(change)));
    shown(() -> ref.cluster().client().patch(ref.type(), ref.namespace(), ref.name(), change));
    narrator.answer(named(ref) + " patched");
  }

  private void request(Ref ref, String command) {
    narrator.request(ref.cluster().name(), "kubectl " + command);
  }

  /** As arguments of {@code kubectl}. */
  private static String typed(Ref ref) {
    return ref.type().resource() + " " + ref.name() + inNamespace(ref.namespace());
  }

  private static Optional<KubeObject> find(Ref ref) {
    return unlessPassing(
        () -> ref.cluster().client().find(ref.type(), ref.namespace(), ref.name()));
  }

  private Optional<List<KubeObject>> listed(
      ClusterClient cluster, ResourceType type, String namespace) {
    ListQuery query = ListQuery.ALL.inNamespace(namespace);
    return unlessPassing(() -> Optional.of(cluster.client().list(type, query).items()));
  }

  /** Empty if a type is not served yet, or a server is not ready: worth another look. */
  private static <T> Optional<T> unlessPassing(Supplier<Optional<T>> read) {
    try {
      return read.get();
    } catch (KubeFailure failure) {
      return switch (failure.kind()) {
        case NOT_FOUND, NOT_SERVED, UNAVAILABLE, CONFLICT, GONE -> Optional.empty();
        case ALREADY_EXISTS, INVALID, FORBIDDEN, UNAUTHORIZED, TOO_LARGE -> throw failure;
      };
    }
  }

  private <T> T shown(Supplier<T> request) {
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

  private static String named(Ref ref) {
    return named(ref.type(), ref.name());
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
