package dev.mooring.sandbox.junit;

import dev.mooring.sandbox.KcpSandbox;
import dev.mooring.sandbox.fault.FaultInjector;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store;
import org.junit.jupiter.api.extension.ExtensionContext.StoreScope;
import org.junit.jupiter.api.extension.LifecycleMethodExecutionExceptionHandler;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.junit.platform.commons.support.AnnotationSupport;
import org.opentest4j.TestAbortedException;

/** What {@link WithKcp} does. */
final class KcpExtension
    implements ExecutionCondition,
        ParameterResolver,
        TestExecutionExceptionHandler,
        LifecycleMethodExecutionExceptionHandler {
  private static final Namespace NAMESPACE = Namespace.create(KcpExtension.class);

  /** Which server tests share; sandboxes with different shards are different ones. */
  private record ServerKey(KcpSource source, WithKcp.Sharing sharing) {}

  /** Each test has one, and each class for its own lifecycle methods. */
  private record TreeKey(String uniqueId) {}

  /** What a test was given. It is closed by JUnit after the test. */
  private static final class Lease implements AutoCloseable {
    final KcpServer server;
    final WorkspaceTree tree;
    private final List<Runnable> closing = new ArrayList<>();
    private boolean kept;

    Lease(KcpServer server, WorkspaceTree tree) {
      this.server = server;
      this.tree = tree;
    }

    synchronized void atEnd(Runnable action) {
      closing.add(action);
    }

    synchronized void keep() {
      kept = true;
    }

    @Override
    public synchronized void close() {
      closing.reversed().forEach(Runnable::run);
      if (!kept) {
        tree.delete();
      }
    }
  }

  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    return missing(context, annotation(context))
        .map(what -> ConditionEvaluationResult.disabled("skipped: the test needs " + what))
        .orElse(ConditionEvaluationResult.enabled("there is a kcp"));
  }

  /** What the test needs and this run does not have. */
  private static Optional<String> missing(ExtensionContext context, WithKcp wanted) {
    return switch (KcpSource.of(wanted, System.getenv())) {
      case KcpSource.Sandbox _ -> Optional.empty();
      case KcpSource.Image(String image, var otherwise)
          when otherwise == KcpSource.WithoutEngine.SKIP && ContainerEngine.missing().isPresent() ->
          Optional.of(
              "a real kcp. Set %s, or let %s run: %s"
                  .formatted(KcpSource.KUBECONFIG, image, ContainerEngine.missing().get()));
      case KcpSource.Image _, KcpSource.Running _ ->
          wanted.shards() > 1 ? missingShards(server(context), wanted.shards()) : Optional.empty();
    };
  }

  private static Optional<String> missingShards(KcpServer server, int needed) {
    int there = KcpShards.of(server.client()).urls().size();
    return there < needed
        ? Optional.of(
            "%s shards, and the kcp at %s has %s".formatted(needed, server.admin().url(), there))
        : Optional.empty();
  }

  @Override
  public ExtensionContextScope getTestInstantiationExtensionContextScope(ExtensionContext root) {
    // A constructor gets the workspaces of its test.
    return ExtensionContextScope.TEST_METHOD;
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return isOurs(parameter.getParameter().getType());
  }

  private static boolean isOurs(Class<?> type) {
    return type == WorkspaceTree.class
        || type == KcpConnection.class
        || type == KcpShards.class
        || type == FaultInjector.class
        || type == KcpSandbox.class
        || Fabric8.isClient(type);
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    Lease lease = lease(context);
    Class<?> type = parameter.getParameter().getType();
    if (type == KcpShards.class) {
      return KcpShards.of(lease.server.client());
    }
    if (type == KcpSandbox.class) {
      return sandbox(lease, annotation(context));
    }
    if (type == FaultInjector.class) {
      return faults(lease, annotation(context));
    }
    lease.tree.ensure(declared(context, parameter.getDeclaringExecutable()));
    if (type == WorkspaceTree.class) {
      return lease.tree;
    }
    String workspace = parameter.findAnnotation(Workspace.class).map(Workspace::value).orElse("");
    KcpConnection connection = lease.tree.connection(workspace);
    return type == KcpConnection.class ? connection : Fabric8.client(connection, lease::atEnd);
  }

  private static Lease lease(ExtensionContext context) {
    KcpServer server = server(context);
    return context
        .getStore(NAMESPACE)
        .computeIfAbsent(
            new TreeKey(context.getUniqueId()),
            _ -> new Lease(server, new WorkspaceTree(server, treeName(context))),
            Lease.class);
  }

  private static String treeName(ExtensionContext context) {
    return WorkspaceNames.tree(
        context.getRequiredTestClass(),
        context.getTestMethod().map(Method::getName).orElse(null),
        ThreadLocalRandom.current().nextInt());
  }

  private static KcpServer server(ExtensionContext context) {
    WithKcp wanted = annotation(context);
    KcpSource source = KcpSource.of(wanted, System.getenv());
    boolean ofClass =
        source instanceof KcpSource.Sandbox && wanted.sandbox() == WithKcp.Sharing.CLASS;
    Store store =
        ofClass
            ? classContext(context).getStore(NAMESPACE)
            : context.getStore(StoreScope.LAUNCHER_SESSION, NAMESPACE);
    return store.computeIfAbsent(
        new ServerKey(source, wanted.sandbox()), _ -> start(source), KcpServer.class);
  }

  private static KcpServer start(KcpSource source) {
    return switch (source) {
      case KcpSource.Sandbox(int shards) -> new SandboxServer(shards);
      case KcpSource.Running(var kubeconfig) -> new RunningServer(kubeconfig);
      case KcpSource.Image(String image, _) -> {
        ContainerEngine.missing()
            .ifPresent(why -> {
              throw new KcpProblem(
                  "%s asks for %s, but there is %s".formatted(KcpSource.IMAGE, image, why));
            });
        yield new ImageServer(image);
      }
    };
  }

  /** The context of the outermost class: nested classes share its sandbox. */
  private static ExtensionContext classContext(ExtensionContext context) {
    ExtensionContext outermost = context;
    for (Optional<ExtensionContext> up = Optional.of(context);
        up.isPresent() && up.get().getTestClass().isPresent();
        up = up.get().getParent()) {
      outermost = up.get();
    }
    return outermost;
  }

  private static KcpSandbox sandbox(Lease lease, WithKcp wanted) {
    if (wanted.on() != WithKcp.Kcp.SANDBOX || wanted.sandbox() != WithKcp.Sharing.CLASS) {
      throw new KcpProblem(
          "faults and a KcpSandbox reach every test of a sandbox, and a real kcp has none: write"
              + " @WithKcp(on = Kcp.SANDBOX, sandbox = Sharing.CLASS)");
    }
    return lease.server.sandbox().orElseThrow();
  }

  private static FaultInjector faults(Lease lease, WithKcp wanted) {
    FaultInjector faults = sandbox(lease, wanted).faults();
    lease.atEnd(faults::reset);
    return faults;
  }

  /** The workspaces of the class, of the method, and of its parameters. */
  private static SortedMap<String, Wish> declared(ExtensionContext context, Executable executable) {
    var found = new TreeMap<String, Wish>();
    for (Optional<ExtensionContext> up = Optional.of(context);
        up.isPresent();
        up = up.get().getParent()) {
      up.get()
          .getElement()
          .ifPresent(element ->
              AnnotationSupport.findRepeatableAnnotations(element, Workspace.class)
                  .forEach(workspace -> declare(found, workspace)));
    }
    for (Parameter parameter : executable.getParameters()) {
      if (isOurs(parameter.getType())) {
        AnnotationSupport.findAnnotation(parameter, Workspace.class)
            .ifPresent(workspace -> declare(found, workspace));
      }
    }
    return found;
  }

  private static void declare(SortedMap<String, Wish> found, Workspace workspace) {
    Wish wish = Wish.of(workspace.type(), workspace.shard());
    found.merge(workspace.value(), wish, (first, second) -> first.and(second, workspace.value()));
  }

  /** Of the test, its class, or a class around it: the nearest. */
  private static WithKcp annotation(ExtensionContext context) {
    for (Optional<ExtensionContext> up = Optional.of(context);
        up.isPresent();
        up = up.get().getParent()) {
      Optional<WithKcp> found =
          up.get()
              .getElement()
              .flatMap(element -> AnnotationSupport.findAnnotation(element, WithKcp.class));
      if (found.isPresent()) {
        return found.get();
      }
    }
    throw new KcpProblem("register the extension by @WithKcp, on the class or the method");
  }

  @Override
  public void handleTestExecutionException(ExtensionContext context, Throwable failure)
      throws Throwable {
    throw explained(context, failure);
  }

  @Override
  public void handleBeforeEachMethodExecutionException(ExtensionContext context, Throwable failure)
      throws Throwable {
    throw explained(context, failure);
  }

  @Override
  public void handleAfterEachMethodExecutionException(ExtensionContext context, Throwable failure)
      throws Throwable {
    throw explained(context, failure);
  }

  @Override
  public void handleBeforeAllMethodExecutionException(ExtensionContext context, Throwable failure)
      throws Throwable {
    throw explained(context, failure);
  }

  @Override
  public void handleAfterAllMethodExecutionException(ExtensionContext context, Throwable failure)
      throws Throwable {
    throw explained(context, failure);
  }

  /** The failure, with where the test's workspaces are. */
  private static Throwable explained(ExtensionContext context, Throwable failure) {
    Lease lease = context.getStore(NAMESPACE).get(new TreeKey(context.getUniqueId()), Lease.class);
    if (lease != null && !(failure instanceof TestAbortedException)) {
      String where = lease.tree.whereToLook();
      if (where != null) {
        lease.keep();
        failure.addSuppressed(new KeptWorkspaces(where));
      }
    }
    return failure;
  }
}
