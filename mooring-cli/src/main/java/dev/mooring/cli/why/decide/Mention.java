package dev.mooring.cli.why.decide;

import dev.mooring.cli.live.ServedType;
import dev.mooring.cli.why.decide.Remedy.Who;
import dev.mooring.model.object.KubeObject;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A field of another object that has the target's name, and is called after its kind: it seems to
 * refer to the target, whether a rule says so or not.
 *
 * @param export of that object's type
 * @param type such as {@code virtualmachines.compute.example.corp}
 * @param text such as {@code VirtualMachine/web-1 .spec.vpcRef.name}
 * @param held what to do if that object is being deleted already
 */
public record Mention(String export, String type, String text, Optional<Remedy> held) {
  public static Optional<Mention> of(
      String export, ServedType type, KubeObject object, ServedType of, KubeObject target) {
    boolean itself =
        type.equals(of)
            && object.name().equals(target.name())
            && object.namespace().equals(target.namespace());
    return itself
        ? Optional.empty()
        : fields("", object.map("spec"))
            .filter(field -> field.value().equals(target.name()))
            .filter(field ->
                field.path().toLowerCase(Locale.ROOT).contains(of.kind().toLowerCase(Locale.ROOT)))
            .findFirst()
            .map(field ->
                new Mention(
                    export,
                    type.resource().qualified(),
                    "%s/%s .spec%s".formatted(type.kind(), object.name(), field.path()),
                    object.deleting() ? Optional.of(held(type, object)) : Optional.empty()));
  }

  private static Remedy held(ServedType type, KubeObject object) {
    return new Remedy(
        Who.consumer,
        type.named(object),
        "it is being deleted already: find out what keeps its finalizers from being removed: "
            + String.join(", ", object.finalizers()),
        "kubectl get " + type.kubectlName(object) + " -o yaml");
  }

  private record Field(String path, String value) {}

  private static Stream<Field> fields(String path, Object value) {
    return switch (value) {
      case Map<?, ?> map ->
          map.entrySet().stream()
              .flatMap(entry -> fields(path + "." + entry.getKey(), entry.getValue()));
      case List<?> list ->
          IntStream.range(0, list.size())
              .boxed()
              .flatMap(i -> fields(path + "[" + i + "]", list.get(i)));
      case String text -> Stream.of(new Field(path, text));
      default -> Stream.of();
    };
  }
}
