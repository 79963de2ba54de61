package dev.mooring.depwebhook;

import dev.mooring.depwebhook.lookup.MessageRedactor;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeClient;
import java.lang.reflect.Proxy;
import java.util.Map;

/** Who may see what, without a kcp. */
public final class Disclosures {
  private Disclosures() {}

  /** Every caller that has a name may list everything. */
  public static MessageRedactor everything() {
    KubeClient permitting =
        (KubeClient)
            Proxy.newProxyInstance(
                KubeClient.class.getClassLoader(),
                new Class<?>[] {KubeClient.class},
                (_, method, _) -> {
                  if (method.getName().equals("create")) {
                    return KubeObject.of(Map.of("status", Map.of("allowed", true)));
                  }
                  throw new AssertionError("only access reviews are asked: " + method.getName());
                });
    return new MessageRedactor(_ -> permitting);
  }

  /** Nothing is refused, so no permission is asked for. */
  public static MessageRedactor unasked() {
    return new MessageRedactor(cluster -> {
      throw new AssertionError("a permission is asked for in " + cluster);
    });
  }
}
