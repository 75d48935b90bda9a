package org.jmmv.pcp;

import static java.util.stream.Collectors.joining;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What is expected was measured with __pmAddLabels of PCP 6.0.3's libpcp; where it is wrong itself,
 * the test says so.
 */
class LabelsTest {
  private static final int CLUSTER = 8;
  private static final int NOTE = 128;
  private static final int NESTED = CLUSTER | LabelType.COMPOUND;

  private static Labels parse(String text) {
    return LabelParser.parse(text, CLUSTER);
  }

  private static String merged(String first, String... more) {
    List<Labels> sets = new ArrayList<>(List.of(parse(first)));
    for (String text : more) {
      sets.add(parse(text));
    }
    Labels labels = Labels.merge(sets);
    assertConsistent(labels);
    return labels.json();
  }

  private static Labels merged(Labels... sets) {
    return Labels.merge(List.of(sets));
  }

  /** The labels in their order, as name=value. */
  private static String listed(Labels labels) {
    return labels.entries().stream()
        .map(entry -> name(labels, entry) + "=" + value(labels, entry))
        .collect(joining(" "));
  }

  private static String name(Labels labels, LabelEntry entry) {
    return labels.json().substring(entry.nameOffset(), entry.nameOffset() + entry.nameLength());
  }

  private static String value(Labels labels, LabelEntry entry) {
    return labels.json().substring(entry.valueOffset(), entry.valueOffset() + entry.valueLength());
  }

  private static void assertConsistent(Labels labels) {
    for (LabelEntry entry : labels.entries()) {
      assertTrue(
          labels.json().startsWith('"' + name(labels, entry) + "\":", entry.nameOffset() - 1));
      Labels alone = LabelParser.parse("{\"x\":" + value(labels, entry) + "}", CLUSTER);
      assertEquals(value(labels, entry), value(alone, alone.entries().getFirst()));
    }
  }

