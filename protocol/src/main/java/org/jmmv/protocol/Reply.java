package org.jmmv.protocol;

/** A PDU that answers a {@link Request}. */
public sealed interface Reply extends Pdu
    permits Desc,
        Descs,
        HighResResult,
        Instances,
        Label,
        PduError,
        PmnsIds,
        PmnsNames,
        Result,
        Text {}
