package dev.mooring.sandbox.controller.namespace;

import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.registry.WriteContext;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.controller.Controller;
import dev.mooring.sandbox.controller.EventSource;
import dev.mooring.sandbox.controller.PipelineClient;
import dev.mooring.sandbox.controller.Reconciler;
import dev.mooring.sandbox.security.token.ServiceAccountTokenValidator;
import dev.mooring.sandbox.storage.ListScope;
import dev.mooring.sandbox.storage.ResourceKey;
import dev.mooring.sandbox.storage.ResourceStore;
import dev.mooring.sandbox.storage.StorageKey;
import dev.mooring.sandbox.storage.StoredObject;
import dev.mooring.sandbox.strategy.DeleteOptions;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts tokens into Secrets of type {@code kubernetes.io/service-account-token}, and deletes those
 * whose service account does not exist. Modelled on Kubernetes' {@code
 * pkg/controller/serviceaccount}.
 *
 * @param tokens from an account and a Secret's name to a token that is good as long as the Secret
 *     holds it
 * @param authorityPem what the Secrets' {@code ca.crt} holds
 */
public record TokenSecretController(
    PipelineClient objects, BiFunction<StoredObject, String, String> tokens, String authorityPem)
    implements Reconciler<ObjectKey> {
  private static final Logger LOG = LoggerFactory.getLogger(TokenSecretController.class);
  private static final ResourceType TYPE = ResourceType.core("secrets");
  private static final ResourceKey SECRETS = ResourceKey.of("", "secrets");
  private static final ResourceKey SERVICE_ACCOUNTS = ResourceKey.of("", "serviceaccounts");
  private static final String TOKEN = "kubernetes.io/service-account-token";
  private static final String ACCOUNT_NAME = "kubernetes.io/service-account.name";
  private static final String ACCOUNT_UID = "kubernetes.io/service-account.uid";
  private static final String MANAGER = "kcp";

  public static Controller<ObjectKey> start(
      PipelineClient objects,
      BiFunction<StoredObject, String, String> tokens,
      String authorityPem) {
    return Controller.start(
        "serviceaccount-tokens",
        objects.store(),
        List.of(
            new EventSource<>(
                SECRETS,
                secret -> isTokenSecret(secret) ? List.of(secret.key().objectKey()) : List.of()),
            new EventSource<>(SERVICE_ACCOUNTS, account -> secretsOf(objects.store(), account))),
        new TokenSecretController(objects, tokens, authorityPem));
  }

  private static boolean isTokenSecret(StoredObject secret) {
    return secret.object().text("type").equals(TOKEN);
  }

  private static Collection<ObjectKey> secretsOf(ResourceStore store, StoredObject account) {
    StorageKey key = account.key();
    return store.list(ListScope.of(SECRETS, key.cluster(), key.namespace())).items().stream()
        .filter(TokenSecretController::isTokenSecret)
        .filter(secret -> accountName(secret.object()).equals(key.name()))
        .map(secret -> secret.key().objectKey())
        .toList();
  }

  private static String accountName(KubeObject secret) {
    return secret.annotation(ACCOUNT_NAME).orElse("");
  }

  @Override
  public Next reconcile(ObjectKey key) {
    Optional<StoredObject> found =
        objects.store().get(new StorageKey(SECRETS, key.cluster(), key.namespace(), key.name()));
    if (found.isEmpty() || found.get().object().deleting() || !isTokenSecret(found.get())) {
      return new Next.OnEvent();
    }
    KubeObject secret = found.get().object();
    Optional<StoredObject> account =
        objects
            .store()
            .get(
                new StorageKey(
                    SERVICE_ACCOUNTS, key.cluster(), key.namespace(), accountName(secret)))
            .filter(named -> {
              String uid = secret.annotation(ACCOUNT_UID).orElse("");
              return uid.isEmpty() || uid.equals(named.object().uid());
            });
    WriteContext context = WriteContext.internal(key.cluster(), key.namespace(), MANAGER);
    if (account.isEmpty()) {
      objects
          .pipeline()
          .deleteOneOfMany(
              objects.definition(TYPE, key.cluster()), context, found.get(), DeleteOptions.NONE);
    } else if (!filled(secret, account.get()).equals(secret)) {
      StoredObject named = account.get();
      objects.change(TYPE, context, key.name(), current -> filled(current, named));
    }
    return new Next.OnEvent();
  }

  /** Writes down on which day the token of a Secret was used last; the token is good without. */
  public static void markUsed(PipelineClient objects, StorageKey key, String day) {
    try {
      objects.change(
          TYPE,
          WriteContext.internal(key.cluster(), key.namespace(), MANAGER),
          key.name(),
          secret -> secret.with(day, "metadata", "labels", ServiceAccountTokenValidator.LAST_USED));
    } catch (ApiFailure refused) {
      LOG.warn(
          "The Secret {}/{} in {} does not say that its token was used: {}",
          key.namespace(),
          key.name(),
          key.cluster().name(),
          refused.getMessage());
    }
  }

  private KubeObject filled(KubeObject secret, StoredObject account) {
    KubeObject filled =
        secret
            .with(account.object().uid(), "metadata", "annotations", ACCOUNT_UID)
            .with(base64(authorityPem), "data", "ca.crt");
    if (secret.text("data", "namespace").isEmpty()) {
      filled = filled.with(base64(account.key().namespace()), "data", "namespace");
    }
    return secret.text("data", "token").isEmpty()
        ? filled.with(base64(tokens.apply(account, secret.name())), "data", "token")
        : filled;
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }
}
