package org.jmmv.replies;

import static org.jmmv.core.TestCatalog.DOMAIN;
import static org.jmmv.core.TestCatalog.inDom;
import static org.jmmv.core.TestCatalog.pmid;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.jmmv.core.TestCatalog;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.Instance;
import org.jmmv.pcp.LabelEntry;
import org.jmmv.pcp.LabelType;
import org.jmmv.pcp.Labels;
import org.jmmv.pcp.PmError;
import org.jmmv.pcp.TextType;
import org.jmmv.pcp.ValueType;
import org.jmmv.protocol.Desc;
import org.jmmv.protocol.DescReq;
import org.jmmv.protocol.InDomProfile;
import org.jmmv.protocol.InstanceReq;
import org.jmmv.protocol.Instances;
import org.jmmv.protocol.Label;
import org.jmmv.protocol.LabelReq;
import org.jmmv.protocol.LabelSet;
import org.jmmv.protocol.PmnsChild;
import org.jmmv.protocol.PmnsIds;
import org.jmmv.protocol.PmnsNames;
import org.jmmv.protocol.PmnsTraverse;
import org.jmmv.protocol.Profile;
import org.jmmv.protocol.Text;
import org.jmmv.protocol.TextReq;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** All questions but fetches, put to one file. */
class RepliesTest {
  @AutoClose private final ServiceTester tester = new ServiceTester();

  @BeforeEach
  void start() {
    tester.write("app", TestCatalog.describedFile());
  }

  // ---------------------------------------------------------------- descriptions

  private Desc describe(int pmid) {
    return tester.ask(Desc.class, new DescReq(0, pmid));
  }

