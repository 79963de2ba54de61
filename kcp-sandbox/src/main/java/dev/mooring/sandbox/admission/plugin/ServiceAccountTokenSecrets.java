package dev.mooring.sandbox.admission.plugin;

import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.admission.AdmissionPlugin;
import dev.mooring.sandbox.admission.AdmissionRequest;
import dev.mooring.sandbox.admission.AdmissionRequest.Operation;
import dev.mooring.sandbox.admission.Reinvocation;
import dev.mooring.sandbox.security.token.ServiceAccountClaims;
import dev.mooring.sandbox.security.token.ServiceAccountTokens;
import dev.mooring.sandbox.storage.ResourceKey;
import dev.mooring.sandbox.storage.ResourceStore;
import dev.mooring.sandbox.storage.StorageKey;
import dev.mooring.sandbox.storage.StoredObject;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Puts a token into Secrets of type {@code kubernetes.io/service-account-token} as they are created
 * or updated without one. Kubernetes has a controller that does so a moment later; a client that
 * waits for the token sees no difference. The token is good as long as Secret and service account
 * exist.
 *
 * @param authorityPem what the Secret's {@code ca.crt} holds
 */
public record ServiceAccountTokenSecrets(
    ResourceStore store, ServiceAccountTokens tokens, String authorityPem, InstantSource clock)
    implements AdmissionPlugin.Mutating {
  private static final String TYPE = "kubernetes.io/service-account-token";
  private static final String ACCOUNT_NAME = "kubernetes.io/service-account.name";
  private static final String ACCOUNT_UID = "kubernetes.io/service-account.uid";
  private static final ResourceKey SERVICE_ACCOUNTS = ResourceKey.of("", "serviceaccounts");

  @Override
  public String name() {
    return "ServiceAccountTokenSecrets";
  }

  @Override
  public KubeObject mutate(
      AdmissionRequest request, Reinvocation reinvocation, Consumer<String> warnings) {
    KubeObject object = request.object().orElseThrow();
    return lacksToken(request)
        ? account(request).map(account -> filled(request, account)).orElse(object)
        : object;
  }

  private static boolean lacksToken(AdmissionRequest request) {
    return request.definition().type().group().isEmpty()
        && request.definition().type().resource().equals("secrets")
        && (request.operation() == Operation.CREATE || request.operation() == Operation.UPDATE)
        && request
            .object()
            .filter(secret -> secret.text("type").equals(TYPE))
            .filter(secret -> !secret.name().isEmpty())
            .filter(secret -> secret.at("data", "token") == null)
            .isPresent();
  }

  private Optional<KubeObject> account(AdmissionRequest request) {
    return request
        .object()
        .flatMap(secret -> secret.annotation(ACCOUNT_NAME))
        .filter(name -> !name.isEmpty())
        .flatMap(name ->
            store.get(
                new StorageKey(SERVICE_ACCOUNTS, request.cluster(), request.namespace(), name)))
        .map(StoredObject::object);
  }

  private KubeObject filled(AdmissionRequest request, KubeObject account) {
    KubeObject secret = request.object().orElseThrow();
    var claims =
        new ServiceAccountClaims(
            request.cluster(),
            request.namespace(),
            account.name(),
            account.uid(),
            secret.name(),
            "",
            List.of(),
            Optional.empty());
    return secret
        .with(account.uid(), "metadata", "annotations", ACCOUNT_UID)
        .with(base64(authorityPem), "data", "ca.crt")
        .with(base64(request.namespace()), "data", "namespace")
        .with(base64(tokens.sign(claims, clock.instant())), "data", "token");
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }
}
