# SPDX-License-Identifier: Apache-2.0
"""An application that is instrumented with pcp.mmv: application.py FILE SHAPE

Speaks as application.c does.
"""

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


def main(file, shape):
    """Serves the lines of standard input."""
    values = mmv.MemoryMappedValues(file, cmmv.MMV_FLAG_PROCESS, 502)
    if shape == "plain":
        queues = mmv.mmv_indom(QUEUES, "Queues")
        queues.set_instances([mmv.mmv_instance(0, "orders"), mmv.mmv_instance(4, "invoices")])
        values.add_indoms([queues])
    values.add_metrics(PLAIN if shape == "plain" else OTHER)
    values.start()
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
