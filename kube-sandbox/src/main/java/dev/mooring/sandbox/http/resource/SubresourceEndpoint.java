package dev.mooring.sandbox.http.resource;

import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.api.registry.Subresource;
import dev.mooring.sandbox.api.registry.UnreadableObject;
import dev.mooring.sandbox.api.registry.Verb;
import dev.mooring.sandbox.api.registry.WriteContext;
import dev.mooring.sandbox.api.request.RequestInfo;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.http.exchange.RequestBodies;
import dev.mooring.sandbox.strategy.Change;
import dev.mooring.sandbox.strategy.WritePipeline;
import dev.mooring.sandbox.strategy.WriteResult;
import dev.mooring.sandbox.strategy.WriteTarget;
import java.io.IOException;
import java.util.Objects;

/** Answers what is asked below an object: parts such as status, scale, and computed answers. */
record SubresourceEndpoint(ResourceEndpoint objects, WritePipeline pipeline) {
  /** What kcp says of every server-side apply of a Scale. */
  private static final String NO_APPLY =
      "failed to create manager for existing fields: failed to convert live object (/;"
          + " autoscaling/v1, Kind=Scale) to proper version: request to convert CR to an invalid"
          + " group/version: autoscaling/v1";

  void answer(ResourceEndpoint.Call call) throws IOException {
    RequestInfo info = call.info();
    Subresource subresource = call.definition().subresources().get(info.subresource());
    switch (Objects.requireNonNull(subresource)) {
      case Subresource.Part part -> part(call, part);
      case Subresource.Scale scale -> scale(call, scale);
      case Subresource.Action(ResourceDefinition computed) -> compute(call, computed);
    }
  }

  /** Of a custom resource kcp says the same as of an object that is not there. */
  static ApiFailure missing(ResourceEndpoint.Call call) {
    return switch (call.definition().origin()) {
      case BUILT_IN -> ResourceEndpoint.notServed(call.view(), call.info().type());
      case CUSTOM -> ApiFailure.notFound(call.info().type(), call.info().name());
    };
  }

  /** A POST of what is answered and not stored. */
  void compute(ResourceEndpoint.Call call, ResourceDefinition computed) throws IOException {
    ResourceEndpoint.requireAllowed(call.info().verb() == Verb.CREATE);
    WriteContext context = call.context("CreateOptions");
    KubeObject body = RequestBodies.object(call.exchange(), computed, context);
    var target = new WriteTarget(computed, call.info().subresource(), computed.strategy());
    KubeObject answer =
        pipeline.answer(call.definition(), target, context, call.info().name(), body);
    objects.respond(call, call.definition(), 201, answer);
  }

  private void part(ResourceEndpoint.Call call, Subresource.Part part) throws IOException {
    if (!part.verbs().contains(call.info().verb())) {
      throw notSupported(call);
    }
    switch (call.info().verb()) {
      case GET -> objects.get(call);
      case UPDATE, PATCH ->
          objects.change(call, WriteTarget.of(call.definition(), call.info().subresource(), part));
      case CREATE, DELETE, DELETECOLLECTION, LIST, WATCH -> throw notSupported(call);
    }
  }

  private void scale(ResourceEndpoint.Call call, Subresource.Scale scale) throws IOException {
    ResourceDefinition definition = call.definition();
    switch (call.info().verb()) {
      case GET -> {
        KubeObject served = definition.converter().toServed(objects.stored(call).object());
        ScaleMapper.requireReplicas(served, scale);
        objects.respond(call, ScaleMapper.DEFINITION, 200, ScaleMapper.of(served, scale));
      }
      case UPDATE, PATCH -> {
        WriteContext context = call.context("UpdateOptions");
        objects.stored(call);
        Change change = scaling(call, scale, context);
        // Scaling is a write of the spec, by the rules of the whole object.
        WriteResult outcome =
            pipeline.change(
                new WriteTarget(definition, "scale", definition.strategy()),
                context,
                call.info().name(),
                change);
        objects.respond(call, ScaleMapper.DEFINITION, 200, ScaleMapper.of(outcome.object(), scale));
      }
      case CREATE, DELETE, DELETECOLLECTION, LIST, WATCH -> throw notSupported(call);
    }
  }

  /** Custom resources name the method. */
  private static ApiFailure notSupported(ResourceEndpoint.Call call) {
    return switch (call.definition().origin()) {
      case BUILT_IN -> ApiFailure.methodNotAllowed();
      case CUSTOM ->
          ApiFailure.of(
              405,
              "MethodNotAllowed",
              "%s is not supported on resources of kind \"%s\""
                  .formatted(verb(call), call.info().type().qualified()),
              ApiFailure.details(call.info().type(), ""));
    };
  }

  /** A patch through a view that sends on what is written comes to the workspace as an update. */
  private static String verb(ResourceEndpoint.Call call) {
    Verb verb = call.info().verb();
    return (verb == Verb.PATCH && call.view().forwards() ? Verb.UPDATE : verb).text();
  }

  private Change scaling(
      ResourceEndpoint.Call call, Subresource.Scale scale, WriteContext context) {
    if (call.info().verb() == Verb.PATCH) {
      if (PatchParser.applies(call.exchange())) {
        throw ApiFailure.of(500, "", NO_APPLY, null);
      }
      var patch = PatchParser.of(call, context);
      return new Change.Patch(current -> {
        KubeObject wished = patch.apply(ScaleMapper.of(current, scale));
        requireName(call, wished);
        try {
          return ScaleMapper.applied(current, wished, scale);
        } catch (UnreadableObject unreadable) {
          throw unreadable.afterPatch();
        }
      });
    }
    KubeObject body = RequestBodies.object(call.exchange(), ScaleMapper.DEFINITION, context);
    requireName(call, body);
    return new Change.Patch(current -> {
      if (!body.uid().isEmpty() && !body.uid().equals(current.uid())) {
        throw WritePipeline.uidMismatch(
            call.definition().type(), call.key().name(), body.uid(), current.uid());
      }
      try {
        return ScaleMapper.applied(current, body, scale);
      } catch (UnreadableObject unreadable) {
        throw ApiFailure.badRequest(String.valueOf(unreadable.getMessage()));
      }
    });
  }

  private static void requireName(ResourceEndpoint.Call call, KubeObject scale) {
    String name = call.info().name();
    if (scale.name().isEmpty()) {
      throw ApiFailure.badRequest(
          "the name of the object (%s based on URL) was undeterminable: name must be provided"
              .formatted(name));
    }
    if (!scale.name().equals(name)) {
      throw ApiFailure.badRequest(
          "the name of the object (%s) does not match the name on the URL (%s)"
              .formatted(scale.name(), name));
    }
  }
}
