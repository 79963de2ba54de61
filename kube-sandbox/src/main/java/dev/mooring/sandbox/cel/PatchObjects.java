package dev.mooring.sandbox.cel;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelMutableAst;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr.ExprKind;
import dev.cel.common.ast.CelMutableExpr;
import dev.cel.common.ast.CelMutableExpr.CelMutableCall;
import dev.cel.common.ast.CelMutableExpr.CelMutableMap;
import dev.cel.common.ast.CelMutableExpr.CelMutableStruct;
import dev.cel.common.navigation.CelNavigableMutableAst;
import dev.cel.common.navigation.CelNavigableMutableExpr;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypeProvider;
import dev.cel.common.types.SimpleType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The structs of expressions that make patches: {@code Object{}} and {@code Object.path{}} with any
 * fields, and {@code JSONPatch{}}. Their values are maps that know the name of their type
 * (apiserver {@code pkg/cel/mutation}).
 */
public final class PatchObjects {
  /** The key under which a value holds the name of its type; no field can be called so. */
  public static final String TYPE = "@type";

  public static final String OBJECT = "Object";
  public static final String JSON_PATCH = "JSONPatch";

  private static final Pattern OBJECT_TYPE = Pattern.compile("Object(\\.[_a-zA-Z][_a-zA-Z0-9]*)*");
  private static final Map<String, CelType> JSON_PATCH_FIELDS =
      Map.of(
          "op", SimpleType.STRING,
          "path", SimpleType.STRING,
          "from", SimpleType.STRING,
          "value", SimpleType.DYN);

  private PatchObjects() {}

  /** These types, and the structs that the expression makes. */
  static CelTypeProvider types(CelTypeProvider others, CelAbstractSyntaxTree parsed) {
    var fields = new HashMap<String, Map<String, CelType>>();
    fields.put(OBJECT, new HashMap<>());
    fields.put(JSON_PATCH, JSON_PATCH_FIELDS);
    for (CelNavigableMutableExpr node : structs(CelMutableAst.fromCelAst(parsed))) {
      CelMutableStruct struct = node.expr().struct();
      if (OBJECT_TYPE.matcher(struct.messageName()).matches()) {
        Map<String, CelType> known =
            fields.computeIfAbsent(struct.messageName(), _ -> new HashMap<>());
        struct.entries().forEach(entry -> known.put(entry.fieldKey(), SimpleType.DYN));
      }
    }
    return new CelTypeProvider.CombinedCelTypeProvider(new StructTypes(fields), others);
  }

  /** The same expression with maps in place of structs, for a runtime that knows no structs. */
  static CelAbstractSyntaxTree withMaps(CelAbstractSyntaxTree parsed) {
    CelMutableAst ast = CelMutableAst.fromCelAst(parsed);
    long nextId =
        CelNavigableMutableAst.fromAst(ast)
                .getRoot()
                .allNodes()
                .mapToLong(CelNavigableMutableExpr::id)
                .max()
                .orElse(0)
            + 1_000;
    for (CelNavigableMutableExpr node : structs(ast)) {
      CelMutableStruct struct = node.expr().struct();
      var entries = new ArrayList<CelMutableMap.Entry>();
      entries.add(
          CelMutableMap.Entry.create(
              nextId++,
              CelMutableExpr.ofConstant(nextId++, CelConstant.ofValue(TYPE)),
              dynamic(
                  nextId++,
                  CelMutableExpr.ofConstant(nextId++, CelConstant.ofValue(struct.messageName())))));
      for (CelMutableStruct.Entry entry : struct.entries()) {
        entries.add(
            CelMutableMap.Entry.create(
                nextId++,
                CelMutableExpr.ofConstant(nextId++, CelConstant.ofValue(entry.fieldKey())),
                dynamic(nextId++, entry.value()),
                entry.optionalEntry()));
      }
      node.expr().setMap(CelMutableMap.create(entries));
    }
    return ast.toParsedAst();
  }

  /** Values of all types fit into one map. */
  private static CelMutableExpr dynamic(long id, CelMutableExpr value) {
    return CelMutableExpr.ofCall(id, CelMutableCall.create("dyn", value));
  }

  private static List<CelNavigableMutableExpr> structs(CelMutableAst ast) {
    return CelNavigableMutableAst.fromAst(ast)
        .getRoot()
        .allNodes()
        .filter(node -> node.getKind() == ExprKind.Kind.STRUCT)
        .toList();
  }
}
