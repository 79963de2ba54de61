/** ResourceQuotas over numbers of objects. */
package dev.mooring.sandbox.quota;
