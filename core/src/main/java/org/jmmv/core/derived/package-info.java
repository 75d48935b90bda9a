/**
 * Derived metrics: expressions over the metrics of a catalogue, as pmRegisterDerived(3) defines
 * them.
 */
package org.jmmv.core.derived;
