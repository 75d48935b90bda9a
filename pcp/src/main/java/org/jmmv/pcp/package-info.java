/**
 * The vocabulary of Performance Co-Pilot: identifiers, value types, semantics, units, errors,
 * labels and debug options; and the hash of the numbers that others choose. This package depends on
 * no PDU, no file and no library.
 *
 * <p>PMIDs and instance domains are plain {@code int}s; {@link org.jmmv.pcp.Pmid} and {@link
 * org.jmmv.pcp.InDom} only have static methods that build and dissect them.
 *
 * <p>PCP does not define a character set for text. Here a {@link java.lang.String} holds one char
 * (0 to 0xff) for each byte, which is ISO 8859-1, so that any byte passes unchanged.
 *
 * <p>All constants have the values of {@code <pcp/pmapi.h>}, which are the same from PCP 5 to 7.
 */
package org.jmmv.pcp;
