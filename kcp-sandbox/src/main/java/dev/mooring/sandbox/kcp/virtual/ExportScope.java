package dev.mooring.sandbox.kcp.virtual;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.api.request.ApiView;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.kcp.binding.decide.BindingPlanner;
import dev.mooring.sandbox.kcp.claim.decide.ClaimAdmission;
import dev.mooring.sandbox.kcp.claim.decide.ClaimSelector;
import dev.mooring.sandbox.kcp.claim.decide.PermissionClaim;
import dev.mooring.sandbox.kcp.object.KcpHashes;
import dev.mooring.sandbox.kcp.object.KcpResources;
import dev.mooring.sandbox.kcp.object.decide.KcpNames;
import dev.mooring.sandbox.security.authorization.Decision;
import dev.mooring.sandbox.security.rbac.AuthorizationAttributes;
import dev.mooring.sandbox.security.rbac.AuthorizationAttributes.Resource;
import dev.mooring.sandbox.security.user.EffectiveUsers;
import dev.mooring.sandbox.security.user.PrefixedUser;
import dev.mooring.sandbox.security.user.UserInfo;
import dev.mooring.sandbox.storage.ResourceKey;
import dev.mooring.sandbox.storage.StoredObject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The content of an export's virtual workspace, for one consumer or all: the resources that the
 * export offers, those that it claims and the consumer grants, and the consumers' APIBindings.
 */
final class ExportScope implements ApiView {
  private static final Decision DENIED = new Decision.Denied("access denied");
  private static final Decision ALLOWED = new Decision.Allowed("access granted");
  private static final Set<String> READ = Set.of("get", "list", "watch");
  private static final String WARRANT = "authorization.kcp.io/warrant";

  /** The user that a write through the virtual workspace acts for in the consumer's workspace. */
  private static final String WARRANTED_USER = "system:serviceaccount:default:rest";

  /**
   * Which view.
   *
   * @param consumer empty for all
   */
  record Address(LogicalCluster provider, String export, Optional<LogicalCluster> consumer) {}

  private final ExportScopeParts parts;
  private final Address address;
  private final ApiFailure missing;
  private final Optional<ApiDefinitions> offer;

  /**
   * @param missing the answer to users with access if there is no such export
   */
  ExportScope(
      ExportScopeParts parts, Address address, Optional<KubeObject> export, ApiFailure missing) {
    this.parts = parts;
    this.address = address;
    this.missing = missing;
    this.offer = export.map(found -> new ApiDefinitions(parts, address.provider(), found));
  }

  @Override
  public Optional<LogicalCluster> cluster() {
    return address.consumer();
  }

  /** A type that is neither offered nor claimed answers 404 in every group. */
  @Override
  public Optional<ResourceDefinition> find(ResourceType type) {
    return Optional.of(
        offer
            .flatMap(found -> found.find(type))
            .map(ApiDefinitions.Offered::definition)
            .orElseThrow(ApiFailure::pageNotFound));
  }

  @Override
  public List<ResourceDefinition> all() {
    return offer.map(ApiDefinitions::all).orElse(List.of());
  }

  @Override
  public Decision authorize(AuthorizationAttributes attributes) {
    Decision content =
        parts
            .authorizer()
            .authorize(
                new AuthorizationAttributes(
                    attributes.user(),
                    Optional.of(address.provider()),
                    attributes.verb(),
                    new Resource(
                        "apis.kcp.io", "v1alpha2", "apiexports", "content", "", address.export())));
    if (!content.allowed()) {
      return DENIED;
    }
    boolean masters = attributes.user().groups().contains(UserInfo.MASTERS);
    if (offer.isEmpty()) {
      throw masters ? ApiFailure.pageNotFound() : missing;
    }
    return switch (attributes.target()) {
      case AuthorizationAttributes.Url ignored -> ALLOWED;
      case Resource resource -> {
        var type = new ResourceType(resource.group(), resource.version(), resource.resource());
        if (address.consumer().isEmpty()) {
          Optional<ApiDefinitions.Offered> offered = offer.flatMap(found -> found.find(type));
          if (offered.isPresent() && !attributes.verb().equals("impersonate")) {
            requireWildcard(type, attributes.verb(), resource);
            requireBound(type, offered.get().definition().resourceKey().identity());
          }
        } else if (!masters && !isGranted(attributes.verb(), resource)) {
          yield DENIED;
        }
        if (!masters && !isWithinPolicies(attributes, resource)) {
          yield DENIED;
        }
        requireSameIdentity(attributes.verb(), resource);
        yield ALLOWED;
      }
    };
  }

