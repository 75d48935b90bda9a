/**
 * {@code ./check}: runs the parts of the build and of the tests, two at a time, and shows a table.
 * The script starts it from its sources, before anything is built.
 */
package org.jmmv.qa.check;
