/** Objects, lists and tables as bytes. */
package dev.mooring.sandbox.http.render;
