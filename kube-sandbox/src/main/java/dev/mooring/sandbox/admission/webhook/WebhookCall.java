package dev.mooring.sandbox.admission.webhook;

import dev.mooring.sandbox.admission.match.VersionedRequest;

/** A webhook and the write that it gets to see. */
record WebhookCall(Webhook webhook, VersionedRequest write) {}
