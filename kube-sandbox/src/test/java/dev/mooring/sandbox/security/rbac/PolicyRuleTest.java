package dev.mooring.sandbox.security.rbac;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.json.KubeJson;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PolicyRuleTest {
  // '|' ends the rule; then the request: verb group/resource[/subresource] name
  @ParameterizedTest(name = "{0} allows {1} on {2} named {3}: {4}")
  @CsvSource(
      delimiter = ';',
      value = {
        "{'verbs':['get'],'apiGroups':[''],'resources':['secrets']};           get;    /secrets;        a; true",
        "{'verbs':['get'],'apiGroups':[''],'resources':['secrets']};           list;   /secrets;        a; false",
        "{'verbs':['get'],'apiGroups':['x'],'resources':['secrets']};          get;    /secrets;        a; false",
        "{'verbs':['*'],'apiGroups':['*'],'resources':['*']};                  delete; x.io/things/log; a; true",
        "{'verbs':['get'],'apiGroups':['*'],'resources':['things']};           get;    x.io/things/log; a; false",
        "{'verbs':['get'],'apiGroups':['*'],'resources':['things/log']};       get;    x.io/things/log; a; true",
        "{'verbs':['get'],'apiGroups':['*'],'resources':['*/log']};            get;    x.io/things/log; a; true",
        "{'verbs':['get'],'apiGroups':['*'],'resources':['*/log']};            get;    x.io/things;     a; false",
        "{'verbs':['get'],'apiGroups':['*'],'resources':['things'],'resourceNames':['a']}; get; x.io/things; a; true",
        "{'verbs':['get'],'apiGroups':['*'],'resources':['things'],'resourceNames':['a']}; get; x.io/things; b; false",
        "{'verbs':['get'],'nonResourceURLs':['*']};                            get;    x.io/things;     a; false",
      })
  void matchesResources(String rule, String verb, String resource, String name, boolean allowed) {
    String[] parts = resource.split("/");
    var target =
        new AuthorizationAttributes.Resource(
            parts[0], "v1", parts[1], parts.length > 2 ? parts[2] : "", "default", name);

    assertThat(rule(rule).allows(verb, target)).isEqualTo(allowed);
  }

  @ParameterizedTest(name = "{0} allows get of {1}: {2}")
  @CsvSource({
    "/api,/api,true",
    "/api,/apis,false",
    "/apis/*,/apis/a.io/v1,true",
    "*,/x,true",
    "/,/x,false"
  })
  void matchesUrls(String pattern, String path, boolean allowed) {
    PolicyRule rule = rule("{'verbs':['get'],'nonResourceURLs':['" + pattern + "']}");

    assertThat(rule.allows("get", new AuthorizationAttributes.Url(path))).isEqualTo(allowed);
  }

  @Test
  void compactTextIsThatOfKubernetes() {
    PolicyRule rule =
        rule(
            "{'verbs':['get','list'],'apiGroups':[''],'resources':['secrets'],'resourceNames':['a']}");

    assertThat(rule.compact())
        .isEqualTo(
            "{APIGroups:[\"\"], Resources:[\"secrets\"], ResourceNames:[\"a\"], Verbs:[\"get\" \"list\"]}");
  }

  private static PolicyRule rule(String json) {
    return PolicyRule.of(KubeJson.read(json.trim().replace('\'', '"')));
  }
}
