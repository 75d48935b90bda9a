/**
 * What is wrong with a file, a directory, or a part of one, as data: a {@link
 * org.jmmv.reader.fault.FaultKind}, a {@link org.jmmv.reader.fault.Place} and arguments. All of
 * jmmv reports faults of these kinds; texts are made of them where people read them.
 */
package org.jmmv.reader.fault;
