// SPDX-License-Identifier: Apache-2.0
//
// The lower bound for the time of a fetch: a program that takes the same requests on standard input
// as an agent does, and replies to each FETCH with ready-made bytes.
//
//   floor METRICS BYTES
//
// It lists METRICS metrics, and its replies to a FETCH have BYTES bytes. Like jmmv, it enlarges the
// pipe for the replies to 1 MiB.

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    RESULT = 0x7001, FETCH = 0x7003, DESC_REQ, DESC, CREDS = 0x700c, IDS, NAMES,
    TRAVERSE = 0x7010
};
enum { HEADER = 3, MAX_REQUEST = 1 << 20, PIPE_SIZE = 1 << 20 };

static void answer(uint32_t *pdu, uint32_t type, size_t bytes) {
    pdu[0] = htonl(bytes);
    pdu[1] = htonl(type);
    pdu[2] = 0;
    for (char *next = (char *)pdu; bytes > 0;) {
        ssize_t written = write(1, next, bytes);
        if (written <= 0) {
            exit(1);
        }
        next += written;
        bytes -= written;
    }
}

int main(int argc, char **argv) {
    size_t metrics = argc == 3 ? strtoul(argv[1], NULL, 10) : 0;
    size_t bytes = argc == 3 ? strtoul(argv[2], NULL, 10) : 0;
    if (metrics == 0 || bytes < (HEADER + 3) * 4) {
        fprintf(stderr, "usage: floor METRICS BYTES\n");
        return 2;
    }
    fcntl(1, F_SETPIPE_SZ, PIPE_SIZE);
    uint32_t *result = calloc(bytes / 4 + 1, 4);
    uint32_t *names = calloc(HEADER + 3 + metrics * 3, 4);
    if (result == NULL || names == NULL) {
        return 1;
    }
    memset(result + HEADER, 1, bytes - HEADER * 4);
    result[HEADER + 2] = 0; // the number of value sets, which the driver goes through: none
    names[HEADER] = htonl(metrics * 6);
    names[HEADER + 2] = htonl(metrics);
    for (size_t i = 0; i < metrics; i++) {
        memcpy(names + HEADER + 3 + i * 3, "\0\0\0\5mmv.m~~~", 12);
    }
    uint32_t creds[HEADER + 2] = {0, 0, 0, htonl(1), htonl(0x01020000)};
    answer(creds, CREDS, sizeof creds);

    static uint32_t request[MAX_REQUEST / 4];
    size_t have = 0;
    while (1) {
        ssize_t got = read(0, (char *)request + have, sizeof request - have);
        if (got <= 0) {
            return got < 0;
        }
        have += got;
        char *next = (char *)request;
        while (have >= HEADER * 4 && have >= ntohl(((uint32_t *)next)[0])) {
            uint32_t ids[HEADER + 3] = {0, 0, 0, 0, htonl(1), htonl(1)}, desc[HEADER + 5] = {0};
            switch (ntohl(((uint32_t *)next)[1])) {
            case TRAVERSE: answer(names, NAMES, (HEADER + 3 + metrics * 3) * 4); break;
            case NAMES: answer(ids, IDS, sizeof ids); break;
            case DESC_REQ: answer(desc, DESC, sizeof desc); break;
            case FETCH: answer(result, RESULT, bytes); break;
            }
            size_t length = ntohl(((uint32_t *)next)[0]);
            next += length;
            have -= length;
        }
        memmove(request, next, have);
    }
}
