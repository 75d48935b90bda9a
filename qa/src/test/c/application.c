/* SPDX-License-Identifier: Apache-2.0
 *
 * An application that is instrumented with libpcp_mmv: application FILE SHAPE
 *
 * It says "ready" when its metrics are there. Then each line "metric instance value" of its
 * standard input (instance "-": none) sets a value and is answered with "ok". At end of file it
 * stops in good order.
 */
#include <pcp/pmapi.h>
#include <pcp/mmv_stats.h>

#define QUEUES 3
#define EMPTY 4
#define COUNTS MMV_UNITS(0, 0, 1, 0, 0, PM_COUNT_ONE)
#define NONE MMV_UNITS(0, 0, 0, 0, 0, 0)
#define MICROSECONDS MMV_UNITS(0, 1, 0, 0, PM_TIME_USEC, 0)
#define KBYTES_A_SECOND MMV_UNITS(1, -1, 0, PM_SPACE_KBYTE, PM_TIME_SEC, 0)
#define LONG_NAME "a_name_that_is_longer_than_the_sixty_three_bytes_for_which_version_one_has_room"

static mmv_instances_t queues[] = {{7, "orders"}, {2, "invoices of the quarter"}, {90, "spare"}};

static mmv_indom_t indoms[] = {{QUEUES, 3, queues, "Queues", "The queues of the application."}};

static const mmv_metric_t metrics[] = {
    {"requests", 1, MMV_TYPE_U64, MMV_SEM_COUNTER, COUNTS, 0, "requests taken", "All that came."},
    {"errors", 2, MMV_TYPE_U32, MMV_SEM_COUNTER, COUNTS, 0, "requests refused", NULL},
    {"queue.depth", 3, MMV_TYPE_I32, MMV_SEM_INSTANT, NONE, QUEUES, NULL, "Waiting requests."},
    {"queue.skew", 4, MMV_TYPE_I64, MMV_SEM_INSTANT, MICROSECONDS, QUEUES, NULL, NULL},
    {"load", 5, MMV_TYPE_FLOAT, MMV_SEM_INSTANT, NONE, 0, "", ""},
    {"throughput", 6, MMV_TYPE_DOUBLE, MMV_SEM_INSTANT, KBYTES_A_SECOND, 0, "throughput", ""},
    {"state", 7, MMV_TYPE_STRING, MMV_SEM_DISCRETE, NONE, 0, "state", "starting, running, ended"},
    {"busy", 8, MMV_TYPE_ELAPSED, MMV_SEM_COUNTER, MICROSECONDS, QUEUES, "time at work", NULL},
};

static const mmv_metric_t other_metrics[] = {
    {"answer", 42, MMV_TYPE_U32, MMV_SEM_INSTANT, NONE, 0, "the answer", "To everything."},
};

static mmv_instances2_t long_queues[] = {{0, "orders"}, {1, LONG_NAME}};

static mmv_indom2_t long_indoms[] = {{QUEUES, 2, long_queues, "Queues", NULL}};

static const mmv_metric2_t long_metrics[] = {
    {LONG_NAME, 1, MMV_TYPE_U64, MMV_SEM_COUNTER, COUNTS, 0, "a long name", NULL},
    {"depth", 2, MMV_TYPE_I32, MMV_SEM_INSTANT, NONE, QUEUES, NULL, NULL},
};

static void
must(int status)
{
    if (status < 0) {
        perror("libpcp_mmv refuses");
        exit(1);
    }
}

