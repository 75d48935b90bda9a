// SPDX-License-Identifier: Apache-2.0
//
// Stands for the applications of all MMV files in a directory: maps the files and adds up to 200 to each
// of their values once a second, until it is killed. The number is a random one, because stores of time
// series compress constant rates to almost nothing.
//
//   live DIRECTORY

#include <dirent.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    MAX_FILES = 10000,
    TOC_COUNT = 24, TOC = 40, TOC_SIZE = 16, // offsets and sizes of mmv(5)
    VALUES = 4,
    WORDS_OF_VALUE = 4,
    MOST = 200 // that is added in a second
};

struct values {
    uint64_t *first;
    uint32_t count;
};

static void fail(const char *what) {
    perror(what);
    exit(1);
}

// Maps a file and finds its VALUES section.
static struct values map(int directory, const char *name) {
    struct values values = {NULL, 0};
    struct stat status;
    int fd = openat(directory, name, O_RDWR);
    if (fd < 0 || fstat(fd, &status) != 0) {
        fail(name);
    }
    char *file = mmap(NULL, status.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (file == MAP_FAILED) {
        fail(name);
    }
    close(fd);
    uint32_t sections;
    memcpy(&sections, file + TOC_COUNT, sizeof sections);
    for (uint32_t i = 0; i < sections; i++) {
        struct { uint32_t type, count; uint64_t offset; } section;
        memcpy(&section, file + TOC + i * TOC_SIZE, sizeof section);
        if (section.type == VALUES) {
            values.first = (uint64_t *)(file + section.offset);
            values.count = section.count;
        }
    }
    return values;
}

int main(int argc, char **argv) {
    static struct values files[MAX_FILES];
    int count = 0;
    DIR *directory = argc == 2 ? opendir(argv[1]) : NULL;
    if (directory == NULL) {
        fail("usage: live DIRECTORY");
    }
    for (struct dirent *entry; (entry = readdir(directory)) != NULL && count < MAX_FILES;) {
        if (entry->d_name[0] != '.') {
            files[count++] = map(dirfd(directory), entry->d_name);
        }
    }
    while (count > 0) {
        for (int f = 0; f < count; f++) {
            for (uint32_t i = 0; i < files[f].count; i++) {
                files[f].first[(size_t)i * WORDS_OF_VALUE] += random() % (MOST + 1);
            }
            usleep(1000000 / count);
        }
    }
}
