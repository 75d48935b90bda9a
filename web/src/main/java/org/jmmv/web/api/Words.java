package org.jmmv.web.api;

import java.util.List;
import java.util.Locale;
import org.jmmv.pcp.FileText;
import org.jmmv.pcp.HeapSize;
import org.jmmv.pcp.LabelEntry;
import org.jmmv.pcp.Labels;
import org.jmmv.web.http.Failure;
import org.jmmv.web.http.Request;

/** The words of a search. A set of them is a number with a bit for each. */
final class Words {
  /**
   * All words together are not longer than the longest name of an instance. With words of 4 KiB, to
   * look for them in the labels of one metric could take a tenth of a second.
   */
  private static final int MAX_LENGTH = 255;

  private final List<String> words; // in lower case

  private Words(List<String> words) {
    this.words = words;
  }

  /** Returns the words that the parameters {@code word} of a request have. */
  static Words of(Request request) throws Failure {
    List<String> words =
        request.all("word").stream()
            .filter(word -> !word.isEmpty())
            .map(word -> word.toLowerCase(Locale.ROOT))
            .toList();
    if (words.size() > Integer.SIZE) {
      throw Failure.badRequest("there are more than %d words".formatted(Integer.SIZE));
    }
    if (words.stream().mapToInt(String::length).sum() > MAX_LENGTH) {
      throw Failure.badRequest("the words have more than %d characters".formatted(MAX_LENGTH));
    }
    return new Words(words);
  }

  /** Returns the set of all words. */
  int all() {
    return words.isEmpty() ? 0 : -1 >>> (Integer.SIZE - words.size());
  }

  /** Returns those of some words that a text of a file does not contain, in any case. */
  int missing(int some, String text) {
    return text == null ? some : missingDecoded(some, FileText.decode(text));
  }

  /** Returns those of some words that no value of some labels contains. */
  int missing(int some, Labels labels) {
    int left = some;
    if (labels != null) {
      for (LabelEntry entry : labels.entries()) {
        int start = entry.valueOffset();
        left = missing(left, labels.json().substring(start, start + entry.valueLength()));
        if (left == 0) {
          break;
        }
      }
    }
    return left;
  }

  /** Returns those of some words that a text does not contain, in any case. */
  int missingDecoded(int some, String text) {
    String lower = text.toLowerCase(Locale.ROOT);
    int left = some;
    for (int i = 0; i < words.size(); i++) {
      if ((left & 1 << i) != 0 && lower.contains(words.get(i))) {
        left &= ~(1 << i);
      }
    }
    return left;
  }

  /** Returns what is kept, in bytes. */
  long bytes() {
    return HeapSize.ofReferences(words.size()) + words.stream().mapToLong(HeapSize::of).sum();
  }
}
