package org.jmmv.protocol;

/** A PDU that is answered with one {@link Reply}. */
public sealed interface Request extends Pdu
    permits DescIds,
        DescReq,
        Fetch,
        InstanceReq,
        LabelReq,
        PmnsChild,
        PmnsIds,
        PmnsNames,
        PmnsTraverse,
        Result,
        TextReq {}
