package org.jmmv.micrometer;

import io.micrometer.core.instrument.Tag;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The instances of one meter, by their tags: {@code uri=/orders,status=200}. In PCP a name has no
 * blanks that matter, no control characters and at most 255 bytes, so tags may have to be changed;
 * different ones have different names.
 *
 * <p>Not thread-safe.
 */
final class TagInstances {
  /** The maximum size of a name in the file (mmv(5)). */
  private static final int MAX = 255;

  private final Map<List<Tag>, String> names = new HashMap<>();
  private final Set<String> taken = new HashSet<>();

  /** Returns whether some tags have a name. */
  boolean has(List<Tag> tags) {
    return names.containsKey(tags);
  }

  /** Forgets the name of tags for which there is no room: there may be tags without end. */
  void forget(List<Tag> tags) {
    taken.remove(names.remove(tags));
  }

  /** Returns the name of the instance with some tags. */
  String name(List<Tag> tags) {
    return names.computeIfAbsent(tags, this::newName);
  }

  private String newName(List<Tag> tags) {
    StringBuilder all = new StringBuilder();
    for (Tag tag : tags) {
      all.append(all.isEmpty() ? "" : ",").append(tag.getKey()).append('=').append(tag.getValue());
    }
    String valid = all.toString().replaceAll("[\\s\\p{Cc}\\p{Zl}\\p{Zp}]", "_");
    String name = truncated(valid, MAX);
    for (int i = 2; !taken.add(name); i++) {
      String end = "~" + i;
      name = truncated(valid, MAX - end.length()) + end;
    }
    return name;
  }

  private static String truncated(String text, int max) {
    int end = Math.min(text.length(), max); // each char has a byte at least
    if (end > 0 && Character.isHighSurrogate(text.charAt(end - 1))) {
      end--;
    }
    while (text.substring(0, end).getBytes(StandardCharsets.UTF_8).length > max) {
      end = text.offsetByCodePoints(end, -1);
    }
    return text.substring(0, end);
  }
}
