package dev.mooring.runtime.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import java.net.URI;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ObjectCacheTest {
  private static final ResourceType THINGS = new ResourceType("example.io", "v1", "things");

  private final ObjectCache cache = cache("https://cluster");

  @ParameterizedTest
  @ValueSource(strings = {"https://cluster", "https://kcp/clusters/root:service"})
  void findsByNamespaceAndNameWithoutTheCluster(String server) {
    ObjectCache ofServer = cache(server);
    assertThat(ofServer.find("a", "one")).isEmpty();
    assertThat(ofServer.inNamespace("a")).isEmpty();
    KubeObject second = put(ofServer, thing("a", "two", "red"));
    KubeObject first = put(ofServer, thing("a", "one", "red"));
    KubeObject other = put(ofServer, thing("ab", "one", "red"));
    KubeObject clusterScoped = put(ofServer, thing("", "one", "red"));

    assertThat(ofServer.find("a", "one")).containsSame(first);
    assertThat(ofServer.find("", "one")).containsSame(clusterScoped);
    assertThat(ofServer.find("a", "three")).isEmpty();
    assertThat(ofServer.inNamespace("a")).containsExactly(first, second);
    assertThat(ofServer.inNamespace("ab")).containsExactly(other);
    assertThat(ofServer.inNamespace("")).containsExactly(clusterScoped);
  }

  @Test
  void findsNoneOneOrSeveralByAnIndex() {
    assertThat(cache.indexed("colour", "red")).isEmpty();

    KubeObject second = put(cache, thing("a", "two", "red"));
    assertThat(cache.indexed("colour", "red")).containsExactly(second);

    KubeObject third = put(cache, thing("a", "three", "red"));
    KubeObject first = put(cache, thing("a", "one", "red"));
    assertThat(cache.indexed("colour", "red")).containsExactly(first, third, second);

    put(cache, thing("a", "one", "blue"));
    cache.remove(cache.key(second));
    assertThat(cache.indexed("colour", "red")).containsExactly(third);

    cache.remove(cache.key(third));
    assertThat(cache.indexed("colour", "red")).isEmpty();
  }

  private static ObjectCache cache(String server) {
    return new ObjectCache(
        URI.create(server), Map.of("colour", object -> List.of(object.text("spec", "colour"))));
  }

  private static KubeObject put(ObjectCache cache, KubeObject object) {
    cache.put(cache.key(object), object);
    return object;
  }

  private static KubeObject thing(String namespace, String name, String colour) {
    return KubeObject.of(THINGS, "Thing", namespace, name)
        .with("c1", "metadata", "annotations", LogicalCluster.ANNOTATION)
        .with(colour, "spec", "colour");
  }
}
