/** What the commands of {@code jmmv} have in common. */
package org.jmmv.cli.command;
