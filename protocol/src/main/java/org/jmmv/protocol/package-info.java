/**
 * The PDU protocol of Performance Co-Pilot between pmcd and an agent: one record for each PDU type,
 * and Netty handlers that frame, decode, encode and trace PDUs. The package does not depend on
 * agents or metrics, and serves both sides of a connection.
 *
 * <p>A PDU has a header of three 32-bit words, {@code len type from}, and a body. All integers are
 * big-endian; {@code len} is the length of header and body in bytes. Decoders check each count,
 * length and offset before they allocate memory for it, and report any inconsistency as a {@link
 * org.jmmv.protocol.MalformedPduException}, never as another exception.
 *
 * <p>PCP does not define a character set for text (names, help, instance names, JSON). Here a
 * {@link java.lang.String} holds one char for each byte, which is ISO 8859-1, so that any byte
 * passes unchanged in both directions. A char above 0xff is encoded as {@code ?}.
 *
 * <p>The layouts are the same from PCP 5 to 7. See pmcd(1), PMDA(3) and {@code <pcp/pmapi.h>} for
 * the meaning of the fields.
 */
package org.jmmv.protocol;
