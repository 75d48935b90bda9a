// SPDX-License-Identifier: Apache-2.0
//
// Many clients of one server, on a Unix domain socket: each fetches all metrics below mmv, except
// those below mmv.control, once a second.
//
//   crowd SOCKET CLIENTS SECONDS
//
// The clients begin at different times within a second. A client that has no reply when its next
// fetch is due ends the measurement with an error. The output has one line per figure: fetches, and
// p50_us, p99_us and max_us, the time from before a request is written until its reply has been read,
// in microseconds.

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum {
    PROFILE = 0x7002, CREDS = 0x700c, IDS, NAMES, TRAVERSE = 0x7010,
    HIGHRES_FETCH = 0x7014, HIGHRES_RESULT
};
enum { HEADER = 3, MAX_PDU = 1 << 24, MAX_CLIENTS = 10000 }; // HEADER in words

struct client {
    int socket;
    double due, sent; // sent: 0 while no reply is expected
    char *reply;
    size_t have;
};

static struct client clients[MAX_CLIENTS];
static struct pollfd polled[MAX_CLIENTS];

static void fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "crowd: ");
    vfprintf(stderr, format, arguments);
    fprintf(stderr, "\n");
    va_end(arguments);
    exit(1);
}

static double seconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

static void send_pdu(int to, uint32_t *pdu, uint32_t type, size_t words) {
    pdu[0] = htonl(words * 4);
    pdu[1] = htonl(type);
    pdu[2] = 0;
    if (write(to, pdu, words * 4) != (ssize_t)words * 4) {
        fail("write: %s", strerror(errno));
    }
}

/* Reads the rest of a PDU as far as it has arrived. Returns whether it is complete. */
static int has_read(struct client *client, int flags) {
    size_t want = HEADER * 4;
    if (client->have >= want) {
        want = ntohl(*(uint32_t *)client->reply);
    }
    if (want < HEADER * 4 || want > MAX_PDU) {
        fail("a PDU of %zu bytes", want);
    }
    client->reply = realloc(client->reply, want);
    ssize_t got = recv(client->socket, client->reply + client->have, want - client->have, flags);
    if (got <= 0 && !(got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))) {
        fail("the server has closed a connection");
    }
    client->have += got > 0 ? got : 0;
    return client->have > HEADER * 4 && client->have == ntohl(*(uint32_t *)client->reply);
}

static uint32_t *wait_for(struct client *client, uint32_t type) {
    for (client->have = 0; !has_read(client, 0);) {
    }
    client->have = 0;
    uint32_t *pdu = (uint32_t *)client->reply;
    if (ntohl(pdu[1]) != type) {
        fail("a PDU 0x%x instead of 0x%x", ntohl(pdu[1]), type);
    }
    return pdu;
}

static void begin(struct client *client, const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strncpy(address.sun_path, path, sizeof address.sun_path - 1);
    client->socket = socket(AF_UNIX, SOCK_STREAM, 0);
    if (connect(client->socket, (struct sockaddr *)&address, sizeof address) != 0) {
        fail("%s: %s", path, strerror(errno));
    }
    wait_for(client, 0x7000);
    uint32_t creds[HEADER + 2] = {0, 0, 0, htonl(1), htonl(0x01020000)};
    send_pdu(client->socket, creds, CREDS, HEADER + 2);
    uint32_t profile[HEADER + 4] = {0}; // all instances
    send_pdu(client->socket, profile, PROFILE, HEADER + 4);
}

/* Returns a request for all metrics. */
static uint32_t *make_fetch(struct client *client, size_t *words) {
    uint32_t root[HEADER + 3] = {0, 0, 0, 0, htonl(3)};
    memcpy(root + HEADER + 2, "mmv", 4);
    send_pdu(client->socket, root, TRAVERSE, HEADER + 3);
    uint32_t *list = wait_for(client, NAMES);
    uint32_t count = ntohl(list[HEADER + 2]), pmids = 0;
    char *names = malloc(ntohl(list[0])), *name = names;
    memcpy(names, list + HEADER + 3, ntohl(list[0]) - (HEADER + 3) * 4);
    uint32_t *fetch = calloc(HEADER + 4 + count, 4);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t length = ntohl(*(uint32_t *)name), padded = (length + 3) / 4;
        if (length < 12 || memcmp(name + 4, "mmv.control.", 12) != 0) {
            uint32_t ask[HEADER + 4 + padded];
            memset(ask, 0, sizeof ask);
            ask[HEADER] = htonl(length + 1);
            ask[HEADER + 2] = htonl(1);
            memcpy(ask + HEADER + 3, name, 4 + length);
            send_pdu(client->socket, ask, NAMES, HEADER + 4 + padded);
            fetch[HEADER + 4 + pmids++] = wait_for(client, IDS)[HEADER + 2];
        }
        name += 4 + padded * 4;
    }
    fetch[HEADER + 3] = htonl(pmids);
    *words = HEADER + 4 + pmids;
    free(names);
    return fetch;
}

static int compare(const void *a, const void *b) {
    double difference = *(const double *)a - *(const double *)b;
    return (difference > 0) - (difference < 0);
}

int main(int argc, char **argv) {
    int count = argc == 4 ? atoi(argv[2]) : 0;
    double duration = argc == 4 ? strtod(argv[3], NULL) : 0;
    if (count < 1 || count > MAX_CLIENTS || duration < 1) {
        fprintf(stderr, "usage: crowd SOCKET CLIENTS SECONDS\n");
        return 2;
    }
    for (int i = 0; i < count; i++) {
        begin(&clients[i], argv[1]);
        polled[i] = (struct pollfd){.fd = clients[i].socket, .events = POLLIN};
    }
    size_t words;
    uint32_t *fetch = make_fetch(&clients[0], &words);
    double start = seconds();
    for (int i = 0; i < count; i++) {
        clients[i].due = start + (double)i / count;
    }
    double *samples = calloc(count * (size_t)(duration + 1), sizeof *samples);
    size_t done = 0;
    int next = 0; // the clients take turns
    while (seconds() < start + duration) {
        struct client *client = &clients[next];
        double wait = client->due - seconds();
        if (wait <= 0) {
            if (client->sent != 0) {
                fail("client %d has no reply after a second", next);
            }
            client->sent = seconds();
            send_pdu(client->socket, fetch, HIGHRES_FETCH, words);
            client->due += 1;
            next = (next + 1) % count;
            wait = 0;
        }
        struct timespec timeout = {.tv_nsec = wait * 1e9};
        if (ppoll(polled, count, &timeout, NULL) < 1) {
            continue;
        }
        for (int i = 0; i < count; i++) {
            if (polled[i].revents != 0 && has_read(&clients[i], MSG_DONTWAIT)) {
                if (ntohl(((uint32_t *)clients[i].reply)[1]) != HIGHRES_RESULT) {
                    fail("a fetch failed");
                }
                samples[done++] = seconds() - clients[i].sent;
                clients[i].have = clients[i].sent = 0;
            }
        }
    }
    if (done == 0) {
        fail("no reply");
    }
    qsort(samples, done, sizeof *samples, compare);
    printf("fetches %zu\np50_us %.1f\np99_us %.1f\nmax_us %.1f\n", done, samples[done / 2] * 1e6,
        samples[(size_t)(done * 0.99)] * 1e6, samples[done - 1] * 1e6);
    return 0;
}