  private static String numbered(String prefix, int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> "\"" + prefix + i + "\":" + i)
        .collect(joining(",", "{", "}"));
  }

  @Test
  void valuesAreWrittenAsJson() {
    Map<String, Object> values = Map.of("b", "\"\\\n\u00c3\u00bc/", "a", 1L, "c", true);
    Labels labels = Labels.of(values, CLUSTER);
    assertEquals("{\"a\":1,\"b\":\"\\\"\\\\\\u000a\u00c3\u00bc/\",\"c\":true}", labels.json());
    assertConsistent(labels);
    assertEquals(List.of(), Labels.of(Map.of(), CLUSTER).entries());
    assertThrows(IllegalArgumentException.class, () -> Labels.of(Map.of("a-b", 1L), CLUSTER));
  }

  @Test
  void oneLabel() {
    assertEquals(
        new Labels("{\"agent\":\"mmv\"}", List.of(new LabelEntry(2, 5, CLUSTER, 9, 5))),
        parse("{\"agent\":\"mmv\"}"));
  }

  @Test
  void whiteSpaceIsRemovedOutsideOfStrings() {
    Labels labels = parse(" {\r\n\t\"b\" : 1 , \"a\":\" x \"\n} ");
    assertEquals("{\"b\":1,\"a\":\" x \"}", labels.json());
    assertEquals(
        List.of(new LabelEntry(8, 1, CLUSTER, 11, 5), new LabelEntry(2, 1, CLUSTER, 5, 1)),
        labels.entries());
  }

  @Test
  void entriesAreSortedByNameAndTheTextIsNot() {
    Labels labels = parse("{\"abc\":1,\"ab\":2,\"b\":3,\"B\":4,\"a_\":5,\"a1\":6}");
    assertEquals("{\"abc\":1,\"ab\":2,\"b\":3,\"B\":4,\"a_\":5,\"a1\":6}", labels.json());
    assertEquals("B=4 a1=6 a_=5 ab=2 abc=1 b=3", listed(labels));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "  \n", "{}", " { } "})
  void noLabelsMakeAnEmptyText(String text) {
    assertEquals(new Labels("", List.of()), parse(text));
  }

  /** The rules of PCP 7.2. */
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '~',
      textBlock =
          """
          {"_a":1}; {"_a":1}; _a=1
          {"1":1,"2a":"x"}; {"1":1,"2a":"x"}; 1=1 2a="x"
          {"a-":1,"b":2}; {"b":2}; b=2
          {"a":1,"b-":2}; {"a":1}; a=1
          {"a":1,"b c":{"d":[1,{"e-":2}]},"f":3,"":4,"g":5}; {"a":1,"f":3,"g":5}; a=1 f=3 g=5
          {"a":{"-":1,"b":2},"c":3}; {"a":{"b":2},"c":3}; b=2 c=3
          {"a":[{"-":1,"b":2}]}; {"a":[{"b":2}]}; a=[{"b":2}]
          """)
  void namesMayBeginWithDigitsAndInvalidOnesAreSkipped(String text, String json, String labels) {
    LabelParser.Relaxed relaxed = LabelParser.parseRelaxed(text, CLUSTER);
    assertEquals(json, relaxed.labels().json());
    assertEquals(labels, listed(relaxed.labels()));
    assertFalse(relaxed.isStrict());
    assertThrows(IllegalArgumentException.class, () -> parse(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"a-\":1}",
        "{\"\":1}",
        "{\"a-\":1,}",
        "{\"a-\":x,\"b\":1}",
        "{a:1}",
        "{\"_a\":1,\"_a\":1}"
      })
  void ofARecordWithoutAValidLabelNothingIsServed(String text) {
    assertThrows(IllegalArgumentException.class, () -> LabelParser.parseRelaxed(text, CLUSTER));
  }

  @Test
  void twoEmptySetsMakeAnEmptyObject() {
    assertEquals(new Labels("{}", List.of()), merged(parse("{}"), parse("{}")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "null",
        "true",
        "false",
        "0",
        "-0",
        "12",
        "-1.50",
        "1e5",
        "0.1E+07",
        "-2e-3",
        "\"\"",
        "[]",
        "[\"x\",-1,null]",
        "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\uD83D\"",
        "\"{}[],:\""
      })
  void aValueIsKeptAsItIs(String value) {
    Labels labels = parse("{\"a\":" + value + "}");
    assertEquals(
        new Labels(
            "{\"a\":" + value + "}", List.of(new LabelEntry(2, 1, CLUSTER, 5, value.length()))),
        labels);
  }

  @Test
  void everyByteFrom32OnMayStandInAString() {
    String bytes =
        IntStream.range(0x20, 0x100)
            .filter(c -> c != '"' && c != '\\')
            .mapToObj(Character::toString)
            .collect(joining());
    assertEquals("{\"a\":\"" + bytes + "\"}", parse("{\"a\":\"" + bytes + "\"}").json());
  }

  @Test
  void nestedLabelsShowTheInnermostName() {
    Labels labels = parse("{\"a\":{\"b\":1,\"c\":2},\"d\":{\"e\":3}}");
    assertEquals("{\"a\":{\"b\":1,\"c\":2},\"d\":{\"e\":3}}", labels.json());
    assertEquals(
        List.of(
            new LabelEntry(7, 1, NESTED, 10, 1),
            new LabelEntry(13, 1, NESTED, 16, 1),
            new LabelEntry(25, 1, NESTED, 28, 1)),
        labels.entries());
  }

  @Test
  void nestedLabelsAreSortedByFullName() {
    assertEquals(
        "x=3 a=2 z=1 b=4",
        listed(parse("{\"b\":{\"z\":1,\"a\":2},\"a\":{\"x\":3},\"c\":{\"b\":4}}")));
  }

  @Test
  void anEmptyObjectIsAValueFlaggedAsCompound() {
    assertEquals(List.of(new LabelEntry(2, 1, NESTED, 5, 2)), parse("{\"a\":{ }}").entries());
    assertEquals("{\"a\":{},\"b\":{}}", merged("{\"b\":{}}", "{\"a\":{}}"));
  }

  @Test
  void flagsAreTheRecordsLowEight() {
    assertEquals(
        List.of(new LabelEntry(2, 1, NOTE | 32, 5, 1)),
        LabelParser.parse("{\"a\":1}", 0x100 | NOTE | 32).entries());
  }

  @Test
  void namesMayHoldDotsInARecordFlaggedAsCompound() {
    Labels labels = LabelParser.parse("{\"a.b\":1,\"a..c.\":2}", NESTED);
    assertEquals("a..c.=2 a.b=1", listed(labels));
    assertEquals("{\"a..c.\":2,\"a.b\":1}", merged(labels, parse("")).json());
  }

  @Test
  void mergedNamesAreFullAndSorted() {
    Labels labels =
        merged(
            parse("{\"c\":{\"d\":[1,2],\"e\":\"x\"},\"a\":1}"),
            LabelParser.parse("{\"c\":{\"d\":null},\"b\":true}", CLUSTER | NOTE));
    assertEquals("{\"a\":1,\"b\":true,\"c.d\":null,\"c.e\":\"x\"}", labels.json());
    assertEquals(
        List.of(
            new LabelEntry(2, 1, CLUSTER, 5, 1),
            new LabelEntry(8, 1, CLUSTER | NOTE, 11, 4),
            new LabelEntry(17, 3, NESTED | NOTE, 22, 4),
            new LabelEntry(28, 3, NESTED, 33, 3)),
        labels.entries());
  }

  @Test
  void anEmptySetStillSortsAndFlattens() {
    assertEquals("{\"a.b\":2,\"c\":1}", merged("{\"c\":1,\"a\":{\"b\":2}}", "{}"));
    assertEquals("{\"a.b\":2,\"c\":1}", merged("", "{\"c\":1,\"a\":{\"b\":2}}"));
  }

  @Test
  void theLatestValueCounts() {
    assertEquals("{\"a\":3,\"b\":2}", merged("{\"a\":1,\"b\":1}", "{\"b\":2}", "{\"a\":3}"));
    assertEquals("{\"a.b\":2}", merged("{\"a\":{\"b\":1}}", "{\"a\":{\"b\":2}}"));
  }

  @Test
  void atMost254LabelsAreMerged() {
    Labels many = parse(numbered("n", 200));
    assertEquals(254, merged(many, parse(numbered("m", 54))).entries().size());
    assertEquals(200, merged(many, parse(numbered("n", 200))).entries().size());
    // libpcp takes one more, which pmcd refuses, and writes behind its array at the next
    assertSame(many, merged(many, parse(numbered("m", 55))));
  }

  @Test
  void aSetThatIsTooLargeIsLeftOutAndLaterOnesAreMerged() {
    Labels many = parse(numbered("n", 253));
    Labels labels =
        merged(many, parse(numbered("m", 2)), parse(numbered("m", 1)), parse("{\"n0\":7}"));
    assertEquals(254, labels.entries().size());
    assertTrue(labels.json().contains("\"n0\":7,"), labels.json());
    assertConsistent(labels);
  }

  @Test
  void atMost65534BytesAreMerged() {
    Labels half = parse("{\"a\":\"" + "x".repeat(32_000) + "\"}");
    String rest = "x".repeat(65_534 - half.json().length() - ",\"b\":\"\"".length());
    assertEquals(65_534, merged(half, parse("{\"b\":\"" + rest + "\"}")).json().length());
    assertSame(half, merged(half, parse("{\"b\":\"x" + rest + "\"}")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"1a", "_a", "a-b", "a b", "a.b", ".a", "", "a\\u0062", "\u00e9", "a\u00e9"})
  void aBadNameIsRefusedWhereverItStands(String name) {
    assertRefused("a label's name expected at byte 1", "{\"" + name + "\":1}");
    assertRefused("a label's name expected at byte 6", "{\"a\":{\"" + name + "\":1}}");
    assertRefused("a label's name expected at byte 7", "{\"a\":[{\"" + name + "\":1}]}");
  }

  @Test
  void aNameHas254BytesAtMost() {
    String name = "a".repeat(100) + "." + "b".repeat(153);
    assertEquals(
        "{\"" + name + "\":1}", merged("{\"" + name.replace(".", "\":{\"") + "\":1}}", ""));
    assertRefused("name of 255 bytes", "{\"" + name.replace(".", "\":{\"c") + "\":1}}");
    assertRefused("a label's name expected", "{\"" + "a".repeat(255) + "\":1}");
  }

  @Test
  void aNameGivenTwiceIsRefused() {
    assertRefused("name given twice at byte 7", "{\"a\":1,\"a\":1}");
    assertRefused("name given twice at byte 18", "{\"a\":{\"b\":1},\"a\":{\"b\":2}}");
    assertRefused("name given twice at byte 7", "{\"a\":1,\"a\":{}}");
    assertEquals("b=1 c=2", listed(parse("{\"a\":{\"b\":1},\"a\":{\"c\":2}}")));
  }

  @Test
  void whatIsWrongIsToldWithItsPlace() {
    assertRefused("'{' expected at byte 1", " x");
    assertRefused("a label's name expected at byte 7", "{\"a\":1,}");
    assertRefused("':' expected at byte 5", "{\"a\" 1}");
    assertRefused("a value expected at byte 5", "{\"a\":}");
    assertRefused("',' or '}' expected at byte 6", "{\"a\":1]");
    assertRefused("',' or ']' expected at byte 8", "{\"a\":[1 2]}");
    assertRefused("a value expected at byte 8", "{\"a\":[1,]}");
    assertRefused("the end expected at byte 8", "{\"a\":1} x");
    assertRefused("more than 254 labels", numbered("n", 255));
    assertRefused("JSON text of 65535 bytes", " ".repeat(65_535));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "01",
        "+1",
        ".5",
        "1.",
        "1e",
        "1e+",
        "- 1",
        "0x1",
        "nan",
        "NaN",
        "Infinity",
        "True",
        "tru",
        "nulls",
        "'x'",
        "\"\\x\"",
        "\"\\",
        "\"\n\"",
        "\"\u0013\"",
        "[",
        "]",
        "[,1]",
        "{,}",
        "{1:2}",
        "1}}",
        "1} {",
        "1 \"b\":1"
      })
  void whatLibpcpRefusesIsRefused(String value) {
    assertThrows(IllegalArgumentException.class, () -> parse("{\"a\":" + value + "}"));
  }

  /** Of most of them, libpcp serves a part, or a text that is no JSON object either. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "[1,2]",
        "1",
        "{",
        "{\"a\":1",
        "{\"a\":1,\"b\":\"cut o",
        "{\"a\":\"x}",
        "{\"a\":\"x\0y\"}",
        "{\"a\":1},",
        "{\"a\":1},{\"b\":2}",
        "{\"a\":-01}",
        "{\"a\":1.e5}",
        "{\"a\":1e5.5}",
        "{\"a\":\"\\u12\"}",
        "{\"a\":\"\u001b[2J\"}",
        "{\"a\":[\"x\" \"y\"]}"
      })
  void whatIsNoJsonObjectIsRefusedThoughLibpcpTakesIt(String text) {
    assertThrows(IllegalArgumentException.class, () -> parse(text));
  }

  /** libpcp's offset is too small by the number of blanks. */
  @Test
  void blanksInAListDoNotShiftItsOffset() {
    Labels labels = parse("{\"a\":[ 1 , 2 ]}");
    assertEquals(new Labels("{\"a\":[1,2]}", List.of(new LabelEntry(2, 1, CLUSTER, 5, 5))), labels);
    assertEquals(
        "{\"a\":[1,2],\"c\":1}", merged("{\"a\":[\"x\", 2]}", "{\"c\":1}", "{\"a\":[1 ,2]}"));
  }

  /** libpcp's offset and length are parts of an address in its memory. */
  @Test
  void aListInAListIsPartOfTheValue() {
    Labels labels = parse("{\"a\":[[1],[ ]]}");
    assertEquals("a=[[1],[]]", listed(labels));
    assertEquals("{\"a\":[[1],[]],\"c\":1}", merged("{\"a\":[[1],[]]}", "{\"c\":1}"));
  }

  /** libpcp makes labels a.b and b of it. */
  @Test
  void objectsInAListArePartOfTheValue() {
    assertEquals(
        List.of(new LabelEntry(2, 1, CLUSTER, 5, 17)),
        parse("{\"a\":[{\"b\":1},{\"b\":2}]}").entries());
    assertEquals(
        "{\"a\":[{\"b\":1,\"b\":{}}],\"c.d\":[{}]}",
        merged("{\"c\":{\"d\":[{}]},\"a\":[{\"b\":1,\"b\":{}}]}", "{}"));
  }

  /** libpcp leaves names on the way out ("a.c"), and writes "(n" for what comes behind. */
  @Test
  void namesOfDeeplyNestedLabelsAreComplete() {
    assertEquals(
        "{\"a.b.c\":1,\"a.b.d.e\":{},\"a.f\":2,\"g\":3}",
        merged("{\"a\":{\"b\":{\"c\":1,\"d\":{\"e\":{}}},\"f\":2},\"g\":3}", "{}"));
    assertEquals("{\"a.b\":{},\"a.c\":1}", merged("{\"a\":{\"b\":{},\"c\":1}}", "{}"));
  }

  /** libpcp takes app and app_info.ver for the same, as app and ver are equally long. */
  @Test
  void aNameThatBeginsAnotherIsNotTheSame() {
    assertEquals("app=1 ver=2", listed(parse("{\"app\":1,\"app_info\":{\"ver\":2}}")));
    assertEquals(
        "{\"app\":1,\"app_info.ver\":2}", merged("{\"app\":1}", "{\"app_info\":{\"ver\":2}}"));
    assertEquals("{\"a\":1,\"a.b\":2}", merged("{\"a\":1}", "{\"a\":{\"b\":2}}"));
  }

  /** libpcp looks for the names of the third set at offsets in the first one: "a.y", "a.y". */
  @Test
  void namesStayAcrossSeveralMerges() {
    assertEquals(
        "{\"a\":\"\",\"ab\":-3,\"c.a1\":\"xxxxxxxx\",\"x\":true,\"z.ab\":1,\"z.b\":\"x\",\"z.x\":2}",
        merged(
            "{\"c\":{\"a1\":\"xxxxxxxx\"},\"z\":{\"ab\":1,\"b\":\"x\",\"x\":2}}",
            "{\"a\":\"\",\"ab\":-3,\"x\":true}",
            "{}"));
  }

  /** libpcp cuts out what is deeper than 63 levels. */
  @Test
  void nestingEndsAt63Levels() {
    String lists = "[".repeat(62) + "]".repeat(62);
    assertEquals("a=" + lists, listed(parse("{\"a\":" + lists + "}")));
    assertRefused("nested too deeply at byte 67", "{\"a\":[" + lists + "]}");
    assertRefused("nested too deeply at byte 67", "{\"a\":" + "[".repeat(50_000));
    String names = "a.".repeat(61) + "a";
    String objects = "{\"a\":".repeat(62) + "1" + "}".repeat(62);
    assertEquals("{\"" + names + "\":1}", merged(objects, ""));
    assertRefused("nested too deeply at byte 315", "{\"a\":" + objects + "}");
  }

  @Test
  void longValuesNeedNoStack() {
    for (String value :
        List.of(
            "\"" + "x".repeat(65_520) + '"',
            "\"" + "\\n".repeat(32_000) + '"',
            "1".repeat(65_520))) {
      assertEquals("{\"a\":" + value + "}", parse("{\"a\":" + value + "}").json());
    }
  }

  @Test
  void mutatedTextsAreRefusedOrMakeSoundLabels() {
    String[] seeds = {
      "{\"a\":1,\"bc\":\"x\\\"\\u00e9\",\"d\":[1,\"y\",{\"z\":null}]}",
      " { \"a\" : { \"b\" : true , \"c\" : { \"d\" : -1.5e+3 } } , \"e\" : [ ] }",
      "{\"a\":{},\"b\":[[0],[\"\u00ff\"]],\"c\":{\"a\":false}}"
    };
    String bytes = "{}[],:\"\\ \t01-+.eEabcut_\0\u001f\u0080";
    Random random = new Random(20_240_501);
    Labels all = parse("");
    int accepted = 0;
    for (int i = 0; i < 20_000; i++) {
      StringBuilder text = new StringBuilder(seeds[random.nextInt(seeds.length)]);
      for (int n = random.nextInt(4); n > 0; n--) {
        int from = random.nextInt(text.length());
        int to = Math.min(text.length(), from + random.nextInt(3));
        int other = random.nextInt(bytes.length());
        text.replace(from, to, bytes.substring(other, other + random.nextInt(2)));
      }
      int flags = random.nextInt(256);
      Labels labels;
      try {
        labels = LabelParser.parse(text.toString(), flags);
      } catch (IllegalArgumentException e) {
        assertTrue(e.getMessage().matches("[ -~]{1,80} at byte \\d+ of the JSON text"));
        continue;
      }
      accepted++;
      assertEquals(labels, LabelParser.parse(labels.json(), flags));
      assertConsistent(labels);
      all = merged(all, labels);
      assertEquals(all.json(), LabelParser.parse(all.json(), LabelType.COMPOUND).json());
    }
    assertConsistent(all);
    assertTrue(accepted > 4_000, accepted + " texts accepted");
  }

  @Test
  void allSetsAreMergedWhateverTheSize() {
    Labels all = Labels.mergeAll(List.of(parse(numbered("a", 200)), parse(numbered("b", 200))));
    assertEquals(400, all.entries().size());
    assertConsistent(all);
    assertEquals("{}", Labels.mergeAll(List.of()).json());
  }

  @Test
  void labelsThatAreNotOptionalIdentifyAnObject() {
    Labels all =
        Labels.mergeAll(
            List.of(
                parse("{\"a\":1,\"b\":2}"),
                LabelParser.parse("{\"b\":3,\"c\":4}", CLUSTER | NOTE)));
    assertEquals("{\"a\":1,\"b\":3,\"c\":4}", all.json());
    assertEquals("{\"a\":1}", all.identity().json());
  }

  private static void assertRefused(String reason, String text) {
    String message = assertThrows(IllegalArgumentException.class, () -> parse(text)).getMessage();
    assertTrue(message.startsWith(reason), message);
  }
}
