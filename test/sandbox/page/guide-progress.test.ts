import { expect, test } from "vitest";
import { stepsSeen } from "#src/sandbox/page/client/guide-progress.ts";
import type { PageMessage } from "#src/sandbox/page/page-view.ts";

const AT = "2026-11-21T17:30:00Z";
const message = (over: Partial<PageMessage>): Partial<PageMessage> => ({
  author: { name: "Balcão", bot: true, avatar: "" },
  embeds: [],
  sentAt: AT,
  private: false,
  answers: null,
  ...over,
});
const seen = (channel: string, over: Partial<PageMessage>, since = 0) =>
  stepsSeen({ channels: [{ name: channel, messages: [message(over)] }] } as never, since);
const answers = (command: string) => ({ command, by: "Ana", avatar: "" });

test.each([
  ["geral", { private: true, embeds: [{ title: "Chave conectada" }] }, ["connect"]],
  ["geral", { private: true, embeds: [{ title: "Key connected" }] }, ["connect"]],
  ["geral", { private: true, answers: answers("/vendas") }, ["sales"]],
  ["geral", { private: true, answers: answers("/config relatorio") }, ["channel"]],
  ["vendas", {}, ["report"]],
  ["vendas", { private: true }, []],
  ["vendas", { author: { name: "Ana", bot: false, avatar: "" } }, []],
  ["geral", { answers: answers("/ajuda") }, []],
])("in #%s, %j shows %j", (channel, over, steps) => {
  expect(seen(channel, over)).toEqual(steps);
});

test("what was there before the start over shows nothing", () => {
  expect(seen("vendas", {}, Date.parse(AT))).toEqual([]);
  expect(seen("vendas", {}, Date.parse(AT) - 1)).toEqual(["report"]);
});
