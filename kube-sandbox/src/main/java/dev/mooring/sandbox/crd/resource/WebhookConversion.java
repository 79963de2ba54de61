package dev.mooring.sandbox.crd.resource;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.registry.VersionConverter;
import dev.mooring.sandbox.schema.CompiledSchema;
import dev.mooring.sandbox.webhook.WebhookCaller;

/**
 * Between versions that a webhook converts. Objects that are stored in the version that is wanted
 * are not sent to it. Keeps the last {@value #KEPT_MAX} conversions for lists and watches, as
 * memory allows. Thread-safe.
 */
final class WebhookConversion implements VersionConverter {
  private static final int KEPT_MAX = 10_000;

  private final WebhookCaller caller;
  private final ConversionWebhook webhook;
  private final Version served;
  private final Version storage;
  private final Cache<Known, KubeObject> kept =
      CacheBuilder.newBuilder().maximumSize(KEPT_MAX).softValues().build();

  /** A version with its schema. */
  record Version(String apiVersion, CompiledSchema schema) {}

  private record Known(String uid, String resourceVersion) {}

  WebhookConversion(
      WebhookCaller caller, ConversionWebhook webhook, Version served, Version storage) {
    this.caller = caller;
    this.webhook = webhook;
    this.served = served;
    this.storage = storage;
  }

  @Override
  public KubeObject toServed(KubeObject stored) {
    KubeObject read = read(stored);
    if (read.apiVersion().equals(served.apiVersion())) {
      return read;
    }
    KubeObject made = converted(read, served);
    kept.put(new Known(stored.uid(), stored.resourceVersion()), made);
    return made;
  }

  @Override
  public KubeObject toServedOnce(KubeObject stored) {
    KubeObject known = kept.getIfPresent(new Known(stored.uid(), stored.resourceVersion()));
    return known == null ? toServed(stored) : known;
  }

  @Override
  public KubeObject toStorage(KubeObject written) {
    return written.apiVersion().equals(storage.apiVersion())
        ? storage.schema().prune(written).object()
        : converted(written, storage);
  }

  /** Pruned and defaulted by the version that wrote it. */
  private KubeObject read(KubeObject stored) {
    String apiVersion = stored.apiVersion();
    CompiledSchema schema =
        apiVersion.equals(storage.apiVersion()) ? storage.schema() : served.schema();
    return apiVersion.equals(storage.apiVersion()) || apiVersion.equals(served.apiVersion())
        ? schema.applyDefaults(schema.prune(stored).object())
        : stored;
  }

  private KubeObject converted(KubeObject object, Version version) {
    return version.schema().prune(webhook.convert(caller, object, version.apiVersion())).object();
  }
}
