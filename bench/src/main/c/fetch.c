// SPDX-License-Identifier: Apache-2.0
//
// Fetches with PCP's own library, as pmval and pmlogger do, and measures the time of each fetch.
//
//   fetch HOST COUNT SECONDS
//
// HOST is a host specification as of PCPIntro(1), such as unix:///path. It fetches all metrics below
// mmv, except those below mmv.control, at least COUNT times and for at least SECONDS to warm up, and
// then for SECONDS, at least once. The output has one line per figure: names, values (in one fetch),
// p50_us and p99_us (of the measured fetches, in microseconds).

#include <pcp/pmapi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_SAMPLES = 10000000 };

static const char **names;
static int name_count;

static void fail(const char *what, int code) {
    fprintf(stderr, "fetch: %s: %s\n", what, pmErrStr(code));
    exit(1);
}

static void *room(void *memory, size_t bytes) {
    memory = realloc(memory, bytes);
    if (memory == NULL) {
        fail("no memory", PM_ERR_GENERIC);
    }
    return memory;
}

static void add(const char *name) {
    if (strncmp(name, "mmv.control.", 12) != 0) {
        names = room(names, (name_count + 1) * sizeof *names);
        names[name_count++] = strdup(name);
    }
}

static double seconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

/* Returns the number of values. */
static long fetch(pmID *pmids) {
    pmResult *result;
    int code = pmFetch(name_count, pmids, &result);
    if (code < 0) {
        fail("pmFetch", code);
    }
    long values = 0;
    for (int i = 0; i < result->numpmid; i++) {
        if (result->vset[i]->numval < 0) {
            fail(names[i], result->vset[i]->numval);
        }
        values += result->vset[i]->numval;
    }
    pmFreeResult(result);
    return values;
}

static int compare(const void *a, const void *b) {
    double difference = *(const double *)a - *(const double *)b;
    return (difference > 0) - (difference < 0);
}

int main(int argc, char **argv) {
    if (argc != 4) {
        fprintf(stderr, "usage: fetch HOST COUNT SECONDS\n");
        return 2;
    }
    int code = pmNewContext(PM_CONTEXT_HOST, argv[1]);
    if (code < 0) {
        fail(argv[1], code);
    }
    code = pmTraversePMNS("mmv", add);
    if (code < 0) {
        fail("mmv", code);
    }
    pmID *pmids = room(NULL, (name_count + 1) * sizeof *pmids);
    code = pmLookupName(name_count, names, pmids);
    if (code != name_count) {
        fail("pmLookupName", code < 0 ? code : PM_ERR_NAME);
    }

    long count = strtol(argv[2], NULL, 10), values = 0;
    double duration = strtod(argv[3], NULL), end = seconds() + duration;
    for (long i = 0; i < count || seconds() < end; i++) {
        values = fetch(pmids);
    }
    static double samples[MAX_SAMPLES];
    int done = 0;
    end = seconds() + duration;
    do {
        double start = seconds();
        fetch(pmids);
        samples[done++] = seconds() - start;
    } while (done < MAX_SAMPLES && seconds() < end);
    qsort(samples, done, sizeof *samples, compare);
    printf("names %d\nvalues %ld\np50_us %.1f\np99_us %.1f\n", name_count, values,
        samples[done / 2] * 1e6, samples[(int)(done * 0.99)] * 1e6);
    return 0;
}