  /** The owner of a claimed type may limit what those who claim it do. */
  private boolean isWithinPolicies(AuthorizationAttributes attributes, Resource resource) {
    Optional<String> identity =
        offer
            .flatMap(found -> found.claim(resource.group(), resource.resource()))
            .map(claim -> claim.resource().identityHash())
            .filter(hash -> !hash.isEmpty());
    if (identity.isEmpty()) {
      return true;
    }
    List<KubeObject> owners = parts.exports().withIdentity(identity.get());
    UserInfo prefixed = PrefixedUser.of(PrefixedUser.BINDING, unscoped(attributes.user()));
    return !owners.isEmpty()
        && owners.stream()
            .filter(owner -> owner.at("spec", "maximalPermissionPolicy", "local") != null)
            .allMatch(owner ->
                parts
                    .rights()
                    .authorize(
                        new AuthorizationAttributes(
                            prefixed, owner.logicalCluster(), attributes.verb(), resource))
                    .allowed());
  }

  /** A service account's scopes are for its own workspace, the policy is in another. */
  private static UserInfo unscoped(UserInfo user) {
    if (!EffectiveUsers.isServiceAccount(user)) {
      return user;
    }
    var extra = new LinkedHashMap<>(user.extra());
    extra.remove(EffectiveUsers.SCOPES);
    return new UserInfo(user.name(), user.uid(), user.groups(), extra);
  }

  /** A consumer may have bound a type of the same name from another export. */
  private void requireSameIdentity(String verb, Resource resource) {
    var type = new ResourceType(resource.group(), resource.version(), resource.resource());
    Optional<ResourceKey> offered =
        offer
            .flatMap(found -> found.find(type))
            .map(found -> found.definition().resourceKey())
            .filter(key -> !key.identity().isEmpty());
    if (address.consumer().isEmpty() || offered.isEmpty()) {
      return;
    }
    boolean served =
        Optional.ofNullable(parts.bound().in(address.consumer().get()).get(type))
            .filter(definition -> definition.resourceKey().equals(offered.get()))
            .isPresent();
    if (!served) {
      throw verb.equals("patch") ? ApiFailure.notFound(type, resource.name()) : resourceNotFound();
    }
  }

  private static void requireWildcard(ResourceType type, String verb, Resource resource) {
    if (verb.equals("patch")) {
      throw ApiFailure.notFound(type, resource.name());
    }
    requireCollection(verb);
    if (!resource.namespace().isEmpty()) {
      throw ApiFailure.of(
          400,
          "",
          "cross-cluster LIST and WATCH are required to be cross-namespace, not scoped to"
              + " namespace "
              + resource.namespace(),
          null);
    }
  }

  /** Types of exports are known where at least one workspace has bound them. */
  private void requireBound(ResourceType type, String identity) {
    boolean bound =
        identity.isEmpty()
            || parts.exports().withIdentity(identity).stream()
                .flatMap(export ->
                    parts
                        .consumers()
                        .referringTo(export.logicalCluster().orElseThrow(), export.name())
                        .stream())
                .anyMatch(binding ->
                    Optional.ofNullable(parts.bound().in(binding.cluster()).get(type))
                        .filter(found -> found.resourceKey().identity().equals(identity))
                        .isPresent());
    if (!bound) {
      throw resourceNotFound();
    }
  }

  /** All clusters at once can be listed and watched, nothing else. */
  static void requireCollection(String verb) {
    if (!verb.equals("list") && !verb.equals("watch")) {
      throw resourceNotFound();
    }
  }

  static ApiFailure resourceNotFound() {
    return ApiFailure.of(
        404,
        "NotFound",
        "the server could not find the requested resource",
        Map.of(
            "causes",
            List.of(ApiFailure.cause("UnexpectedServerResponse", "404 page not found", ""))));
  }

