/** JMH benchmarks of the agent without pipe and process; {@code bench/run} runs them. */
package org.jmmv.bench;
