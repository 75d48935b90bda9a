package org.jmmv.protocol;

/** A PDU that answers a {@link Request}. */
public sealed interface Reply extends Pdu
    permits Desc, Descs, HighResResult, ListReply, PduError, PmnsIds, Result, Text {}