  @Test
  void describesMetricsAsTheirFileDoes() {
    assertEquals(
        new Desc(0, pmid(1, 1), ValueType.U64, InDom.NULL, 4, TestCatalog.UNITS),
        describe(pmid(1, 1)));
    assertEquals(
        new Desc(0, pmid(1, 2), ValueType.STRING, inDom(1, 3), 1, 0), describe(pmid(1, 2)));
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 70 << 22 | 4})
  void hasNothingToSayAboutOtherPmids(int pmid) {
    tester.assertError(PmError.PMID, new DescReq(0, pmid));
    tester.assertError(PmError.PMID, new PmnsIds(0, 0, List.of(pmid)));
    tester.assertError(PmError.PMID, new TextReq(0, pmid, TextType.PMID | TextType.HELP));
  }

  // ---------------------------------------------------------------- instances

  private List<Instance> instances(int instance, String name) {
    InstanceReq question = new InstanceReq(0, inDom(1, 3), instance, name);
    Instances answer = tester.ask(Instances.class, question);
    assertEquals(inDom(1, 3), answer.inDom());
    return answer.instances();
  }

  @Test
  void listsInstancesInTheOrderOfTheFile() {
    assertEquals(
        List.of(
            new Instance(4, "1 minute"),
            new Instance(0, "5 minute"),
            new Instance(-7, "whole"),
            new Instance(5, "1")),
        instances(Instance.NULL, ""));
  }

  @Test
  void anInstanceDomainMayBeEmpty() {
    assertEquals(
        new Instances(0, inDom(1, 6), List.of()),
        tester.ask(new InstanceReq(0, inDom(1, 6), Instance.NULL, "")));
  }

  @Test
  void findsAnInstance() {
    assertEquals(List.of(new Instance(-1, "5 minute")), instances(0, ""));
    assertEquals(List.of(new Instance(0, "")), instances(Instance.NULL, "5"));
  }

  @Test
  void doesNotFindAnInstanceThatIsNotThere() {
    tester.assertError(PmError.INST, new InstanceReq(0, inDom(1, 3), 1, ""));
    tester.assertError(PmError.INST, new InstanceReq(0, inDom(1, 3), Instance.NULL, "who"));
  }

  @Test
  void aQuestionByNumberAndNameHasNoAnswer() {
    tester.assertError(PmError.INST, new InstanceReq(0, inDom(1, 3), 0, "5 minute"));
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 71 << 22 | 1 << 11 | 3})
  void hasNothingToSayAboutOtherInstanceDomains(int inDom) {
    tester.assertError(PmError.INDOM, new InstanceReq(0, inDom, Instance.NULL, ""));
    tester.assertError(PmError.INDOM, new TextReq(0, inDom, TextType.INDOM | TextType.HELP));
  }

  // ---------------------------------------------------------------- help

  private static final int BOTH = TextType.ONELINE | TextType.HELP;

  private void assertText(String expected, int ident, int type) {
    assertEquals(new Text(0, ident, expected), tester.ask(new TextReq(0, ident, type)));
  }

  @Test
  void helpIsThatOfTheFile() {
    assertText("one line", pmid(1, 1), TextType.PMID | TextType.ONELINE);
    assertText("a text\nof lines", pmid(1, 1), TextType.PMID | TextType.HELP);
    assertText("a text\nof lines", pmid(1, 1), TextType.PMID | TextType.HELP | TextType.DIRECT);
    assertText("an InDom", inDom(1, 3), TextType.INDOM | TextType.ONELINE);
    assertText("a text of an InDom", inDom(1, 3), TextType.INDOM | TextType.HELP);
  }

  @Test
  void whoWantsBothTextsGetsTheLineIfThereIsOne() {
    assertText("one line", pmid(1, 1), TextType.PMID | BOTH);
    assertText("only a text", pmid(1, 2), TextType.PMID | BOTH);
    assertText("only", pmid(1, 3), TextType.PMID | BOTH);
    assertText("an InDom", inDom(1, 3), TextType.INDOM | BOTH);
  }

  @Test
  void aTextThatTheFileHasNotIsAnError() {
    tester.assertError(PmError.TEXT, new TextReq(0, pmid(1, 2), TextType.PMID | TextType.ONELINE));
    tester.assertError(PmError.TEXT, new TextReq(0, pmid(1, 3), TextType.PMID | TextType.HELP));
    tester.assertError(PmError.TEXT, new TextReq(0, pmid(1, 5), TextType.PMID | BOTH));
    tester.assertError(PmError.TEXT, new TextReq(0, inDom(1, 6), TextType.INDOM | BOTH));
    tester.assertError(PmError.TEXT, new TextReq(0, pmid(1, 1), TextType.PMID));
  }

  // ---------------------------------------------------------------- names

  private static PmnsNames names(String... names) {
    return new PmnsNames(0, List.of(names), List.of());
  }

  @Test
  void aNameHasAPmidAndAPmidNames() {
    assertEquals(
        new PmnsIds(0, 0, List.of(pmid(1, 4))), tester.ask(names("mmv.app.some.more.odd")));
    assertEquals(
        names("mmv.app.some.more.odd"), tester.ask(new PmnsIds(0, 0, List.of(pmid(1, 4)))));
    assertEquals(new PmnsIds(0, 0, List.of(pmid(0, 1))), tester.ask(names("mmv.control.debug")));
    assertEquals(names("mmv.control.debug"), tester.ask(new PmnsIds(0, 0, List.of(pmid(0, 1)))));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "mmv.app", "mmv.app.single."})
  void whatIsNoMetricHasNoPmid(String name) {
    tester.assertError(PmError.NAME, names(name));
  }

  @Test
  void aQuestionForSeveralNamesOrPmidsIsMalformed() {
    tester.assertError(PmError.IPC, names("mmv.app.single", "mmv.app.unknown"));
    tester.assertError(PmError.IPC, names());
    tester.assertError(PmError.IPC, new PmnsIds(0, 0, List.of(pmid(1, 1), pmid(1, 2))));
  }

  @Test
  void childrenAreRelativeNamesWithTheirKind() {
    List<String> children = List.of("unknown", "some", "single");

    assertEquals(
        new PmnsNames(0, children, List.of(0, 1, 0)),
        tester.ask(new PmnsChild(0, true, "mmv.app")));
    assertEquals(
        new PmnsNames(0, children, List.of()), tester.ask(new PmnsChild(0, false, "mmv.app")));
    assertEquals(
        new PmnsNames(0, List.of("app", "control"), List.of(1, 1)),
        tester.ask(new PmnsChild(0, true, "mmv")));
  }

  @Test
  void leavesAreFoundOnAllLevels() {
    assertEquals(
        names("mmv.app.some.more.odd", "mmv.app.some.time", "mmv.app.some.many"),
        tester.ask(new PmnsTraverse(0, "mmv.app.some")));
    assertEquals(names("mmv.app.single"), tester.ask(new PmnsTraverse(0, "mmv.app.single")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "mmv.", "other"})
  void whatIsNoNodeHasNoChildren(String name) {
    tester.assertError(PmError.NAME, new PmnsChild(0, true, name));
    tester.assertError(PmError.NAME, new PmnsTraverse(0, name));
  }

  // ---------------------------------------------------------------- labels

  @Test
  void eachLabelSaysWhereItIsAndWhatItIs() {
    assertEquals("{\"agent\":\"mmv\"}", tester.labels(DOMAIN << 22, LabelType.DOMAIN));
    LabelSet set =
        tester.ask(Label.class, new LabelReq(0, pmid(1, 1), LabelType.ITEM)).sets().getFirst();

    int compound = LabelType.ITEM | LabelType.COMPOUND;
    assertEquals(
        List.of(new LabelEntry(13, 1, compound, 16, 4), new LabelEntry(2, 1, LabelType.ITEM, 5, 1)),
        set.labels().entries());
  }

  @Test
  void aNoteIsFlaggedAsOptional() {
    LabelSet set =
        tester.ask(Label.class, new LabelReq(0, pmid(1, 2), LabelType.ITEM)).sets().getFirst();

    assertEquals(LabelType.ITEM | LabelType.OPTIONAL, set.labels().entries().getFirst().flags());
  }

  @Test
  void theProfileTellsWhichInstancesLabelsAreSent() {
    assertEquals("4= 0={\"of\":\"five\"} -7= 5=", tester.labels(inDom(1, 3), LabelType.INSTANCES));
    InDomProfile only = new InDomProfile(inDom(1, 3), false, 0, 5);
    tester.send(new Profile(0, 0, true, List.of(only)));
    assertEquals("0={\"of\":\"five\"} 5=", tester.labels(inDom(1, 3), LabelType.INSTANCES));

    tester.send(new Profile(0, 0, false, List.of()));

    assertEquals(
        List.of(new LabelSet(-1, new Labels("", List.of()))),
        tester.ask(Label.class, new LabelReq(0, inDom(1, 3), LabelType.INSTANCES)).sets());
  }

  @Test
  void whatHasNoLabelsHasNoSets() {
    assertNoSets(pmid(1, 0), LabelType.CONTEXT);
    assertNoSets(pmid(2, 0), LabelType.CLUSTER);
    assertNoSets(pmid(1, 5), LabelType.ITEM);
    assertNoSets(inDom(1, 6), LabelType.INDOM);
    assertNoSets(inDom(1, 6), LabelType.INSTANCES);
    assertNoSets(inDom(1, 7), LabelType.INSTANCES);
  }

  private void assertNoSets(int ident, int type) {
    assertEquals(new Label(0, ident, type, List.of()), tester.ask(new LabelReq(0, ident, type)));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, 3, 24, 64, 128, LabelType.ITEM | LabelType.OPTIONAL})
  void aQuestionForLabelsIsForOneType(int type) {
    tester.assertError(PmError.TYPE, new LabelReq(0, pmid(1, 1), type));
  }
}
