package org.jmmv.protocol;

/** A PDU that neither answers another one nor is answered. */
public sealed interface Notice extends Pdu
    permits Attr, ControlReq, Creds, Greeting, PduError, Profile {}
