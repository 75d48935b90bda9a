package org.jmmv.config;

import java.nio.file.Path;

/** The PEM files of a certificate and of its key. */
public record CertificateFiles(Path chain, Path key) {}
