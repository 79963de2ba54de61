package dev.mooring.model.object;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.json.KubeJson;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MergePatchTest {
  @ParameterizedTest(name = "{0} patched with {1} is {2}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'a':'b'}               | {'a':'c'}                 | {'a':'c'}",
        "{'a':'b'}               | {'b':'c'}                 | {'a':'b','b':'c'}",
        "{'a':'b'}               | {'a':null}                | {}",
        "{'a':'b','b':'c'}       | {'a':null}                | {'b':'c'}",
        "{'a':['b']}             | {'a':'c'}                 | {'a':'c'}",
        "{'a':'c'}               | {'a':['b']}               | {'a':['b']}",
        "{'a':{'b':'c'}}         | {'a':{'b':'d','c':null}}  | {'a':{'b':'d'}}",
        "{'a':[{'b':'c'}]}       | {'a':[1]}                 | {'a':[1]}",
        "{'e':null}              | {'a':1}                   | {'e':null,'a':1}",
        "{}                      | {'a':{'bb':{'ccc':null}}} | {'a':{'bb':{}}}",
      })
  void appliesAsTheRfcHasIt(String target, String patch, String expected) {
    KubeObject patched = MergePatch.apply(json(target), json(patch).tree());

    assertThat(patched).isEqualTo(json(expected));
  }

  @ParameterizedTest(name = "from {0} to {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'a':1}               | {'a':1}                   | {}",
        "{'a':1}               | {}                        | {'a':null}",
        "{'a':{'b':1,'c':2}}   | {'a':{'b':1,'c':3}}       | {'a':{'c':3}}",
        "{'a':[1,2]}           | {'a':[1,3]}               | {'a':[1,3]}",
        "{'a':{'b':1}}         | {'a':'text','d':true}     | {'a':'text','d':true}",
      })
  void diffIsTheSmallestPatch(String from, String to, String expected) {
    var patch = MergePatch.diff(json(from).tree(), json(to).tree());

    assertThat(patch).isEqualTo(json(expected).tree());
    assertThat(MergePatch.apply(json(from), patch)).isEqualTo(json(to));
  }

  private static KubeObject json(String text) {
    return KubeJson.readObject(text.replace('\'', '"'));
  }
}
