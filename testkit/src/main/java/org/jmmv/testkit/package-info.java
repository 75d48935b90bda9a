/** Writes MMV files, and finds other programs' files, for tests, benchmarks and training. */
package org.jmmv.testkit;
