package dev.mooring.runtime.spring;

import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.Trees;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/** Mooring's properties in the configuration metadata on the class path. */
final class DocumentedProperties {
  private static final String METADATA = "META-INF/spring-configuration-metadata.json";

  private DocumentedProperties() {}

  /** Descriptions by name; empty if the annotation processor did not run. */
  static SortedMap<String, String> of(ClassLoader classes) {
    var properties = new TreeMap<String, String>();
    try {
      for (URL metadata : Collections.list(classes.getResources(METADATA))) {
        try (InputStream in = metadata.openStream()) {
          KubeJson.readObject(in.readAllBytes())
              .list("properties")
              .forEach(property ->
                  properties.put(
                      Trees.text(property, "name"), Trees.text(property, "description")));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("configuration metadata cannot be read", e);
    }
    properties.keySet().removeIf(name -> !name.startsWith("mooring."));
    return properties;
  }
}
