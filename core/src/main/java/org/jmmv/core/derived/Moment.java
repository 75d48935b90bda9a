package org.jmmv.core.derived;

import java.util.Map;
import java.util.function.IntFunction;
import org.jmmv.core.InstanceFilter;
import org.jmmv.core.KeptValues;
import org.jmmv.core.Turn;
import org.jmmv.pcp.InstanceTable;

/**
 * What a calculation sees besides its operands.
 *
 * @param nanos the time of the values, as {@link System#nanoTime}
 * @param values those of the metrics that were found, by their names
 * @param filter the selected instances
 * @param instances returns the instances of an instance domain, none of an unknown one
 * @param turn for a calculation of several steps
 */
record Moment(
    long nanos,
    Map<String, KeptValues> values,
    InstanceFilter filter,
    IntFunction<InstanceTable> instances,
    Turn turn) {}
