package org.jmmv.protocol;

/**
 * A PDU of a known type with a malformed body. {@link PduDecoder} passes it on in place of the PDU.
 *
 * @param from the header's third word, see {@link Pdu#from}
 * @param reason the message of the {@link MalformedPduException}
 */
public record MalformedPdu(int from, PduType type, String reason) implements Message {}
