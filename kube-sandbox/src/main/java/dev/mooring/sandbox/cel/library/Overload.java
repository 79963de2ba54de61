package dev.mooring.sandbox.cel.library;

import dev.cel.common.CelOverloadDecl;
import dev.cel.common.types.CelType;
import dev.cel.runtime.CelFunctionBinding;
import dev.cel.runtime.CelFunctionOverload;
import java.util.List;

/**
 * One signature of a function.
 *
 * @param declaration for the type checker
 * @param binding for the runtime
 */
record Overload(String function, CelOverloadDecl declaration, CelFunctionBinding binding) {
  /** A function without arguments that always has the same value. */
  static Overload constant(String function, CelType result, Object value) {
    return new Overload(
        function,
        CelOverloadDecl.newGlobalOverload(function, result, List.of()),
        CelFunctionBinding.from(function, List.of(), arguments -> value));
  }

  static <A> Overload global(
      String function, String id, Kind<A> a, CelType result, CelFunctionOverload.Unary<A> body) {
    return new Overload(
        function,
        CelOverloadDecl.newGlobalOverload(id, result, a.type()),
        CelFunctionBinding.from(id, a.carrier(), body));
  }

  static <A, B> Overload global(
      String function,
      String id,
      Kind<A> a,
      Kind<B> b,
      CelType result,
      CelFunctionOverload.Binary<A, B> body) {
    return new Overload(
        function,
        CelOverloadDecl.newGlobalOverload(id, result, a.type(), b.type()),
        CelFunctionBinding.from(id, a.carrier(), b.carrier(), body));
  }

  static <A> Overload member(
      String function, String id, Kind<A> a, CelType result, CelFunctionOverload.Unary<A> body) {
    return new Overload(
        function,
        CelOverloadDecl.newMemberOverload(id, result, a.type()),
        CelFunctionBinding.from(id, a.carrier(), body));
  }

  static <A, B> Overload member(
      String function,
      String id,
      Kind<A> a,
      Kind<B> b,
      CelType result,
      CelFunctionOverload.Binary<A, B> body) {
    return new Overload(
        function,
        CelOverloadDecl.newMemberOverload(id, result, a.type(), b.type()),
        CelFunctionBinding.from(id, a.carrier(), b.carrier(), body));
  }

  /** A function of more arguments, which the body gets as they are. */
  static Overload memberOf(
      String function,
      String id,
      List<Kind<?>> arguments,
      CelType result,
      CelFunctionOverload body) {
    return new Overload(
        function,
        CelOverloadDecl.newMemberOverload(
            id, result, arguments.stream().<CelType>map(Kind::type).toList()),
        CelFunctionBinding.from(
            id, arguments.stream().<Class<?>>map(Kind::carrier).toList(), body));
  }
}