  /**
   * Whether the consumer has bound the type, or accepts the claim to it for the verb. Its
   * APIBindings are readable in any case.
   */
  private boolean isGranted(String verb, Resource resource) {
    List<KubeObject> bindings = bindings(address.consumer().orElseThrow());
    var type = new ResourceType(resource.group(), resource.version(), resource.resource());
    if (bindings.isEmpty()) {
      return false;
    }
    String qualified = resource.resource() + "." + resource.group();
    boolean bound =
        bindings.stream()
            .anyMatch(binding -> BindingPlanner.boundResources(binding).containsKey(qualified));
    boolean readsBinding =
        READ.contains(verb)
            && resource.group().equals(KcpResources.BINDINGS.group())
            && resource.resource().equals(KcpResources.BINDINGS.resource());
    return bound
        || readsBinding
        || offer
            .flatMap(found -> found.claim(resource.group(), resource.resource()))
            .filter(claim -> isAccepted(claim, verb, bindings))
            .isPresent();
  }

  /** As in kcp, both sides have to name the verb, or both the wildcard. */
  private static boolean isAccepted(PermissionClaim claim, String verb, List<KubeObject> bindings) {
    return bindings.stream()
        .flatMap(binding -> PermissionClaim.ofBinding(binding).stream())
        .filter(answer -> answer.accepted() && answer.resource().equals(claim.resource()))
        .anyMatch(answer ->
            answer.verbs().stream()
                .filter(claim.verbs()::contains)
                .anyMatch(both -> both.equals(verb) || both.equals("*")));
  }

  private List<KubeObject> bindings(LogicalCluster consumer) {
    String hash = KcpHashes.export(address.provider(), address.export());
    return parts.bindings().of(consumer).bindings().stream()
        .filter(binding -> hash.equals(binding.labels().get(KcpNames.BOUND_EXPORT)))
        .toList();
  }

  @Override
  public UserInfo effectiveUser(UserInfo user) {
    if (address.consumer().isEmpty()) {
      return user;
    }
    var warrant = new LinkedHashMap<String, Object>();
    warrant.put("user", WARRANTED_USER);
    warrant.put("groups", List.of("system:kcp:admin"));
    warrant.put(
        "extra",
        Map.of("authentication.kcp.io/cluster-name", List.of(address.consumer().get().name())));
    var extra = new LinkedHashMap<>(user.extra());
    extra.put(WARRANT, List.of(KubeJson.writeText(warrant)));
    return new UserInfo(user.name(), user.uid(), user.groups(), extra);
  }

  @Override
  public boolean forwards() {
    return true;
  }

  @Override
  public VerbOrder verbOrder() {
    return VerbOrder.BY_NAME;
  }

  @Override
  public boolean isVisible(ResourceDefinition definition, StoredObject object) {
    return offer
        .flatMap(found -> found.find(definition.type()))
        .map(offered -> offered.isVisible(object))
        .orElse(false);
  }

  @Override
  public KubeObject enforceClaims(ResourceDefinition definition, KubeObject wished) {
    return selector(definition)
        .map(selector -> ClaimAdmission.admitted(selector, definition.type(), wished))
        .orElse(wished);
  }

  /** A deletion, unlike other requests, distinguishes hidden objects from missing ones. */
  @Override
  public void requireRemovable(ResourceDefinition definition, StoredObject object) {
    selector(definition)
        .ifPresentOrElse(
            selector -> ClaimAdmission.requireCovered(selector, definition.type(), object.object()),
            () -> ApiView.super.requireRemovable(definition, object));
  }

  /** The selector of the consumer's grant for a claimed resource. */
  private Optional<ClaimSelector> selector(ResourceDefinition definition) {
    Optional<ApiDefinitions.Offered> offered =
        offer.flatMap(found -> found.find(definition.type()));
    return offered.isPresent()
            && offered.get() instanceof ApiDefinitions.Offered.Claimed(var _, var claim, var _)
        ? address.consumer().stream()
            .flatMap(consumer -> bindings(consumer).stream())
            .flatMap(binding -> PermissionClaim.ofBinding(binding).stream())
            .filter(answer -> answer.accepted() && answer.resource().equals(claim.resource()))
            .map(PermissionClaim::selector)
            .findFirst()
        : Optional.empty();
  }
}
