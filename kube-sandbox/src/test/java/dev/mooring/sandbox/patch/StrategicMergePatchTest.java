package dev.mooring.sandbox.patch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.fields.FieldSchema;
import dev.mooring.sandbox.patch.PatchFailure.Cause;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StrategicMergePatchTest {
  private static final FieldSchema SCHEMA =
      FieldSchema.root(
          Map.of(
              "properties",
              Map.of(
                  "keyed",
                      Map.of(
                          "x-kubernetes-patch-merge-key",
                          "name",
                          "x-kubernetes-patch-strategy",
                          "merge"),
                  "plain", Map.of(),
                  "words", Map.of("x-kubernetes-patch-strategy", "merge"))));
  private static final String TARGET =
      "{'keyed':[{'name':'a','v':1},{'name':'b'}],'plain':[1,2],'words':['x'],'m':{'k':1,'o':2}}";

  private static String patched(String patch) {
    Map<String, Object> result = StrategicMergePatch.apply(tree(TARGET), tree(patch), SCHEMA);
    return KubeJson.writeText(result).replace('"', '\'');
  }

  private static Map<String, Object> tree(String text) {
    return Trees.mapOrEmpty(KubeJson.read(text.replace('\'', '"')));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'keyed':[{'name':'a','w':2}]} | 'keyed':[{'name':'a','v':1,'w':2},{'name':'b'}]",
        "{'keyed':[{'name':'c'}]} | 'keyed':[{'name':'c'},{'name':'a','v':1},{'name':'b'}]",
        "{'keyed':[{'name':'a','$patch':'delete'}]} | 'keyed':[{'name':'b'}]",
        "{'keyed':[{'name':'c'},{'$patch':'replace'}]} | 'keyed':[{'name':'c'}]",
        "{'plain':[3]} | 'plain':[3]",
        "{'words':['y','x']} | 'words':['y','x']",
        "{'words':['y']} | 'words':['y','x']",
        "{'new':{'$patch':'merge','a':1}} | 'm':{'k':1,'o':2}}",
        "{'plain':{'a':null,'b':1}} | 'plain':{'b':1}",
        "{'$deleteFromPrimitiveList/words':['x'],'words':['z']} | 'words':['z']",
        "{'$setElementOrder/words':['z','x'],'words':['z']} | 'words':['z','x']",
        "{'m':{'k':null}} | 'm':{'o':2}",
        "{'m':{'$patch':'replace','n':3}} | 'm':{'n':3}",
        "{'m':{'$retainKeys':['k'],'k':5}} | 'm':{'k':5}",
      })
  void merges(String patch, String part) {
    assertThat(patched(patch)).contains(part);
  }

  @Test
  void ordersItemsAsTheClientSaysAndLeavesTheRestWhereItWas() {
    String patch = "{'$setElementOrder/keyed':[{'name':'b'}],'keyed':[{'name':'b','v':2}]}";

    assertThat(patched(patch)).contains("'keyed':[{'name':'a','v':1},{'name':'b','v':2}]");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'m':{'$retainKeys':['k'],'z':5}} | MALFORMED | invalid patch format of retainKeys",
        "{'m':{'$patch':'jump'}} | UNEXPECTED | there is no $patch \"jump\"",
        "{'keyed':[1]} | UNEXPECTED | must have one type",
        "{'$setElementOrder/keyed':'x'} | UNEXPECTED | must be a list",
      })
  void refuses(String patch, Cause cause, String message) {
    assertThatExceptionOfType(PatchFailure.class)
        .isThrownBy(() -> patched(patch))
        .returns(cause, PatchFailure::reason)
        .withMessageContaining(message);
  }

  @Test
  void refusesItemsWithoutTheirKey() {
    assertThatExceptionOfType(PatchFailure.class)
        .isThrownBy(() -> patched("{'keyed':[{'v':1}]}"))
        .withMessageContaining("does not contain the declared merge key name");
  }
}
