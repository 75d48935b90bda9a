// SPDX-License-Identifier: Apache-2.0
//
// Starts an agent on a pipe as pmcd does, sends requests of one kind, and measures the time until
// each reply has been read and the CPU time that the agent uses.
//
//   drive [OPTION...] -- AGENT ARGUMENT...
//
//   -c CPU      the CPU for this program; default: any
//   -a CPU      the CPU for the agent; default: any
//   -m COUNT    request only the first COUNT metrics; default: all
//   -i NUMBER   use a profile that selects one instance of the first metric's instance domain
//   -d          measure requests for descriptors, of one metric after the other, instead of fetches
//   -e COUNT    before each COUNTth request, do what a new client does: a traverse, and requests
//               for the PMIDs and the descriptors of all metrics
//   -r FILE     before each request, replace FILE by a copy with a new generation (rename(2))
//   -b SECONDS  pause for SECONDS between the start and the first request
//   -p MS       pause for MS milliseconds before each request
//   -w COUNT    warm up with at least COUNT requests
//   -W SECONDS  ... and for at least SECONDS
//   -n COUNT    then measure at most COUNT requests, by default 10,000,000
//   -s SECONDS  ... and for at most SECONDS, by default 1, but at least one request. If the very
//               first request takes longer, that request is measured, without warming up
//   -I SECONDS  after that, send nothing for SECONDS and measure the CPU time that the agent uses
//   -t SECONDS  the timeout for a reply, by default 60; then the agent is killed, the status is 3
//   -x COMMAND  run COMMAND before and after the measurement, with the agent's process ID in $AGENT
//
// The agent's own metrics (mmv.control) are not requested. The output has one line per figure: a
// name and a number. Names that end in _us are in microseconds: start_us from the fork until the
// CREDS PDU has been read, traverse_us of the first traverse, name_us the median of the first 100
// look-ups of a name, first_us of the first request, cpu_us the agent's CPU time per request,
// idle_us its CPU time without requests, p50_us, p99_us and mean_us of the measured requests.

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    RESULT = 0x7001, PROFILE, FETCH, DESC_REQ, DESC, CREDS = 0x700c, IDS, NAMES, TRAVERSE = 0x7010
};
enum { HEADER = 3, MAX_SAMPLES = 10000000, FIRST_NAMES = 100, MAX_REPLY = 1 << 28, TIMED_OUT = 3 };

static pid_t agent;
static int to_agent, from_agent, patience_ms = 60000;

// the last reply: room for HEADER words, then the body
static uint32_t *reply;
static size_t reply_room, reply_size;

static uint32_t *pmids;
static int pmid_count, most = INT32_MAX;
static double look_ups[FIRST_NAMES];
static int look_up_count;
static uint32_t *fetch_pdu, profile_pdu[HEADER + 9];
static int ask_for_desc, new_client_every, pause_ms;
static long requests;
static const char *rewritten;

static void fail(int status, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "drive: ");
    vfprintf(stderr, format, arguments);
    fprintf(stderr, "\n");
    va_end(arguments);
    if (agent > 0) {
        kill(agent, SIGKILL);
    }
    exit(status);
}

static void *room(size_t count, size_t size) {
    void *memory = calloc(count + 1, size);
    if (memory == NULL) {
        fail(1, "no memory");
    }
    return memory;
}

