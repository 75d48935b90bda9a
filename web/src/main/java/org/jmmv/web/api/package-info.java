/** The catalogue as JSON: {@code /api/v1}, described by {@code openapi.json}. */
package org.jmmv.web.api;
