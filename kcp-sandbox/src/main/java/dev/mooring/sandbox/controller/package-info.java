/** What controllers are made of: feeds from the store and queues of keys to look at. */
package dev.mooring.sandbox.controller;
