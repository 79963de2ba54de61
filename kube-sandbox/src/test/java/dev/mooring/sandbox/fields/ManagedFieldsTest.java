package dev.mooring.sandbox.fields;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.fields.ManagedFields.Writer;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ManagedFieldsTest {
  private static final FieldSchema SCHEMA =
      FieldSchema.root(
          Map.of(
              "properties",
              Map.of(
                  "spec", Map.of(FieldSchema.ALWAYS_PRESENT, true),
                  "parts",
                      Map.of(
                          "x-kubernetes-list-type",
                          "map",
                          "x-kubernetes-list-map-keys",
                          java.util.List.of("name")))));

  private static Writer writer(String name, int second) {
    return new Writer(name, "v1", "", "2026-01-01T00:00:0" + second + "Z", java.util.List.of());
  }

  private static KubeObject object(String text) {
    return KubeJson.readObject(text.replace('\'', '"'));
  }

  private static KubeObject written(KubeObject before, String after, Writer writer) {
    KubeObject updated = object(after);
    Object entries = before.at("metadata", "managedFields");
    if (entries != null) {
      updated = updated.with(entries, "metadata", "managedFields");
    }
    return ManagedFields.afterUpdate(before.tree(), updated, null, SCHEMA, writer);
  }

  private static String fields(KubeObject object, int entry) {
    Object fields = Trees.at(object.list("metadata", "managedFields").get(entry), "fieldsV1");
    return KubeJson.writeText(fields).replace('"', '\'');
  }

  private static final KubeObject NOTHING = KubeObject.of(Map.of());

  @Test
  void ownsWhatACreateSet() {
    KubeObject made =
        written(
            NOTHING,
            "{'kind':'X','metadata':{'name':'a','uid':'u','labels':{'l':'m'}},'data':{'k':'v'},"
                + "'spec':{'n':1}}",
            writer("me", 1));

    assertThat(fields(made, 0))
        .isEqualTo(
            "{'f:data':{'.':{},'f:k':{}},'f:metadata':{'f:labels':{'.':{},'f:l':{}}},"
                + "'f:spec':{'f:n':{}}}");
  }

  @Test
  void movesAFieldToWhoChangesIt() {
    KubeObject made = written(NOTHING, "{'data':{'k':'v','l':'w'}}", writer("one", 1));
    KubeObject changed = written(made, "{'data':{'k':'x','l':'w'}}", writer("two", 2));

    assertThat(fields(changed, 0)).isEqualTo("{'f:data':{'.':{},'f:l':{}}}");
    assertThat(fields(changed, 1)).isEqualTo("{'f:data':{'f:k':{}}}");
  }

  @Test
  void keepsTheTimeOfAManagerThatChangesNothing() {
    KubeObject made = written(NOTHING, "{'data':{'k':'v'}}", writer("one", 1));
    KubeObject same = written(made, "{'data':{'k':'v'}}", writer("one", 5));

    assertThat(same).isEqualTo(made);
  }

  private static Object time(KubeObject object, int entry) {
    return Trees.at(object.list("metadata", "managedFields").get(entry), "time");
  }

  @Test
  void notesTheTimeOfAManagerThatChangesItsOwnFieldAgain() {
    KubeObject made = written(NOTHING, "{'data':{'k':'v'}}", writer("one", 1));
    KubeObject changed = written(made, "{'data':{'k':'x'}}", writer("one", 5));

    assertThat(fields(changed, 0)).isEqualTo("{'f:data':{'.':{},'f:k':{}}}");
    assertThat(time(changed, 0)).isEqualTo("2026-01-01T00:00:05Z");
  }

  @Test
  void keepsTheTimeOfAManagerThatOnlyRemoves() {
    KubeObject made = written(NOTHING, "{'data':{'k':'v','l':'w'}}", writer("one", 1));
    KubeObject changed = written(made, "{'data':{'l':'w'}}", writer("one", 5));

    assertThat(fields(changed, 0)).isEqualTo("{'f:data':{'.':{},'f:l':{}}}");
    assertThat(time(changed, 0)).isEqualTo("2026-01-01T00:00:01Z");
  }

  @Test
  void forgetsWhatIsGone() {
    KubeObject made = written(NOTHING, "{'data':{'k':'v','l':'w'}}", writer("one", 1));
    KubeObject changed = written(made, "{'data':{'l':'w'}}", writer("two", 2));

    assertThat(changed.list("metadata", "managedFields")).hasSize(1);
    assertThat(fields(changed, 0)).isEqualTo("{'f:data':{'.':{},'f:l':{}}}");
  }

  @Test
  void tellsListItemsApartByTheirKeys() {
    KubeObject made = written(NOTHING, "{'parts':[{'name':'a','q':1}]}", writer("one", 1));
    KubeObject more =
        written(made, "{'parts':[{'name':'b'},{'name':'a','q':1}]}", writer("two", 2));

    assertThat(fields(more, 1))
        .isEqualTo("{'f:parts':{'k:{\\'name\\':\\'b\\'}':{'.':{},'f:name':{}}}}");
  }

  @Test
  void mergesTheOldestOfTooManyManagers() {
    KubeObject object = NOTHING;
    for (int i = 0; i < 12; i++) {
      var data = new StringBuilder();
      for (int j = 0; j <= i; j++) {
        data.append(j == 0 ? "" : ",").append("'k" + j + "':'v'");
      }
      object = written(object, "{'data':{" + data + "}}", writer("m" + i, i % 10));
    }

    assertThat(object.list("metadata", "managedFields"))
        .hasSize(10)
        .anyMatch(entry -> "ancient-changes".equals(Trees.at(entry, "manager")));
  }

  @Test
  void survivesTheWayThroughJson() {
    String text =
        "{'.':{},'f:a':{'.':{},'k:{\\\"n\\\":1}':{}},'v:\\\"x\\\"':{}}".replace('\'', '"');

    FieldSet set = FieldSet.of(KubeJson.read(text));

    assertThat(KubeJson.writeText(set.toTree())).isEqualTo(text);
  }
}
