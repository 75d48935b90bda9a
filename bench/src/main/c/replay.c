// SPDX-License-Identifier: Apache-2.0
//
// The lower bound for the time of a fetch over a Unix domain socket: a program between a client of
// pmcd and its server that answers a fetch with the bytes of the first reply to one.
//
//   replay SOCKET SERVER
//
// It listens on SOCKET, and passes everything but these fetches to the socket SERVER and back. It
// serves one client, whose fetches are all equal, and ends when that has closed the connection.

#include <arpa/inet.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { PROFILE = 0x7002, FETCH = 0x7003, CREDS = 0x700c, ATTR = 0x7011, HIGHRES_FETCH = 0x7014 };
enum { HEADER = 12, MAX_PDU = 1 << 28 };

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static struct sockaddr_un address(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path) {
        fprintf(stderr, "replay: %s is too long\n", path);
        exit(1);
    }
    strcpy(address.sun_path, path);
    return address;
}

static void read_fully(int from, char *to, size_t bytes) {
    while (bytes > 0) {
        ssize_t got = read(from, to, bytes);
        if (got <= 0) {
            exit(got < 0); // the client or the server has closed the connection
        }
        to += got;
        bytes -= got;
    }
}

/* Reads a PDU into *pdu, which is enlarged if necessary. Returns its length. */
static size_t read_pdu(int from, char **pdu) {
    uint32_t header[HEADER / 4];
    read_fully(from, (char *)header, HEADER);
    size_t bytes = ntohl(header[0]);
    if (bytes < HEADER || bytes > MAX_PDU || (*pdu = realloc(*pdu, bytes)) == NULL) {
        fprintf(stderr, "replay: a PDU of %zu bytes\n", bytes);
        exit(1);
    }
    memcpy(*pdu, header, HEADER);
    read_fully(from, *pdu + HEADER, bytes - HEADER);
    return bytes;
}

static void write_fully(int to, const char *from, size_t bytes) {
    while (bytes > 0) {
        ssize_t written = write(to, from, bytes);
        if (written <= 0) {
            exit(0);
        }
        from += written;
        bytes -= written;
    }
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: replay SOCKET SERVER\n");
        return 2;
    }
    struct sockaddr_un own = address(argv[1]), others = address(argv[2]);
    int listener = socket(AF_UNIX, SOCK_STREAM, 0), server = socket(AF_UNIX, SOCK_STREAM, 0);
    if (bind(listener, (struct sockaddr *)&own, sizeof own) != 0 || listen(listener, 1) != 0) {
        fail(argv[1]);
    }
    int client = accept(listener, NULL, NULL);
    if (client < 0 || connect(server, (struct sockaddr *)&others, sizeof others) != 0) {
        fail(argv[2]);
    }
    char *request = NULL, *reply = NULL, *result = NULL;
    size_t result_bytes = 0, bytes = read_pdu(server, &reply); // the greeting
    write_fully(client, reply, bytes);
    while (1) {
        bytes = read_pdu(client, &request);
        int type = ntohl(((uint32_t *)request)[1]);
        int is_fetch = type == FETCH || type == HIGHRES_FETCH;
        if (!is_fetch || result == NULL) {
            write_fully(server, request, bytes);
        }
        if (type == PROFILE || type == CREDS || type == ATTR) { // these have no reply
            continue;
        }
        if (!is_fetch) {
            bytes = read_pdu(server, &reply);
            write_fully(client, reply, bytes);
            continue;
        }
        if (result == NULL) {
            result_bytes = read_pdu(server, &result);
        }
        write_fully(client, result, result_bytes);
    }
}
