package org.jmmv.protocol;

/**
 * What {@link PduDecoder} passes on in place of a PDU whose type is not in {@link PduType}.
 *
 * @param length bytes, header included
 */
public record UnknownPdu(int from, int typeCode, int length) {}
