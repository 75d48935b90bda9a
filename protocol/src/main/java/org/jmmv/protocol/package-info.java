/**
 * The PDU protocol of Performance Co-Pilot as an agent speaks it with pmcd: one record for each
 * PDU, and the Netty handlers that frame, decode, encode and trace them. It knows nothing of agents
 * or metrics; either side of a connection can be built on it.
 *
 * <p>All text (names, help, instance names, JSON) is bytes on the wire, in no known character set.
 * In Java it is a {@link java.lang.String} with one char for each byte (ISO 8859-1), so that any
 * byte passes unchanged in both directions. A char above 0xff has no byte and is sent as {@code ?}.
 *
 * <p>A PDU is a header of three 32-bit words, {@code len type from}, and a body; all integers are
 * big-endian, and {@code len} counts the bytes of both. Decoding trusts nothing: each count, length
 * and offset is checked before anything is allocated for it, and what does not fit is a {@link
 * org.jmmv.protocol.MalformedPduException}, never another exception.
 *
 * <p>The layouts are those of PCP 5 to 7; see pmcd(1), PMDA(3) and {@code <pcp/pmapi.h>} for the
 * meaning of the fields.
 */
package org.jmmv.protocol;
