# SPDX-License-Identifier: Apache-2.0
"""Parses a page of metrics strictly, and prints its samples as JSON. No two may be of one series.

Usage: exposition.py openmetrics|text <PAGE
"""
import json
import sys

from prometheus_client.openmetrics.parser import text_string_to_metric_families as openmetrics
from prometheus_client.parser import text_string_to_metric_families as text

parse = {"openmetrics": openmetrics, "text": text}[sys.argv[1]]
page = sys.stdin.buffer.read().decode("utf-8")  # strictly
lines = [line.rpartition(" ")[0] for line in page.split("\n") if line and line[0] != "#"]
if len(lines) > len(set(lines)):
    sys.exit("two samples of " + next(line for line in lines if lines.count(line) > 1))
samples = []
for family in parse(page):
    for sample in family.samples:
        samples.append(
            {
                "type": family.type,
                # the parser of the text format gives counters the suffix _total
                "name": lines[len(samples)].partition("{")[0],
                "labels": sample.labels,
                "value": repr(float(sample.value)),
            }
        )
assert len(samples) == len(lines)
json.dump(samples, sys.stdout)
