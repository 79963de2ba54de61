/** How the content of objects is kept between writes. */
package dev.mooring.syncagent.content;