static void *
labelled(const char *file)
{
    mmv_registry_t *registry = mmv_stats_registry(file, 501, MMV_FLAG_PROCESS);
    pmUnits counts = COUNTS;

    mmv_stats_add_indom(registry, QUEUES, "Queues", NULL);
    mmv_stats_add_instance(registry, QUEUES, 0, "orders");
    mmv_stats_add_instance(registry, QUEUES, 5, "invoices");
    mmv_stats_add_instance(registry, QUEUES, 6, "unlabelled");
    mmv_stats_add_metric(registry, "requests", 1, MMV_TYPE_U64, MMV_SEM_COUNTER, counts, 0, "requests", NULL);
    mmv_stats_add_metric(registry, "served", 2, MMV_TYPE_U32, MMV_SEM_COUNTER, counts, QUEUES, NULL, NULL);
    must(mmv_stats_add_registry_label(registry, "build", "1234", MMV_NUMBER_TYPE, 0));
    must(mmv_stats_add_registry_label(registry, "owner", "\"the shop\"", MMV_STRING_TYPE, 1));
    must(mmv_stats_add_indom_label(registry, QUEUES, "kinds", "[\"in\",\"out\"]", MMV_ARRAY_TYPE, 0));
    must(mmv_stats_add_indom_label(registry, QUEUES, "remark", "null", MMV_NULL_TYPE, 1));
    must(mmv_stats_add_metric_label(registry, 1, "public", "true", MMV_BOOLEAN_TYPE, 0));
    must(mmv_stats_add_metric_label(registry, 1, "author", "\"M\xfcller\"", MMV_STRING_TYPE, 1));
    must(mmv_stats_add_metric_label(registry, 2, "budget", "{\"a\":1,\"b\":{\"c\":2}}", MMV_MAP_TYPE, 0));
    must(mmv_stats_add_instance_label(registry, QUEUES, 0, "share", "-2.5e-3", MMV_NUMBER_TYPE, 1));
    must(mmv_stats_add_instance_label(registry, QUEUES, 5, "rank", "2", MMV_NUMBER_TYPE, 0));
    return mmv_stats_start(registry);
}

/* A name of BYTES bytes: a short one, and 'x's. */
static const char *
name_of(int bytes, const char *name)
{
    char *filled = malloc(bytes + 1);

    memset(filled, 'x', bytes);
    memcpy(filled, name, strlen(name));
    filled[bytes] = '\0';
    return filled;
}

/* What libpcp_mmv just allows, with names of BYTES bytes: more than 63 make a file of version 2. */
static void *
edges(const char *file, int flags, int bytes)
{
    mmv_registry_t *registry = mmv_stats_registry(file, 504, flags);
    const char *instances[] = {name_of(bytes, "orders"), "caf\xe9 \xff\x80\xfe", "r\xc3\xa9sum\xc3\xa9"};
    const char *timed = name_of(bytes, "timed");
    pmUnits counts = COUNTS, none = NONE;
    void *base;
    pmAtomValue *value;
    char metric[16];
    int type, i;

    mmv_stats_add_indom(registry, QUEUES, "Queues", NULL);
    for (i = 0; i < 3; i++)
        mmv_stats_add_instance(registry, QUEUES, i * 1073741823, instances[i]);
    mmv_stats_add_indom(registry, EMPTY, "Nothing", NULL);
    for (type = MMV_TYPE_I32; type <= MMV_TYPE_STRING; type++) {
        sprintf(metric, "type%d", type);
        mmv_stats_add_metric(registry, strdup(metric), 10 + type, type, 0, counts, 0, "\xfc\xf6\xe4", "\xff");
        sprintf(metric, "types%d", type);
        mmv_stats_add_metric(registry, strdup(metric), 20 + type, type, MMV_SEM_INSTANT, none, QUEUES, "", NULL);
    }
    mmv_stats_add_metric(registry, timed, 30, MMV_TYPE_ELAPSED, 0, none, QUEUES, NULL, "");
    mmv_stats_add_metric(registry, "once", 31, MMV_TYPE_ELAPSED, MMV_SEM_INSTANT, counts, 0, NULL, NULL);
    mmv_stats_add_metric(registry, "unsupported", 32, MMV_TYPE_NOSUPPORT, 0, none, 0, "help", NULL);
    mmv_stats_add_metric(registry, "unsupporteds", 33, MMV_TYPE_NOSUPPORT, 0, none, QUEUES, NULL, "help");
    mmv_stats_add_metric(registry, "nothing", 1023, MMV_TYPE_U32, 0, none, EMPTY, "help", NULL);
    base = mmv_stats_start(registry);
    if (base == NULL)
        return NULL;
    for (type = MMV_TYPE_I32; type <= MMV_TYPE_U64; type++) {
        sprintf(metric, "type%d", type);
        memset(mmv_lookup_value_desc(base, metric, NULL), 0xff, sizeof(pmAtomValue));
        sprintf(metric, "types%d", type);
        memset(mmv_lookup_value_desc(base, metric, instances[1]), 0xff, sizeof(pmAtomValue));
        mmv_stats_set(base, metric, instances[2], -1);
    }
    mmv_stats_set_string(base, "types6", instances[0], name_of(254, "text"));
    mmv_stats_set_string(base, "types6", instances[1], "\xff\xfe na\xefve");
    mmv_stats_interval_start(base, NULL, "once", NULL);
    value = mmv_stats_interval_start(base, NULL, timed, instances[0]);
    mmv_stats_interval_end(base, value);
    mmv_stats_interval_start(base, value, NULL, NULL);
    memset(mmv_lookup_value_desc(base, timed, instances[1]), 0xff, sizeof(pmAtomValue));
    mmv_stats_interval_start(base, NULL, timed, instances[1]);
    return base;
}

