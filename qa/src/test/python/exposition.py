# SPDX-License-Identifier: Apache-2.0
"""Parses a page of metrics strictly, and prints its samples as JSON.

Usage: exposition.py openmetrics|text <PAGE
"""
import json
import sys

from prometheus_client.openmetrics.parser import text_string_to_metric_families as openmetrics
from prometheus_client.parser import text_string_to_metric_families as text

parse = {"openmetrics": openmetrics, "text": text}[sys.argv[1]]
page = sys.stdin.buffer.read().decode("utf-8")  # strictly
samples = []
for family in parse(page):
    for sample in family.samples:
        samples.append(
            {
                "type": family.type,
                "name": sample.name,
                "labels": sample.labels,
                "value": repr(float(sample.value)),
            }
        )
json.dump(samples, sys.stdout)
