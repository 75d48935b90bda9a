package org.jmmv.core;

import java.util.Optional;

/**
 * What a collector says of itself and its host in {@code pmcd.*}. Strings hold one char per byte.
 *
 * @param hostname the name of the host
 * @param timezone the time zone as in {@code TZ}, for example {@code AEST-10}
 * @param zoneinfo the time zone as the name of a file of zoneinfo(5), for example {@code
 *     :Australia/Brisbane}; empty if it is unknown
 * @param version the version of the collector
 * @param pid the ID of its process
 */
public record PmcdFacts(
    String hostname, String timezone, Optional<String> zoneinfo, String version, int pid) {}
