/** What controllers are made of: triggers from the store and queues of keys to look at. */
package dev.mooring.sandbox.controller;
