package dev.mooring.sandbox.discovery;

import java.util.LinkedHashMap;
import java.util.Map;

/** {@code /version}: which Kubernetes the sandbox imitates. */
final class VersionDocument {
  static final String MAJOR = "1";
  static final String MINOR = "36";

  private VersionDocument() {}

  static Map<String, Object> tree() {
    var version = new LinkedHashMap<String, Object>();
    version.put("major", MAJOR);
    version.put("minor", MINOR);
    version.put("emulationMajor", MAJOR);
    version.put("emulationMinor", MINOR);
    version.put("minCompatibilityMajor", MAJOR);
    version.put("minCompatibilityMinor", "35");
    version.put("gitVersion", "v" + MAJOR + "." + MINOR + ".0+kcp-sandbox");
    version.put("gitCommit", "kcp-sandbox");
    version.put("gitTreeState", "");
    version.put("buildDate", "1970-01-01T00:00:00Z");
    version.put("goVersion", "java" + Runtime.version().feature());
    version.put("compiler", "javac");
    version.put("platform", "linux/amd64");
    return version;
  }
}
