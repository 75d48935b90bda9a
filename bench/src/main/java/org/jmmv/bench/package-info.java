/** JMH benchmarks of what goes on inside an agent; {@code bench/run} runs them. */
package org.jmmv.bench;
