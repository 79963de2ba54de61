package dev.mooring.sandbox.security.oidc;

import com.google.common.collect.Maps;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.StructTypeReference;
import dev.cel.common.values.NullValue;
import dev.mooring.sandbox.cel.CelEnvironment;
import dev.mooring.sandbox.cel.CelNames;
import dev.mooring.sandbox.cel.StructTypes;
import dev.mooring.sandbox.security.user.UserInfo;
import java.util.AbstractMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What expressions about tokens may use: {@code claims}, or {@code user}. */
final class JwtExpressions {
  static final String CLAIMS_VARIABLE = "claims";
  private static final String USER_VARIABLE = "user";
  private static final String USER_TYPE = "kubernetes.UserInfo";

  static final CelEnvironment CLAIMS =
      new CelEnvironment(
          Map.of(CLAIMS_VARIABLE, MapType.create(SimpleType.STRING, SimpleType.DYN)),
          new StructTypes(Map.of()));
  static final CelEnvironment USER =
      new CelEnvironment(
          Map.of(USER_VARIABLE, StructTypeReference.create(USER_TYPE)),
          new StructTypes(Map.of(USER_TYPE, StructTypes.USER_INFO)));

  private JwtExpressions() {}

  static Map<String, ?> of(Map<String, Object> claims) {
    return Map.of(CLAIMS_VARIABLE, value(claims));
  }

  /** As Go reads JSON: all numbers are doubles. */
  static Map<String, ?> of(UserInfo user) {
    var tree = new LinkedHashMap<String, Object>();
    tree.put("username", user.name());
    tree.put("uid", user.uid());
    tree.put("groups", user.groups());
    tree.put("extra", new Unescaping(Map.copyOf(user.extra())));
    return Map.of(USER_VARIABLE, tree);
  }

  private static Object value(@Nullable Object json) {
    return switch (json) {
      case null -> NullValue.NULL_VALUE;
      case Long number -> number.doubleValue();
      case List<?> list -> list.stream().map(JwtExpressions::value).toList();
      case Map<?, ?> map -> {
        var values = new LinkedHashMap<Object, Object>();
        map.forEach((key, item) -> values.put(key, value(item)));
        yield new Unescaping(values);
      }
      default -> json;
    };
  }

  /** Finds {@code kubernetes.io} as {@code kubernetes__dot__io} as well. */
  private static final class Unescaping extends AbstractMap<Object, Object> {
    private final Map<Object, Object> map;

    Unescaping(Map<?, ?> map) {
      this.map = Maps.newLinkedHashMap(map);
    }

    @Override
    public Set<Entry<Object, Object>> entrySet() {
      return map.entrySet();
    }

    @Override
    public boolean containsKey(Object key) {
      return map.containsKey(unescaped(key));
    }

    @Override
    public @Nullable Object get(Object key) {
      return map.get(unescaped(key));
    }

    private static Object unescaped(Object key) {
      return key instanceof String name ? CelNames.unescaped(name) : key;
    }
  }
}
