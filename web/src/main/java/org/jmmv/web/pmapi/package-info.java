/**
 * PCP's web API, as pmproxy(1) serves it below {@code /pmapi/}; see pmwebapi(3). Documents have the
 * same members as pmproxy's; docs/web.md lists what differs.
 */
package org.jmmv.web.pmapi;
