/** Spring Boot's side of the runtime: endpoint guard, metrics, health, configuration checks. */
package dev.mooring.runtime.spring;
