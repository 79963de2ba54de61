/** What a request asks for, and the view that answers it. */
package dev.mooring.sandbox.api.request;
