package org.jmmv.qa;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Groups of classes that depend on each other in a circle. A nested class counts as its outermost
 * class, and a type that a sealed type permits as the sealed type.
 */
final class ClassCircles {
  private final Map<String, Set<String>> dependencies = new TreeMap<>();

  private ClassCircles(JavaClasses classes) {
    Map<String, String> units = new HashMap<>();
    for (JavaClass one : classes) {
      units.put(one.getName(), outermost(one.getName()));
    }
    for (JavaClass one : classes) {
      for (String type : permitted(one)) {
        units.put(type, units.get(one.getName()));
      }
    }
    for (JavaClass one : classes) {
      Set<String> uses =
          dependencies.computeIfAbsent(units.get(one.getName()), _ -> new TreeSet<>());
      one.getDirectDependenciesFromSelf().stream()
          .map(
              dependency -> units.get(dependency.getTargetClass().getBaseComponentType().getName()))
          .filter(unit -> unit != null && !unit.equals(units.get(one.getName())))
          .forEach(uses::add);
    }
  }

  private static List<String> permitted(JavaClass type) {
    try {
      return ClassFile.of()
          .parse(Path.of(type.getSource().orElseThrow().getUri()))
          .findAttribute(Attributes.permittedSubclasses())
          .map(attribute ->
              attribute.permittedSubclasses().stream()
                  .map(entry -> entry.asInternalName().replace('/', '.'))
                  .toList())
          .orElse(List.of());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String outermost(String name) {
    int nested = name.indexOf('$');
    return nested < 0 ? name : name.substring(0, nested);
  }

  /** Returns the groups of more than so many classes in which each class reaches all others. */
  static List<Set<String>> largerThan(int max, JavaClasses classes) {
    ClassCircles circles = new ClassCircles(classes);
    List<Set<String>> large = new ArrayList<>();
    Set<String> done = new HashSet<>();
    for (String unit : circles.dependencies.keySet()) {
      if (!done.contains(unit)) {
        Set<String> group = new TreeSet<>(circles.reachedFrom(unit));
        group.removeIf(other -> !circles.reachedFrom(other).contains(unit));
        group.add(unit);
        done.addAll(group);
        if (group.size() > max) {
          large.add(group);
        }
      }
    }
    return large;
  }

  private Set<String> reachedFrom(String unit) {
    Set<String> reached = new TreeSet<>();
    Deque<String> next = new ArrayDeque<>(dependencies.get(unit));
    while (!next.isEmpty()) {
      String one = next.remove();
      if (reached.add(one)) {
        next.addAll(dependencies.get(one));
      }
    }
    return reached;
  }
}
