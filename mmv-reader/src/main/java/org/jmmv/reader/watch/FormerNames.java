package org.jmmv.reader.watch;

import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.SequencedSet;
import org.jmmv.pcp.User;
import org.jmmv.reader.fault.FileName;

/**
 * The names under which files were served that are not there any more, by the owners of these
 * files. An application that removes its file at its end is known by its name when it is started
 * again.
 *
 * <p>Everybody can create and remove millions of files. The name that is forgotten is therefore the
 * oldest one of the owner who has most of them.
 */
final class FormerNames {
  /** The maximum number of names: they take up to 350 kB. */
  static final int MAX = 1_000;

  private final Map<User, SequencedSet<FileName>> byOwner = new HashMap<>();
  private int count;

  /** Adds a name, as the last one of an owner. */
  void add(User owner, FileName name) {
    SequencedSet<FileName> names = byOwner.computeIfAbsent(owner, _ -> new LinkedHashSet<>());
    count += names.contains(name) ? 0 : 1;
    names.addLast(name);
    if (count > MAX) {
      forgetOne();
    }
  }

  private void forgetOne() {
    SequencedSet<FileName> most =
        Collections.max(byOwner.values(), Comparator.comparingInt(SequencedSet::size));
    most.removeFirst();
    count--;
    byOwner.values().removeIf(SequencedSet::isEmpty);
  }

  boolean has(User owner, FileName name) {
    SequencedSet<FileName> names = byOwner.get(owner);
    return names != null && names.contains(name);
  }
}
