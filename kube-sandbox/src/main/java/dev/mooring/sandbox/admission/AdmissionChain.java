package dev.mooring.sandbox.admission;

import dev.mooring.model.object.KubeObject;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The admission plugins of a server, in one order for both phases. The write pipeline calls {@link
 * #mutate} before it validates, {@link #validate} after. A refused write has no warnings.
 */
public final class AdmissionChain {
  private volatile List<AdmissionPlugin.Mutating> mutating = List.of();
  private volatile List<AdmissionPlugin.Validating> validating = List.of();

  /** Has these plugins see all writes from now on. */
  public void use(List<? extends AdmissionPlugin> plugins) {
    mutating = only(plugins, AdmissionPlugin.Mutating.class);
    validating = only(plugins, AdmissionPlugin.Validating.class);
  }

  public static AdmissionChain of(List<? extends AdmissionPlugin> plugins) {
    var chain = new AdmissionChain();
    chain.use(plugins);
    return chain;
  }

  private static <P> List<P> only(List<?> plugins, Class<P> phase) {
    return plugins.stream().filter(phase::isInstance).map(phase::cast).toList();
  }

  /** The object as all mutating plugins leave it. */
  public KubeObject mutate(AdmissionRequest request, Consumer<String> warnings) {
    var collected = new ArrayList<String>();
    var reinvocation = new Reinvocation();
    AdmissionRequest current = request;
    do {
      for (AdmissionPlugin.Mutating plugin : mutating) {
        current = current.withObject(plugin.mutate(current, reinvocation, collected::add));
      }
    } while (reinvocation.begin());
    collected.forEach(warnings);
    return current.object().orElseThrow();
  }

  public void validate(AdmissionRequest request, Consumer<String> warnings) {
    var collected = new ArrayList<String>();
    validating.forEach(plugin -> plugin.validate(request, collected::add));
    collected.forEach(warnings);
  }

  /** The names of the mutating plugins, in their order. */
  public List<String> mutating() {
    return mutating.stream().map(AdmissionPlugin::name).toList();
  }

  /** The names of the validating plugins, in their order. */
  public List<String> validating() {
    return validating.stream().map(AdmissionPlugin::name).toList();
  }
}
