package dev.mooring.model.published.template;

import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** All functions that templates can call. */
final class TemplateFunctions {
  private static final Map<String, TemplateFunction> ALL = all();

  private static final Set<String> NOT_REPEATABLE =
      Set.of(
          "now",
          "ago",
          "uuidv4",
          "randAlphaNum",
          "randAlpha",
          "randAscii",
          "randNumeric",
          "randInt",
          "randBytes",
          "shuffle",
          "bcrypt",
          "htpasswd",
          "encryptAES",
          "genPrivateKey",
          "genCA",
          "genCAWithKey",
          "genSelfSignedCert",
          "genSelfSignedCertWithKey",
          "genSignedCert",
          "genSignedCertWithKey",
          "env",
          "expandenv",
          "getHostByName");

  private static final Set<String> LEFT_OUT =
      Set.of(
          "derivePassword",
          "buildCustomCert",
          "decryptAES",
          "call",
          "wrap",
          "wrapWith",
          "snakecase",
          "kebabcase",
          "abbrevboth",
          "semver",
          "semverCompare",
          "urlParse",
          "urlJoin",
          "durationRound");

  private TemplateFunctions() {}

  /** Throws what {@code invalid} makes of the reason why there is no such function. */
  static TemplateFunction named(String name, Function<String, InvalidTemplate> invalid) {
    TemplateFunction function = ALL.get(name);
    if (function != null) {
      return function;
    }
    if (NOT_REPEATABLE.contains(name)) {
      throw invalid.apply(
          "function \""
              + name
              + "\" is not supported, because it does not give the same result every time");
    }
    if (LEFT_OUT.contains(name)) {
      throw invalid.apply("function \"" + name + "\" is not supported");
    }
    throw invalid.apply("function \"" + name + "\" is not defined");
  }

  private static Map<String, TemplateFunction> all() {
    var table = new FunctionTable();
    BasicFunctions.register(table);
    TextFunctions.register(table);
    WordFunctions.register(table);
    NumberFunctions.register(table);
    ListFunctions.register(table);
    DictFunctions.register(table);
    EncodingFunctions.register(table);
    RegexFunctions.register(table);
    PathFunctions.register(table);
    DateFunctions.register(table);
    return table.toMap();
  }
}