static double seconds(clockid_t clock) {
    struct timespec time = {0};
    clock_gettime(clock, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

static void run_on(int cpu) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    if (cpu >= 0 && sched_setaffinity(0, sizeof set, &set) != 0) {
        fail(1, "can't run on CPU %d: %s", cpu, strerror(errno));
    }
}

static void start(char **command, int cpu) {
    int requests[2], replies[2];
    if (pipe2(requests, O_CLOEXEC) != 0 || pipe2(replies, O_CLOEXEC) != 0) {
        fail(1, "pipe: %s", strerror(errno));
    }
    agent = fork();
    if (agent == 0) {
        run_on(cpu);
        dup2(requests[0], 0);
        dup2(replies[1], 1);
        execvp(command[0], command);
        fprintf(stderr, "drive: %s: %s\n", command[0], strerror(errno));
        _exit(127);
    }
    close(requests[0]);
    close(replies[1]);
    to_agent = requests[1];
    from_agent = replies[0];
}

// Fills in the HEADER words of a PDU and sends it.
static void send_pdu(uint32_t *pdu, uint32_t type, size_t words) {
    pdu[0] = htonl(words * 4);
    pdu[1] = htonl(type);
    pdu[2] = 0;
    char *next = (char *)pdu;
    for (size_t left = words * 4; left > 0;) {
        ssize_t written = write(to_agent, next, left);
        if (written < 0) {
            fail(1, "can't write to the agent: %s", strerror(errno));
        }
        next += written;
        left -= written;
    }
}

static void receive_bytes(char *into, size_t count) {
    while (count > 0) {
        struct pollfd readable = {from_agent, POLLIN, 0};
        if (poll(&readable, 1, patience_ms) == 0) {
            fail(TIMED_OUT, "no answer within %d s", patience_ms / 1000);
        }
        ssize_t got = read(from_agent, into, count);
        if (got <= 0) {
            fail(1, "the agent has closed the pipe");
        }
        into += got;
        count -= got;
    }
}

static void receive_pdu(uint32_t type) {
    uint32_t header[HEADER];
    receive_bytes((char *)header, sizeof header);
    reply_size = ntohl(header[0]);
    if (reply_size < sizeof header || reply_size > MAX_REPLY) {
        fail(1, "a reply of %zu bytes", reply_size);
    }
    if (reply_room < reply_size) {
        reply_room = 2 * reply_size;
        free(reply);
        reply = room(reply_room, 1);
    }
    receive_bytes((char *)(reply + HEADER), reply_size - sizeof header);
    if (ntohl(header[1]) != type) {
        fail(1, "a reply of type 0x%x, not 0x%x", ntohl(header[1]), type);
    }
}

// Writes a text, padded to whole words of 4 bytes with '~', and returns the number of words.
static size_t put_text(uint32_t *to, const char *text, size_t length) {
    size_t words = (length + 3) / 4;
    memset(to, '~', words * 4);
    memcpy(to, text, length);
    return words;
}

static void shake_hands(void) {
    receive_pdu(CREDS);
    uint32_t creds[HEADER + 2] = {0, 0, 0, htonl(1), htonl(0x01020000)};
    send_pdu(creds, CREDS, HEADER + 2);
}

static void traverse(void) {
    uint32_t pdu[HEADER + 3] = {0, 0, 0, 0, htonl(3)};
    put_text(pdu + HEADER + 2, "mmv", 3);
    send_pdu(pdu, TRAVERSE, HEADER + 3);
    receive_pdu(NAMES);
}

// Looks up the PMIDs of the first `most` names in the last reply, which is that of a traverse.
static void look_up(void) {
    uint32_t count = ntohl(reply[HEADER + 2]);
    uint32_t *names = room(reply_size, 1);
    memcpy(names, reply + HEADER + 3, reply_size - (HEADER + 3) * 4);
    free(pmids);
    pmids = room(count, sizeof *pmids);
    pmid_count = 0;
    for (uint32_t *name = names; count > 0 && pmid_count < most; count--) {
        uint32_t length = ntohl(*name++);
        if (length < 12 || memcmp(name, "mmv.control.", 12) != 0) {
            uint32_t pdu[HEADER + 4 + (length + 3) / 4];
            pdu[HEADER] = htonl(length + 1);
            pdu[HEADER + 1] = 0;
            pdu[HEADER + 2] = htonl(1);
            pdu[HEADER + 3] = htonl(length);
            size_t words = put_text(pdu + HEADER + 4, (char *)name, length);
            double begin = seconds(CLOCK_MONOTONIC);
            send_pdu(pdu, NAMES, HEADER + 4 + words);
            receive_pdu(IDS);
            if (look_up_count < FIRST_NAMES) {
                look_ups[look_up_count++] = seconds(CLOCK_MONOTONIC) - begin;
            }
            pmids[pmid_count++] = reply[HEADER + 2];
        }
        name += (length + 3) / 4;
    }
    free(names);
    if (pmid_count == 0) {
        fail(1, "the agent has no metrics");
    }
}

static void describe(uint32_t pmid) {
    uint32_t pdu[HEADER + 1] = {0, 0, 0, pmid};
    send_pdu(pdu, DESC_REQ, HEADER + 1);
    receive_pdu(DESC);
}

static void act_as_new_client(void) {
    traverse();
    look_up();
    for (int i = 0; i < pmid_count; i++) {
        describe(pmids[i]);
    }
}

// Prepares the PROFILE, for all instances (-1) or for one, and the FETCH.
static void prepare(int instance) {
    if (instance >= 0) {
        describe(pmids[0]);
        uint32_t only_listed = htonl(1), one = htonl(1);
        uint32_t body[] = {
            0, only_listed, one, 0, reply[HEADER + 2], only_listed, one, 0, htonl(instance)};
        memcpy(profile_pdu + HEADER, body, sizeof body);
    }
    fetch_pdu = room(HEADER + 4 + pmid_count, 4);
    fetch_pdu[HEADER + 3] = htonl(pmid_count);
    memcpy(fetch_pdu + HEADER + 4, pmids, pmid_count * 4);
}

static void fetch(void) {
    send_pdu(profile_pdu, PROFILE, HEADER + 4 + (profile_pdu[HEADER + 2] ? 5 : 0));
    send_pdu(fetch_pdu, FETCH, HEADER + 4 + pmid_count);
    receive_pdu(RESULT);
}

// Replaces the file by a copy whose generation numbers are greater by one.
static void rewrite(void) {
    char hidden[4096], directory[4096];
    snprintf(directory, sizeof directory, "%s", rewritten);
    char *slash = strrchr(directory, '/');
    *(slash ? slash : directory) = 0;
    snprintf(hidden, sizeof hidden, "%s%s.rewritten", directory, slash ? "/" : "");
    FILE *from = fopen(rewritten, "r"), *to = fopen(hidden, "w");
    struct stat status;
    if (from == NULL || to == NULL || fstat(fileno(from), &status) != 0) {
        fail(1, "can't rewrite %s: %s", rewritten, strerror(errno));
    }
    char *bytes = room(status.st_size, 1);
    size_t size = fread(bytes, 1, status.st_size, from);
    uint64_t generation[2];
    memcpy(generation, bytes + 8, sizeof generation);
    generation[1] = ++generation[0];
    memcpy(bytes + 8, generation, sizeof generation);
    fwrite(bytes, 1, size, to);
    free(bytes);
    fclose(from);
    if (fclose(to) != 0 || rename(hidden, rewritten) != 0) {
        fail(1, "can't rewrite %s: %s", rewritten, strerror(errno));
    }
}

// Sends one request, and returns the time until its reply has been read, in seconds.
static double request(void) {
    requests++;
    if (pause_ms > 0) {
        usleep(pause_ms * 1000);
    }
    if (rewritten) {
        rewrite();
    }
    if (new_client_every && requests % new_client_every == 0) {
        act_as_new_client();
    }
    double begin = seconds(CLOCK_MONOTONIC);
    if (ask_for_desc) {
        describe(pmids[requests % pmid_count]);
    } else {
        fetch();
    }
    return seconds(CLOCK_MONOTONIC) - begin;
}

static int by_size(const void *a, const void *b) {
    double first = *(const double *)a, second = *(const double *)b;
    return (first > second) - (first < second);
}

static double median(double *samples, long count) {
    qsort(samples, count, sizeof *samples, by_size);
    return samples[count / 2];
}

static void count_values(void) {
    long values = 0, errors = 0;
    uint32_t *set = reply + HEADER + 3;
    for (uint32_t sets = ntohl(reply[HEADER + 2]); sets > 0; sets--) {
        int32_t count = ntohl(set[1]);
        values += count > 0 ? count : 0;
        errors += count < 0;
        set += count > 0 ? 3 + 2 * count : 2;
    }
    printf("values %ld\nerrors %ld\n", values, errors);
}

static void run(const char *command) {
    if (command) {
        fflush(stdout);
        if (system(command) != 0) {
            fail(1, "failed: %s", command);
        }
    }
}

int main(int argc, char **argv) {
    int driver_cpu = -1, agent_cpu = -1, instance = -1, first_pause = 0;
    int idle_seconds = 0, option;
    long warm_count = 0, most_samples = MAX_SAMPLES;
    double warm_seconds = 0, measured_seconds = 1;
    const char *command = NULL;
    while ((option = getopt(argc, argv, "+c:a:m:i:de:r:b:p:w:W:n:s:I:t:x:")) != -1) {
        switch (option) {
        case 'c': driver_cpu = atoi(optarg); break;
        case 'a': agent_cpu = atoi(optarg); break;
        case 'm': most = atoi(optarg); break;
        case 'i': instance = atoi(optarg); break;
        case 'd': ask_for_desc = 1; break;
        case 'e': new_client_every = atoi(optarg); break;
        case 'r': rewritten = optarg; break;
        case 'b': first_pause = atoi(optarg); break;
        case 'p': pause_ms = atoi(optarg); break;
        case 'w': warm_count = atol(optarg); break;
        case 'W': warm_seconds = atof(optarg); break;
        case 'n': most_samples = atol(optarg); break;
        case 's': measured_seconds = atof(optarg); break;
        case 'I': idle_seconds = atoi(optarg); break;
        case 't': patience_ms = atoi(optarg) * 1000; break;
        case 'x': command = optarg; break;
        default: return 2;
        }
    }
    if (optind == argc || most_samples < 1 || most_samples > MAX_SAMPLES) {
        fprintf(stderr, "usage: drive [OPTION...] -- AGENT ARGUMENT...\n");
        return 2;
    }
    signal(SIGPIPE, SIG_IGN);
    run_on(driver_cpu);

    double begin = seconds(CLOCK_MONOTONIC);
    start(argv + optind, agent_cpu);
    shake_hands();
    double started = seconds(CLOCK_MONOTONIC);
    sleep(first_pause);
    double asked = seconds(CLOCK_MONOTONIC);
    traverse();
    double traversed = seconds(CLOCK_MONOTONIC);
    printf("names %u\n", ntohl(reply[HEADER + 2]));
    look_up();
    prepare(instance);

    double *samples = room(most_samples, sizeof *samples);
    long count = 0;
    double sum = 0, cpu = 0;
    clockid_t agents_cpu_time;
    clock_getcpuclockid(agent, &agents_cpu_time);
    char number[16];
    snprintf(number, sizeof number, "%d", agent);
    setenv("AGENT", number, 1);

    cpu = seconds(agents_cpu_time);
    double first = request();
    if (first > measured_seconds) {
        samples[count++] = sum = first;
    } else {
        double warm = seconds(CLOCK_MONOTONIC);
        for (long i = 1; i < warm_count || seconds(CLOCK_MONOTONIC) - warm < warm_seconds; i++) {
            request();
        }
        run(command);
        cpu = seconds(agents_cpu_time);
        double until = seconds(CLOCK_MONOTONIC) + measured_seconds;
        do {
            samples[count] = request();
            sum += samples[count++];
        } while (count < most_samples && seconds(CLOCK_MONOTONIC) < until);
    }
    cpu = seconds(agents_cpu_time) - cpu;
    double idle = seconds(agents_cpu_time);
    sleep(idle_seconds);
    idle = seconds(agents_cpu_time) - idle;
    run(command);
    if (!ask_for_desc) {
        count_values();
    }
    double p50 = median(samples, count);
    printf("start_us %.0f\n", (started - begin) * 1e6);
    printf("traverse_us %.0f\n", (traversed - asked) * 1e6);
    printf("name_us %.2f\n", median(look_ups, look_up_count) * 1e6);
    printf("metrics %d\n", pmid_count);
    printf("reply_bytes %zu\n", reply_size);
    printf("requests %ld\n", count);
    printf("first_us %.2f\n", first * 1e6);
    printf("p50_us %.2f\n", p50 * 1e6);
    printf("p99_us %.2f\n", samples[count * 99 / 100] * 1e6);
    printf("mean_us %.2f\n", sum / count * 1e6);
    printf("cpu_us %.2f\n", cpu / count * 1e6);
    printf("idle_us %.2f\n", idle * 1e6);
    close(to_agent);
    waitpid(agent, NULL, 0);
    return 0;
}
