import { expect, test } from "vitest";
import type { StoredMessage } from "#src/sandbox/discord/state.ts";
import { dueCloses, judgeCloses, type UnsentClose } from "./crash/close-verdict.ts";
import { judge } from "./crash/verdict.ts";

const at = (text: string): Temporal.Instant => Temporal.Instant.from(text);
const SINCE = at("2026-11-21T12:00:00Z");
/** After two weeks and a month: 22/11 is due on the 24th, 29/11 on 1 December, and November on the 2nd. */
const END = at("2026-12-03T00:00:00Z");
const FIRST = "Fechamento da semana, 16/11 a 22/11";
const SECOND = "Fechamento da semana, 23/11 a 29/11";
const NOVEMBER = "Fechamento de novembro de 2026";

const post = (title: string, createdAt = "2026-12-02T12:00:00Z"): StoredMessage =>
  ({ embeds: [{ title }], createdAt: at(createdAt) }) as unknown as StoredMessage;
const REPORT = post("Fechamento de domingo, 29/11");
const unsent = (changed: Partial<UnsentClose> = {}): UnsentClose => ({
  period: "week:2026-11-16:2026-11-22",
  state: "obsolete",
  enqueuedAt: at("2026-11-24T00:06:00Z"),
  settledAt: at("2026-12-01T00:06:01Z"),
  ...changed,
});

test("closes fall due at the server's hour on Monday and on the 1st, by its own calendar", () => {
  expect(dueCloses(SINCE, END).map(({ title, dueAt }) => [title, dueAt.toString()])).toEqual([
    [FIRST, "2026-11-24T00:05:00Z"],
    [SECOND, "2026-12-01T00:05:00Z"],
    [NOVEMBER, "2026-12-02T00:05:00Z"],
  ]);
});

test("a period that was over when closes came on is not owed", () => {
  const since = at("2026-11-23T00:00:00Z");
  expect(dueCloses(since, END).map(({ title }) => title)).toEqual([SECOND, NOVEMBER]);
});

test("each close that is owed and posted once is neither lost nor twice", () => {
  const posts = [post(FIRST), REPORT, post(SECOND), post(NOVEMBER)];
  expect(judgeCloses(SINCE, END, posts, [])).toEqual({
    closesOwed: 3,
    closesPosted: 3,
    closesLost: 0,
    closesTwice: 0,
  });
});

test("a close without a post is lost, though a later one of its kind is posted", () => {
  expect(judgeCloses(SINCE, END, [REPORT, post(SECOND), post(NOVEMBER)], [])).toEqual({
    closesOwed: 3,
    closesPosted: 2,
    closesLost: 1,
    closesTwice: 0,
  });
});

test("a second post of a close counts as twice, and replaces no lost one", () => {
  const posts = [post(FIRST), post(FIRST), post(NOVEMBER), post(NOVEMBER), post(NOVEMBER)];
  expect(judgeCloses(SINCE, END, posts, [])).toEqual({
    closesOwed: 3,
    closesPosted: 2,
    closesLost: 1,
    closesTwice: 3,
  });
});

test("a close is owed half an hour after its time; one that is posted before that is welcome", () => {
  const posts = [post(FIRST), post(SECOND)];
  const just = at("2026-12-02T00:34:59Z");
  expect(judgeCloses(SINCE, just, posts, [])).toMatchObject({ closesOwed: 2, closesLost: 0 });
  const later = at("2026-12-02T00:35:00Z");
  expect(judgeCloses(SINCE, later, posts, [])).toMatchObject({ closesOwed: 3, closesLost: 1 });
  const early = [...posts, post(NOVEMBER, "2026-12-02T00:05:01Z")];
  expect(judgeCloses(SINCE, just, early, [])).toMatchObject({ closesOwed: 2, closesPosted: 2 });
});

test("a close that lay in the outbox for more than seven days is given up, and not lost", () => {
  const posts = [post(SECOND), post(NOVEMBER)];
  expect(judgeCloses(SINCE, END, posts, [unsent()])).toEqual({
    closesOwed: 3,
    closesPosted: 2,
    closesLost: 0,
    closesTwice: 0,
  });
});

test.each([
  ["settled before its seven days were over", { settledAt: at("2026-12-01T00:06:00Z") }],
  ["refused by Discord", { state: "dead" }],
  ["of an unreadable history", { state: "unknown" }],
  ["of another period", { period: "week:2026-11-23:2026-11-29" }],
])("an unsent close %s is lost", (_, changed) => {
  const posts = [post(SECOND), post(NOVEMBER)];
  expect(judgeCloses(SINCE, END, posts, [unsent(changed)])).toMatchObject({ closesLost: 1 });
});

test.each([
  ["before its time", post(NOVEMBER, "2026-12-02T00:04:59Z")],
  ["of a week that has not ended", post("Fechamento da semana, 30/11 a 06/12")],
  ["of days that are no week", post("Fechamento da semana, 17/11 a 23/11")],
  ["of a month before closes came on", post("Fechamento de outubro de 2026")],
])("a close %s is an error", (_, wrong) => {
  expect(() => judgeCloses(SINCE, END, [wrong], [])).toThrow("Posted before it was due");
});

const emptyDay = (date: string): StoredMessage =>
  ({
    embeds: [{ description: `Loja: nenhuma venda aprovada em ${date} (21:00 a 21:00).` }],
  }) as unknown as StoredMessage;

test("a server's line for a day without sales tells every seller who was owed the day", () => {
  const owed = ["1 2026-11-20", "2 2026-11-20", "1 2026-11-21", "2 2026-11-21"];
  const verdict = judge(owed, [emptyDay("20/11/2026"), emptyDay("20/11/2026")]);
  expect(verdict).toEqual({ owed: 4, posts: 2, lost: 2, twice: 3 });
  expect(() => judge(owed, [emptyDay("22/11/2026")])).toThrow("nobody was owed");
});

test("a line to one seller about a day without sales tells that seller", () => {
  const line = { description: "Você não teve vendas aprovadas em 20/11/2026 (21:00 a 21:00)." };
  const messages = [{ embeds: [line] } as unknown as StoredMessage];
  const verdict = judge(["1 2026-11-20"], [], new Map([["1", messages]]));
  expect(verdict).toEqual({ owed: 1, posts: 1, lost: 0, twice: 0 });
});

test("a message that no verdict can read is an error", () => {
  expect(() => judge([], [post("Bom dia")])).toThrow("Neither a report nor a close");
});
