package org.jmmv.protocol;

/**
 * A PDU whose type is not in {@link PduType}. {@link PduDecoder} passes it on in place of the PDU.
 *
 * @param from the header's third word, see {@link Pdu#from}
 * @param typeCode the header's second word
 * @param length in bytes, header included
 */
public record UnknownPdu(int from, int typeCode, int length) implements Message {}
