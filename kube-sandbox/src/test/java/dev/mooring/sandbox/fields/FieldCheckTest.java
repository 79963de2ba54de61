package dev.mooring.sandbox.fields;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.Trees;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FieldCheckTest {
  private static final FieldSchema SCHEMA =
      FieldSchema.root(
          Trees.mapOrEmpty(
              KubeJson.read(
                  """
                  {"type": "object", "properties": {
                    "text": {"type": "string"}, "flag": {"type": "boolean"},
                    "number": {"type": "integer"}, "either": {"x-kubernetes-int-or-string": true},
                    "open": {"type": "object", "x-kubernetes-preserve-unknown-fields": true},
                    "texts": {"type": "object", "additionalProperties": {"type": "string"}},
                    "set": {"type": "array", "items": {"type": "string"},
                            "x-kubernetes-list-type": "set"},
                    "parts": {"type": "array", "x-kubernetes-list-type": "map",
                              "x-kubernetes-list-map-keys": ["name"],
                              "items": {"type": "object", "properties": {
                                "name": {"type": "string"}, "size": {"type": "integer"}}}}}}
                  """)));

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'text':null,'open':{'any':[1]},'either':5,'metadata':{'labels':{'a':'b'}}} | ``",
        "{'bogus':1} | .bogus: field not declared in schema",
        "{'metadata':{'bogus':1}} | .metadata.bogus: field not declared in schema",
        "{'text':1} | .text: expected a string",
        "{'flag':'x'} | .flag: expected a boolean",
        "{'number':'x'} | .number: expected a number",
        "{'texts':['x']} | .texts: expected a map",
        "{'set':{'a':'b'}} | .set: expected a list",
        "{'set':['a','a']} | `.set: duplicate entries for key [='a']`",
        "{'parts':[{'name':'a','size':'x'}]} | `.parts[name='a'].size: expected a number`",
        "{'text':1,'flag':1} | `errors:\n"
            + "  .text: expected a string\n"
            + "  .flag: expected a boolean`",
      })
  void saysWhatDoesNotFit(String applied, String errors) {
    var tree = Trees.mapOrEmpty(KubeJson.read(applied.replace('\'', '"')));

    assertThat(FieldCheck.errors(tree, SCHEMA)).isEqualTo(errors.replace('\'', '"'));
  }
}
