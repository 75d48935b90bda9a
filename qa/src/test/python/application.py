# SPDX-License-Identifier: Apache-2.0
"""An application that is instrumented with pcp.mmv: application.py FILE SHAPE

Speaks as application.c does.
"""

import ctypes
import sys

import cmmv
import cpmapi
from pcp import mmv
from pcp.pmapi import pmUnits

COUNTS = pmUnits(0, 0, 1, 0, 0, cpmapi.PM_COUNT_ONE)
NONE = pmUnits(0, 0, 0, 0, 0, 0)
QUEUES = 3

PLAIN = [
    mmv.mmv_metric("requests", 1, cmmv.MMV_TYPE_U64, cmmv.MMV_SEM_COUNTER, COUNTS, 0, "requests taken"),
    mmv.mmv_metric("queue.depth", 2, cmmv.MMV_TYPE_I32, cmmv.MMV_SEM_INSTANT, NONE, QUEUES, "waiting"),
    mmv.mmv_metric("throughput", 3, cmmv.MMV_TYPE_DOUBLE, cmmv.MMV_SEM_INSTANT, NONE, 0, "throughput"),
    mmv.mmv_metric("state", 4, cmmv.MMV_TYPE_STRING, cmmv.MMV_SEM_DISCRETE, NONE, 0, "state"),
]
OTHER = [mmv.mmv_metric("answer", 42, cmmv.MMV_TYPE_U32, cmmv.MMV_SEM_INSTANT, NONE, 0, "the answer")]

# what pcp.mmv just allows
BYTES = b"\xff\xfe na\xefve"
LONG_NAME = b"orders".ljust(63, b"x")
TIMED = b"timed".ljust(63, b"x")
EDGES = [
    mmv.mmv_metric("type%d" % t, 10 + t, t, 0, NONE, 0, b"\xfc\xf6\xe4")
    for t in range(cmmv.MMV_TYPE_I32, cmmv.MMV_TYPE_STRING + 1)
] + [
    mmv.mmv_metric("types%d" % t, 20 + t, t, cmmv.MMV_SEM_INSTANT, COUNTS, QUEUES)
    for t in range(cmmv.MMV_TYPE_I32, cmmv.MMV_TYPE_STRING + 1)
] + [
    mmv.mmv_metric(TIMED, 30, cmmv.MMV_TYPE_ELAPSED, cmmv.MMV_SEM_COUNTER, NONE, QUEUES),
    mmv.mmv_metric("once", 31, cmmv.MMV_TYPE_ELAPSED, cmmv.MMV_SEM_COUNTER, NONE),
    mmv.mmv_metric("unsupported", 32, cmmv.MMV_TYPE_NOSUPPORT, cmmv.MMV_SEM_COUNTER, NONE),
]


def start_edges(file):
    """All types, bytes that are no UTF-8, sentinels, sections in progress."""
    values = mmv.MemoryMappedValues(file, cmmv.MMV_FLAG_NOPREFIX | cmmv.MMV_FLAG_SENTINEL, 503)
    queues = mmv.mmv_indom(QUEUES, BYTES)
    queues.set_instances([mmv.mmv_instance(0, LONG_NAME), mmv.mmv_instance(7, BYTES), mmv.mmv_instance(9, "idle")])
    values.add_indoms([queues, mmv.mmv_indom(QUEUES + 1, "Nothing")])
    values.add_metrics(EDGES)
    values.start()
    for t in range(cmmv.MMV_TYPE_I32, cmmv.MMV_TYPE_U64 + 1):
        ctypes.memset(values.lookup_mapping("type%d" % t, ""), 0xFF, 8)
        ctypes.memset(values.lookup_mapping("types%d" % t, LONG_NAME), 0xFF, 8)
        values.lookup_set("types%d" % t, BYTES, -1)
    values.lookup_set_string("types%d" % cmmv.MMV_TYPE_STRING, BYTES, BYTES)
    values.lookup_interval_start("once", "")
    section = values.lookup_interval_start(TIMED, LONG_NAME)
    values.interval_end(section)
    values.lookup_interval_start(TIMED, BYTES)
    return values


def start(file, shape):
    """Makes the metrics of a shape."""
    if shape == "edges":
        return start_edges(file)
    values = mmv.MemoryMappedValues(file, cmmv.MMV_FLAG_PROCESS, 502)
    if shape == "plain":
        queues = mmv.mmv_indom(QUEUES, "Queues")
        queues.set_instances([mmv.mmv_instance(0, "orders"), mmv.mmv_instance(4, "invoices")])
        values.add_indoms([queues])
    values.add_metrics(PLAIN if shape == "plain" else OTHER)
    values.start()
    return values


def main(file, shape):
    """Serves the lines of standard input."""
    values = start(file, shape)
    print("ready", flush=True)
    for line in sys.stdin:
        metric, instance, value = line.rstrip("\n").split(" ", 2)
        instance = "" if instance == "-" else instance
        if metric == "state":
            values.lookup_set_string(metric, instance, value)
        else:
            values.lookup_set(metric, instance, float(value))
        print("ok", flush=True)
    values.stop()


main(sys.argv[1], sys.argv[2])
