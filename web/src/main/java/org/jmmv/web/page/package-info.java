/** The page for people: files that a browser loads. What it shows comes from {@code /api/v1}. */
package org.jmmv.web.page;
