/**
 * The vocabulary of Performance Co-Pilot: identifiers, types, semantics, units, errors, labels,
 * debug options. It knows no PDU, no file and no library.
 *
 * <p>Identifiers are plain {@code int}s; the classes that are named after them take them apart.
 * Text is bytes in no known character set, held in a {@link java.lang.String} with one char for
 * each byte (ISO 8859-1).
 *
 * <p>The numbers are those of {@code <pcp/pmapi.h>} from PCP 5 to 7.
 */
package org.jmmv.pcp;
