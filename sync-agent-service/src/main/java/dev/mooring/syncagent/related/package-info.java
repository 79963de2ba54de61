/** Objects beside the primary, such as the Secret that an operator made for it. */
package dev.mooring.syncagent.related;