static void *
start(const char *file, const char *shape)
{
    if (strcmp(shape, "plain") == 0)
        return mmv_stats_init(file, 500, MMV_FLAG_PROCESS | MMV_FLAG_SENTINEL, metrics, 8, indoms, 1);
    if (strcmp(shape, "other") == 0)
        return mmv_stats_init(file, 500, MMV_FLAG_PROCESS, other_metrics, 1, NULL, 0);
    if (strcmp(shape, "automatic") == 0) /* the agent chooses the cluster */
        return mmv_stats_init(file, 0, MMV_FLAG_PROCESS, other_metrics, 1, NULL, 0);
    if (strcmp(shape, "automatic queues") == 0)
        return mmv_stats_init(file, 0, MMV_FLAG_PROCESS, metrics, 8, indoms, 1);
    if (strcmp(shape, "long") == 0)
        return mmv_stats2_init(file, 0, MMV_FLAG_NOPREFIX, long_metrics, 2, long_indoms, 1);
    if (strcmp(shape, "edges") == 0)
        return edges(file, MMV_FLAG_NOPREFIX | MMV_FLAG_PROCESS | MMV_FLAG_SENTINEL, 63);
    if (strcmp(shape, "long edges") == 0)
        return edges(file, 0, 255);
    return labelled(file);
}

int
main(int argc, char *argv[])
{
    char line[256], metric[128], instance[128], value[128];
    const char *shape;
    void *base;

    if (argc != 3) {
        fprintf(stderr, "Usage: %s FILE SHAPE\n", argv[0]);
        return 1;
    }
    shape = argv[2];
    base = start(argv[1], shape);
    if (base == NULL) {
        perror("mmv_stats_init");
        return 1;
    }
    if (strcmp(shape, "plain") == 0)
        mmv_stats_interval_start(base, NULL, "busy", "orders");
    puts("ready");
    fflush(stdout);
    while (fgets(line, sizeof(line), stdin) != NULL) {
        if (sscanf(line, "%127s %127s %127[^\n]", metric, instance, value) != 3)
            return 1;
        if (strcmp(metric, "state") == 0)
            mmv_stats_set_string(base, metric, "", value);
        else
            mmv_stats_set(base, metric, strcmp(instance, "-") == 0 ? "" : instance, atof(value));
        puts("ok");
        fflush(stdout);
    }
    mmv_stats_stop(argv[1], base);
    return 0;
}
