package dev.mooring.languages.template.function;

import dev.mooring.languages.InvalidTemplate;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** All functions that templates can call. */
public final class TemplateFunctions {
  private static final Map<String, TemplateFunction> ALL = all();

  private static final Set<String> NOT_REPEATABLE =
      Set.of(
          """
          now ago uuidv4 randAlphaNum randAlpha randAscii randNumeric randInt randBytes shuffle \
          bcrypt htpasswd encryptAES genPrivateKey genCA genCAWithKey genSelfSignedCert \
          genSelfSignedCertWithKey genSignedCert genSignedCertWithKey env expandenv getHostByName\
          """
              .split(" "));

  private static final Map<String, String> LEFT_OUT =
      Map.of(
          "derivePassword", "it takes 32 MiB and a tenth of a second each time",
          "buildCustomCert", "a name or a field is no place for a private key",
          "call", "no field of an object is a function");

  private TemplateFunctions() {}

  /** Throws what {@code invalid} makes of the reason why there is no such function. */
  public static TemplateFunction named(String name, Function<String, InvalidTemplate> invalid) {
    TemplateFunction function = ALL.get(name);
    if (function != null) {
      return function;
    }
    String reason =
        NOT_REPEATABLE.contains(name)
            ? "it does not give the same result every time"
            : LEFT_OUT.get(name);
    String problem = reason == null ? "defined" : "supported, because " + reason;
    throw invalid.apply("function \"" + name + "\" is not " + problem);
  }

  private static Map<String, TemplateFunction> all() {
    var table = new FunctionTable();
    BasicFunctions.register(table);
    TextFunctions.register(table);
    WordFunctions.register(table);
    UrlFunctions.register(table);
    NumberFunctions.register(table);
    ListFunctions.register(table);
    DictFunctions.register(table);
    EncodingFunctions.register(table);
    RegexFunctions.register(table);
    DateFunctions.register(table);
    return table.toMap();
  }
}
