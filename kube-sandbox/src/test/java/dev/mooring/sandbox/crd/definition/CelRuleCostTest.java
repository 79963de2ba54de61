package dev.mooring.sandbox.crd.definition;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.validation.FieldError;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** By which factor each rule exceeded the budget on a kcp 0.32.3. */
class CelRuleCostTest {
  private static final String PROPERTIES =
      """
      {"s": {"type": "string", "maxLength": 1000}, "t": {"type": "string", "maxLength": 2000},
       "u": {"type": "string"}, "e": {"type": "string", "enum": ["a", "bcd"]},
       "n": {"type": "integer"},
       "l": {"type": "array", "maxItems": 1000, "items": {"type": "string", "maxLength": 100}},
       "m": {"type": "object", "maxProperties": 500,
             "additionalProperties": {"type": "string", "maxLength": 50}},
       "ul": {"type": "array", "items": {"type": "integer"}},
       "o": {"type": "array", "maxItems": 300, "items": {"type": "object", "required": ["a"],
             "properties": {"a": {"type": "string", "maxLength": 20}, "b": {"type": "integer"}}}},
       "d": {"type": "string", "format": "duration"}, "p": {"x-kubernetes-int-or-string": true}}
      """;

  @TestFactory
  Stream<DynamicTest> exceedsTheBudget() {
    return """
    8.7x: self.l.all(x, self.l.all(y, x != y || x == y))
    more than 100x: self.l.all(x, self.l.all(y, x.contains(y)))
    4.9x: self.l.all(x, self.l.exists(y, y.startsWith(x) && self.n > 1))
    fits: self.m.all(k, self.m.all(j, self.m[k] == self.m[j] && k != j))
    fits: self.u.matches('^[a-z]+$')
    fits: self.ul.all(i, i > 0)
    fits: self.o.all(x, self.o.exists_one(y, x.a == y.a && x.b == y.b))
    more than 100x: self.o.map(x, x.a).join(',').size() > 3
    4.1x: self.l.isSorted() && self.l.all(x, self.l.indexOf(x) >= 0)
    fits: self.l.filter(x, x.size() > 3).map(x, x + self.s).all(x, x.find('a+b') != '')
    1.321205x: self.u.split(',').all(x, x == 'a')
    fits: self.u.replace('a', 'bbbb').size() > 10
    fits: self.l.all(x, isIP(x) && ip(x).family() == 4 && cidr(self.s).containsIP(x))
    fits: self.l.all(x, format.dns1123Label().validate(x).hasValue() && self.l.all(z, z == 'a'))
    12.9x: self.l.all(x, self.l.all(y, size(x + y) > 3 ? true : x < y))
    fits: self.ul.sum() > 3 && sets.contains(self.ul, [1, 2])
    fits: self.l.all(x, url(x).getHost() == 'a' && self.s in self.l)
    4.7x: self.p == 1 || self.p.size() > 2 || self.l.all(x, self.l.all(y, dyn(x) == self.p))
    4.8x: self.l.all(i, v, self.l.all(j, w, i == j || v == w))
    more than 100x: self.l.all(x, self.l.all(y, '%s-%s'.format([x, y]).upperAscii() == x.trim()))
    more than 100x: has(self.u) && self.u.lowerAscii().contains(self.u)
    fits: self.l.distinct().size() == 1 && self.l.sort() == self.l && self.l.reverse() == self.l
    more than 100x: self.ul.all(x, self.ul.exists(y, y == x))
    fits: self.m.exists(k, self.u.startsWith(k))
    """
        .lines()
        .map(line -> line.split(": ", 2))
        .map(pair ->
            DynamicTest.dynamicTest(pair[1], () -> assertThat(factor(pair[1])).isEqualTo(pair[0])));
  }

  private static String factor(String rule) {
    Map<String, Object> schema =
        Map.of(
            "type",
            "object",
            "properties",
            Map.of(
                "spec",
                Map.of(
                    "type",
                    "object",
                    "properties",
                    Trees.mapOrEmpty(KubeJson.read(PROPERTIES)),
                    "x-kubernetes-validations",
                    List.of(Map.of("rule", rule)))));
    return CelRuleValidator.problems("", schema).stream()
        .map(FieldError::message)
        .findFirst()
        .map(message -> message.replaceAll(".*by factor of (.*) \\(try.*", "$1"))
        .orElse("fits");
  }
}
