package dev.mooring.acceptance.classes;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.reflect.AccessFlag;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Which class initializes which other class while it is initialized itself (JVMS 5.5): its
 * superclass, its superinterfaces that have default methods, and what its static initializer
 * creates, calls or reads, including the methods that it calls and the lambdas that it makes.
 */
final class InitializationGraph {
  private final Map<String, ClassModel> classes = new TreeMap<>();
  private final Map<String, Set<String>> edges = new TreeMap<>();

  /** Of the classes in these files; other classes do not count. */
  static InitializationGraph of(Collection<Path> classFiles) throws IOException {
    var graph = new InitializationGraph();
    for (Path file : classFiles) {
      ClassModel model = ClassFile.of().parse(Files.readAllBytes(file));
      graph.classes.put(name(model), model);
    }
    graph.classes.forEach((name, model) -> graph.edges.put(name, graph.initializedBy(model)));
    return graph;
  }

  /** Internal names, such as java/lang/String. */
  Set<String> names() {
    return classes.keySet();
  }

  /**
   * The shortest way from a class back to it, at most one for each class. Two threads that enter it
   * by different classes may wait for each other for ever.
   */
  List<List<String>> cycles() {
    var cycles = new ArrayList<List<String>>();
    var known = new HashSet<String>();
    for (String start : edges.keySet()) {
      List<String> cycle = known.contains(start) ? List.of() : wayBack(start);
      if (!cycle.isEmpty()) {
        known.addAll(cycle);
        cycles.add(cycle);
      }
    }
    return cycles;
  }

  private List<String> wayBack(String start) {
    var ways = new HashMap<String, List<String>>(Map.of(start, List.of(start)));
    var next = new ArrayDeque<>(List.of(start));
    while (!next.isEmpty()) {
      List<String> way = ways.get(next.peek());
      for (String to : edges.get(next.remove())) {
        if (to.equals(start)) {
          return way;
        }
        if (!ways.containsKey(to)) {
          ways.put(to, Stream.concat(way.stream(), Stream.of(to)).toList());
          next.add(to);
        }
      }
    }
    return List.of();
  }

  private Set<String> initializedBy(ClassModel model) {
    var initialized = new TreeSet<String>();
    if (!model.flags().has(AccessFlag.INTERFACE)) {
      supertypes(model)
          .filter(type -> !type.flags().has(AccessFlag.INTERFACE) || hasDefaultMethod(type))
          .forEach(type -> initialized.add(name(type)));
    }
    method(model, ConstantDescs.CLASS_INIT_NAME, "()V")
        .ifPresent(initializer -> follow(initializer, initialized, new HashSet<>()));
    initialized.remove(name(model));
    return initialized;
  }

  private void follow(MethodModel method, Set<String> initialized, Set<MethodModel> followed) {
    if (!followed.add(method)) {
      return;
    }
    method
        .code()
        .ifPresent(code ->
            code.forEach(instruction -> {
              switch (instruction) {
                case NewObjectInstruction created ->
                    known(created.className().asInternalName())
                        .forEach(type -> initialized.add(name(type)));
                case FieldInstruction field
                    when field.opcode() == Opcode.GETSTATIC || field.opcode() == Opcode.PUTSTATIC ->
                    lineage(field.owner().asInternalName())
                        .filter(type -> declares(type, field))
                        .limit(1)
                        .forEach(type -> initialized.add(name(type)));
                case InvokeInstruction call ->
                    called(
                        call.owner().asInternalName(),
                        call.name().stringValue(),
                        call.type().stringValue(),
                        initialized,
                        followed);
                case InvokeDynamicInstruction lambda ->
                    lambda.bootstrapArgs().stream()
                        .filter(DirectMethodHandleDesc.class::isInstance)
                        .map(DirectMethodHandleDesc.class::cast)
                        .forEach(handle ->
                            called(
                                internalName(handle.owner()),
                                handle.methodName(),
                                handle.lookupDescriptor(),
                                initialized,
                                followed));
                default -> {}
              }
            }));
  }

  private void called(
      String owner,
      String name,
      String descriptor,
      Set<String> initialized,
      Set<MethodModel> followed) {
    lineage(owner)
        .flatMap(type -> method(type, name, descriptor).stream())
        .limit(1)
        .forEach(method -> {
          if (method.flags().has(AccessFlag.STATIC)) {
            initialized.add(name(method.parent().orElseThrow()));
          }
          follow(method, initialized, followed);
        });
  }

  /** The class and its supertypes, the nearest first. */
  private Stream<ClassModel> lineage(String name) {
    return known(name).flatMap(model -> Stream.concat(Stream.of(model), supertypes(model)));
  }

  private Stream<ClassModel> supertypes(ClassModel model) {
    return Stream.concat(model.superclass().stream(), model.interfaces().stream())
        .flatMap(type -> lineage(type.asInternalName()));
  }

  private Stream<ClassModel> known(String name) {
    return Stream.ofNullable(classes.get(name));
  }

  private static Optional<MethodModel> method(ClassModel type, String name, String descriptor) {
    return type.methods().stream()
        .filter(method -> method.methodName().equalsString(name))
        .filter(method -> method.methodType().equalsString(descriptor))
        .findFirst();
  }

  private static boolean declares(ClassModel type, FieldInstruction read) {
    return type.fields().stream()
        .anyMatch(field -> field.fieldName().equalsString(read.name().stringValue()));
  }

  private static boolean hasDefaultMethod(ClassModel type) {
    return type.methods().stream()
        .anyMatch(method ->
            !method.flags().has(AccessFlag.ABSTRACT) && !method.flags().has(AccessFlag.STATIC));
  }

  private static String internalName(ClassDesc type) {
    String descriptor = type.descriptorString();
    return descriptor.substring(1, descriptor.length() - 1);
  }

  private static String name(ClassModel model) {
    return model.thisClass().asInternalName();
  }
}
