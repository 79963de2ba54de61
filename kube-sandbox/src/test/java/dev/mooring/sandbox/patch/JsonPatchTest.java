package dev.mooring.sandbox.patch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.mooring.model.json.KubeJson;
import dev.mooring.sandbox.patch.PatchFailure.Cause;
import java.util.Collections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonPatchTest {
  private static final Object DOCUMENT =
      KubeJson.read("{'a':{'b':1},'l':[1,2]}".replace('\'', '"'));

  private static String patched(String operations) {
    Object patch = KubeJson.read(operations.replace('\'', '"'));
    return KubeJson.writeText(JsonPatch.apply(DOCUMENT, patch)).replace('"', '\'');
  }

  @Test
  void refusesCopiesThatDoubleWithoutEnd() {
    String doubling = "{'op':'copy','from':'/l','path':'/l/-'}";
    String patch = "[" + String.join(",", Collections.nCopies(60, doubling)) + "]";

    assertThatExceptionOfType(PatchFailure.class)
        .isThrownBy(() -> patched(patch))
        .returns(Cause.UNFIT, PatchFailure::reason)
        .withMessageContaining("exceed the limit of 3145728 bytes");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "[{'op':'add','path':'/a/c','value':2}] | {'a':{'b':1,'c':2},'l':[1,2]}",
        "[{'op':'add','path':'/l/1','value':9}] | {'a':{'b':1},'l':[1,9,2]}",
        "[{'op':'add','path':'/l/-','value':9}] | {'a':{'b':1},'l':[1,2,9]}",
        "[{'op':'remove','path':'/l/0'}] | {'a':{'b':1},'l':[2]}",
        "[{'op':'replace','path':'/a','value':null}] | {'a':null,'l':[1,2]}",
        "[{'op':'move','from':'/a/b','path':'/m'}] | {'a':{},'l':[1,2],'m':1}",
        "[{'op':'copy','from':'/l','path':'/m'}] | {'a':{'b':1},'l':[1,2],'m':[1,2]}",
        "[{'op':'add','path':'/x~1y~0z','value':0}] | {'a':{'b':1},'l':[1,2],'x/y~z':0}",
        "[{'op':'test','path':'/l','value':[1,2]}] | {'a':{'b':1},'l':[1,2]}",
        "[{'op':'test','path':'/none','value':null}] | {'a':{'b':1},'l':[1,2]}",
        "[{'op':'test','path':'/none'}] | {'a':{'b':1},'l':[1,2]}",
        "[{'op':'replace','path':'/none','value':1}] | {'a':{'b':1},'l':[1,2],'none':1}",
        "[{'op':'add','path':'/a/c'}] | {'a':{'b':1,'c':null},'l':[1,2]}",
        "[{'op':'add','path':'a/c','value':1}] | {'a':{'b':1},'l':[1,2],'c':1}",
        "[{'op':'copy','from':'/none','path':'/m'}] | {'a':{'b':1},'l':[1,2],'m':null}",
        "[{'op':'add','path':'/l/-1','value':9}] | {'a':{'b':1},'l':[1,2,9]}",
        "[{'op':'remove','path':'/l/-2'}] | {'a':{'b':1},'l':[2]}",
        "[{'op':'replace','path':'','value':{'z':1}}] | {'z':1}",
        "null | {'a':{'b':1},'l':[1,2]}",
      })
  void applies(String operations, String result) {
    assertThat(patched(operations)).isEqualTo(result);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "[{'op':'remove','path':'/none'}] | UNFIT",
        "[{'op':'add','path':'/x/y','value':1}] | UNFIT",
        "[{'op':'add','path':'/l/3','value':1}] | UNFIT",
        "[{'op':'remove','path':'/l/x'}] | UNFIT",
        "[{'op':'test','path':'/a/b','value':2}] | TEST_FAILED",
        "[{'op':'add','path':'/l/-4','value':1}] | UNFIT",
        "[{'op':'add','path':'','value':{}}] | UNFIT",
        "[{'op':'replace','path':'','value':1}] | UNFIT",
        "[{'op':'jump','path':'/a'}] | UNFIT",
        "[{'op':'add','path':'a','value':1}] | UNFIT",
        "[null] | UNFIT",
        "[1] | MALFORMED",
        "[{'op':'add','path':5}] | MALFORMED",
        "{'op':'add'} | MALFORMED",
      })
  void refuses(String operations, Cause cause) {
    assertThatExceptionOfType(PatchFailure.class)
        .isThrownBy(() -> patched(operations))
        .returns(cause, PatchFailure::reason);
  }

  @Test
  void leavesTheDocumentAlone() {
    patched("[{'op':'remove','path':'/a/b'}]");

    assertThat(KubeJson.writeText(DOCUMENT)).isEqualTo("{\"a\":{\"b\":1},\"l\":[1,2]}");
  }
}
