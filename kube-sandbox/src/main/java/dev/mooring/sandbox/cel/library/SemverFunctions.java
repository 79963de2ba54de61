package dev.mooring.sandbox.cel.library;

import dev.cel.common.types.SimpleType;
import java.util.List;

/** {@code semver()} and what belongs to it. */
final class SemverFunctions {
  private static final Kind<Semver> SEMVER = Kind.opaque("kubernetes.Semver", Semver.class);

  static final List<Overload> ALL =
      List.of(
          Overload.global("semver", "string_to_semver", Kind.STRING, SEMVER.type(), Semver::parse),
          Overload.global(
              "semver",
              "string_bool_to_semver",
              Kind.STRING,
              Kind.BOOL,
              SEMVER.type(),
              (text, normalize) -> Semver.parse(normalize ? Semver.normalized(text) : text)),
          Overload.global(
              "isSemver", "is_semver_string", Kind.STRING, SimpleType.BOOL, Semver::isValid),
          Overload.global(
              "isSemver",
              "is_semver_string_bool",
              Kind.STRING,
              Kind.BOOL,
              SimpleType.BOOL,
              (text, normalize) -> normalize ? Semver.isNormalizable(text) : Semver.isValid(text)),
          Overload.member(
              "isGreaterThan",
              "semver_is_greater_than",
              SEMVER,
              SEMVER,
              SimpleType.BOOL,
              (left, right) -> left.compareTo(right) > 0),
          Overload.member(
              "isLessThan",
              "semver_is_less_than",
              SEMVER,
              SEMVER,
              SimpleType.BOOL,
              (left, right) -> left.compareTo(right) < 0),
          Overload.member(
              "compareTo",
              "semver_compare_to",
              SEMVER,
              SEMVER,
              SimpleType.INT,
              (left, right) -> (long) left.compareTo(right)),
          Overload.member(
              "major", "semver_major", SEMVER, SimpleType.INT, semver -> semver.version().major()),
          Overload.member(
              "minor", "semver_minor", SEMVER, SimpleType.INT, semver -> semver.version().minor()),
          Overload.member(
              "patch", "semver_patch", SEMVER, SimpleType.INT, semver -> semver.version().patch()));

  private SemverFunctions() {}
}
