package dev.mooring.images;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarFile;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The CycloneDX document of an image: that of the program's jar, the C library and the JVM. */
final class BillOfMaterials {
  private static final String OF_JAR = "META-INF/sbom/application.cdx.json";
  private static final ObjectMapper JSON = JsonMapper.builder().build();

  private BillOfMaterials() {}

  static void write(Program program, Path project, List<SystemFiles.Package> packages, Path target)
      throws IOException {
    ObjectNode document = ofJar(program.jar(project));
    ArrayNode components = document.withArray("components");
    for (SystemFiles.Package found : packages) {
      String reference =
          "pkg:deb/%s@%s?arch=%s".formatted(found.name(), found.version(), found.architecture());
      component(components, "library", found.name(), found.version()).put("purl", reference);
    }
    component(components, "platform", "OpenJDK", System.getProperty("java.runtime.version"))
        .put("publisher", System.getProperty("java.vendor"));
    JSON.writerWithDefaultPrettyPrinter().writeValue(target, document);
  }

  private static ObjectNode component(
      ArrayNode components, String type, String name, String version) {
    return components
        .addObject()
        .put("type", type)
        .put("bom-ref", name + "@" + version)
        .put("name", name)
        .put("version", version);
  }

  private static ObjectNode ofJar(Path jar) throws IOException {
    try (var file = new JarFile(jar.toFile())) {
      var entry = file.getJarEntry(OF_JAR);
      if (entry == null) {
        throw new ImageFailure("%s has no %s: build it again.".formatted(jar, OF_JAR));
      }
      try (InputStream content = file.getInputStream(entry)) {
        return (ObjectNode) JSON.readTree(content);
      }
    }
  }
}
