package dev.mooring.syncagent.published;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.json.KubeJson;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SchemaChangeTest {
  @ParameterizedTest(name = "{2}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "{'type':'string'} | {'type':'integer'} | type changed from string to integer",
        "{'type':'number'} | {'type':'integer'} | type changed from number to integer",
        "{'x-kubernetes-int-or-string':true} | {'type':'string'}"
            + " | type changed from integer or string to string",
        "{} | {'type':'string'} | type changed from anything to string",
        "{'type':'string'} | {'type':'string','enum':['a']} | enum added",
        "{'type':'string','enum':['a','b']} | {'type':'string','enum':['b']} | enum lost a",
        "{'type':'integer'} | {'type':'integer','minimum':1} | minimum 1 added",
        "{'type':'integer','minimum':1} | {'type':'integer','minimum':2}"
            + " | minimum changed from 1 to 2",
        "{'type':'integer','maximum':9} | {'type':'integer','maximum':8.5}"
            + " | maximum changed from 9 to 8.5",
        "{'type':'integer','maximum':9} | {'type':'integer','maximum':9,'exclusiveMaximum':true}"
            + " | exclusiveMaximum added",
        "{'type':'string','minLength':1} | {'type':'string','minLength':3}"
            + " | minLength changed from 1 to 3",
        "{'type':'string'} | {'type':'string','maxLength':3} | maxLength 3 added",
        "{'type':'array'} | {'type':'array','maxItems':3} | maxItems 3 added",
        "{'type':'string'} | {'type':'string','pattern':'^a'} | pattern added",
        "{'type':'string','pattern':'^a'} | {'type':'string','pattern':'^b'} | pattern changed",
        "{'type':'string'} | {'type':'string','format':'date-time'} | format added",
        "{'type':'string','nullable':true} | {'type':'string'} | null is no longer allowed",
        "{'type':'object'} | {'type':'object','x-kubernetes-validations':[{'rule':'self.a'}]}"
            + " | rule added: self.a",
        "{'type':'object'} | {'type':'object','oneOf':[{'required':['a']}]} | oneOf added",
        "{'type':'integer'} | {'type':'number','minimum':1} | minimum 1 added",
        "{'type':'integer','format':'int32'} | {'type':'number','multipleOf':2} | multipleOf added",
        "{'type':'string'} | {'x-kubernetes-int-or-string':true,'pattern':'^a'} | pattern added",
        "{'type':'string'} | {'x-kubernetes-int-or-string':true,'enum':['a']} | enum added",
        "{'type':'integer'}"
            + " | {'x-kubernetes-int-or-string':true,"
            + "'x-kubernetes-validations':[{'rule':'self.a'}]}"
            + " | rule added: self.a",
        "{'type':'array'} | {'type':'array','x-kubernetes-list-type':'set'}"
            + " | items have to be unique in another way",
        "{'type':'object','x-kubernetes-preserve-unknown-fields':true} | {'type':'object'}"
            + " | unknown fields are no longer kept",
        "{'type':'object','additionalProperties':{'type':'string'}} | {'type':'object'}"
            + " | arbitrary keys are no longer allowed",
      })
  void breaks(String before, String after, String what) {
    assertThat(changes(field(before), field(after))).containsExactly("v1: spec.f: " + what.strip());
  }

  @ParameterizedTest(name = "{0} becomes {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "{'type':'string'} | {'type':'string','description':'d'}",
        "{'type':'integer'} | {'type':'number'}",
        "{'type':'string'} | {'x-kubernetes-int-or-string':true}",
        "{'type':'string'}"
            + " | {'x-kubernetes-int-or-string':true,"
            + "'anyOf':[{'type':'integer'},{'type':'string'}]}",
        "{'type':'integer','format':'int32'} | {'type':'number','format':'double'}",
        "{'type':'integer','minimum':2} | {'type':'number','minimum':1}",
        "{'type':'string','enum':['a']} | {'type':'string','enum':['a','b']}",
        "{'type':'string','enum':['a']} | {'type':'string'}",
        "{'type':'integer','minimum':2} | {'type':'integer','minimum':1}",
        "{'type':'integer','maximum':2} | {'type':'integer','maximum':3}",
        "{'type':'string','pattern':'^a'} | {'type':'string'}",
        "{'type':'string'} | {'type':'string','nullable':true}",
        "{'type':'object','properties':{'a':{'type':'string'}}}"
            + " | {'type':'object','x-kubernetes-preserve-unknown-fields':true}",
        "{'type':'object','properties':{'a':{'type':'string'}}}"
            + " | {'type':'object','additionalProperties':{'type':'string'}}",
        "{'type':'object','x-kubernetes-validations':[{'rule':'self.a','message':'m'}]}"
            + " | {'type':'object','x-kubernetes-validations':[{'rule':'self.a','message':'n'}]}",
      })
  void breaksNothing(String before, String after) {
    assertThat(changes(field(before), field(after))).isEmpty();
  }

  @Test
  void findsRemovedAndNewlyRequiredFieldsAtEveryDepth() {
    String before =
        """
        {'type':'object','properties':{'list':{'type':'array','items':{'type':'object',
          'properties':{'a':{'type':'string'},'b':{'type':'string'},'c':{'type':'string'}}}}}}\
        """;
    String after =
        """
        {'type':'object','properties':{'list':{'type':'array','items':{'type':'object',
          'required':['b','c'],
          'properties':{'b':{'type':'string'},'c':{'type':'string','default':'x'}}}}}}\
        """;

    assertThat(changes(field(before), field(after)))
        .containsExactly(
            "v1: spec.f.list[*].a: field removed", "v1: spec.f.list[*].b: became required");
  }

  /** What was stored before the field became required has it by the default alone. */
  @Test
  void findsRequiredFieldsThatLoseTheirDefault() {
    String before =
        """
        {'type':'object','required':['a','b'],'properties':{'a':{'type':'string','default':'x'},
          'b':{'type':'string','default':'x'},'c':{'type':'string','default':'x'}}}\
        """;
    String after =
        """
        {'type':'object','required':['a','b'],'properties':{'a':{'type':'string'},
          'b':{'type':'string','default':'y'},'c':{'type':'string'}}}\
        """;

    assertThat(changes(field(before), field(after)))
        .containsExactly("v1: spec.f.a: is required and lost its default");
  }

  @Test
  void comparesKeysOfMaps() {
    assertThat(
            changes(
                field("{'type':'object','additionalProperties':{'type':'string'}}"),
                field("{'type':'object','additionalProperties':{'type':'integer'}}")))
        .containsExactly("v1: spec.f.*: type changed from string to integer");
  }

  @Test
  void noticesVersionsThatGoAndANewScopeKindOrMissingSubresource() {
    Map<String, Object> before =
        spec("Namespaced", "Thing", version("v1", true, "{}"), version("v2", true, "{}"));
    Map<String, Object> after = spec("Cluster", "Other", version("v1", false, "{}"));

    assertThat(changes(before, after))
        .containsExactly(
            "names.kind: changed from Thing to Other",
            "scope: changed from Namespaced to Cluster",
            "v1: status subresource removed",
            "v2: version is no longer served");
  }

  @Test
  void takesNewVersionsAndNewFieldsForGranted() {
    Map<String, Object> before = spec("Cluster", "Thing", version("v1", false, "{}"));
    Map<String, Object> after =
        spec(
            "Cluster",
            "Thing",
            version("v1", true, "{'properties':{'new':{'type':'string'}}}"),
            version("v2", true, "{}"));

    assertThat(changes(before, after)).isEmpty();
  }

  @Test
  void listsNoMoreThanAnybodyReads() {
    var properties = new StringBuilder();
    for (int i = 0; i < 150; i++) {
      properties.append(i == 0 ? "" : ",").append("'p").append(i).append("':{'type':'string'}");
    }

    assertThat(
            changes(
                field("{'type':'object','properties':{" + properties + "}}"),
                field("{'type':'object'}")))
        .hasSize(SchemaChange.LISTED_MAX);
  }

  private static List<String> changes(Map<String, Object> before, Map<String, Object> after) {
    return SchemaChange.breaking(before, after).stream().map(SchemaChange::toString).toList();
  }

  /** A whole schema in which {@code spec.f} is as given. */
  private static Map<String, Object> field(String schema) {
    return spec(
        "Cluster",
        "Thing",
        version(
            "v1",
            true,
            "{'type':'object','properties':{'spec':{'type':'object','properties':{'f':"
                + schema
                + "}}}}"));
  }

  private static Map<String, Object> version(String name, boolean status, String schema) {
    return Map.of(
        "name",
        name,
        "served",
        true,
        "subresources",
        status ? Map.of("status", Map.of()) : Map.of(),
        "schema",
        KubeJson.readObject(schema.replace('\'', '"')).tree());
  }

  private static Map<String, Object> spec(String scope, String kind, Object... versions) {
    return Map.of("scope", scope, "names", Map.of("kind", kind), "versions", List.of(versions));
  }
}
