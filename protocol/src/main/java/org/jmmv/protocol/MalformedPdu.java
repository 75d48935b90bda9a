package org.jmmv.protocol;

/**
 * What {@link PduDecoder} passes on in place of a PDU whose body is malformed.
 *
 * @param reason one short ASCII sentence without a full stop
 */
public record MalformedPdu(int from, PduType type, String reason) {}
