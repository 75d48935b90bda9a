/** The values of the last minutes, for charts that begin before anybody looked. */
package org.jmmv.web.history;
