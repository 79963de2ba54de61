package dev.mooring.cli.why.decide;

import dev.mooring.languages.TemplateFailure;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.KubeObject;
import dev.mooring.syncagent.published.Locator;
import dev.mooring.syncagent.published.Primaries;
import dev.mooring.syncagent.published.RelatedResource;
import dev.mooring.syncagent.published.Side;
import java.util.List;
import java.util.Optional;

/**
 * An object that is synced with the consumer's.
 *
 * @param entry identifier in spec.related
 * @param origin kcp or service; empty if that is not known
 * @param object kind, namespace and name in the consumer's workspace
 * @param exists there
 */
public record RelatedObject(String entry, String origin, String object, Fact<Boolean> exists) {
  /** Of a name that the entry gives. */
  public static RelatedObject of(
      RelatedResource entry, String namespace, String name, Fact<Boolean> exists) {
    return new RelatedObject(
        entry.identifier(), origin(entry), kind(entry) + " " + namespace + "/" + name, exists);
  }

  /** In place of objects of an entry whose reference finds nothing in the consumer's object. */
  public static Optional<RelatedObject> unnamed(RelatedResource entry, KubeObject object) {
    return entry.name() instanceof Locator.Reference reference && names(reference, object).isEmpty()
        ? Optional.of(
            new RelatedObject(
                entry.identifier(),
                origin(entry),
                "entry %s (origin %s)".formatted(entry.identifier(), origin(entry)),
                new Fact.Unread<>(
                    "names no %s: the object has no name at %s"
                        .formatted(kind(entry), reference.path()))))
        : Optional.empty();
  }

  /** As they are in the consumer's object, without a rewrite. */
  public static List<String> names(Locator.Reference reference, KubeObject object) {
    var primaries = new Primaries(LogicalCluster.NONE, Optional.empty(), object, object);
    try {
      return new Locator.Reference(reference.path(), Optional.empty())
          .values(Side.KCP, primaries).stream().filter(name -> !name.isEmpty()).toList();
    } catch (TemplateFailure e) {
      return List.of();
    }
  }

  private static String origin(RelatedResource entry) {
    return entry.origin() == Side.KCP ? "kcp" : "service";
  }

  private static String kind(RelatedResource entry) {
    String type = entry.types().inKcp().qualified();
    return type.equals("secrets") ? "Secret" : type;
  }

  /** In words. */
  public String state() {
    return switch (exists) {
      case Fact.Known<Boolean>(var there) -> there ? "exists" : "does not exist";
      case Fact.Unread<Boolean>(var why) -> why;
    };
  }
}
