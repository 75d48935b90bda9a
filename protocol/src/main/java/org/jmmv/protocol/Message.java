package org.jmmv.protocol;

/** What {@link PduDecoder} passes on: a PDU, or what stands for one that can't be decoded. */
public sealed interface Message permits Pdu, MalformedPdu, UnknownPdu {}
