import { expect, test } from "vitest";
import { disconnectFromQuestion, membersFields } from "#src/accounts/connections.view.ts";
import { disconnectHereQuestion } from "#src/accounts/disconnect.view.ts";
import { NOW, sampleAccount, sampleOffer } from "../support/samples.ts";
import { losses } from "../ui/hostile-views.ts";
import { readMessage } from "../ui/read-message.ts";

test.each([
  [9, 9, undefined],
  [10, 9, "Há mais 1, que não coube aqui."],
  [14, 9, "Há mais 5, que não couberam aqui."],
])("of %i key offers %i are shown whole, and how many more there are", (count, rows, more) => {
  const offers = Array.from({ length: count }, () => sampleOffer());
  const page = { owners: [], firstPlace: 1, page: 0, pages: 1 };
  const [field] = membersFields({ ...page, offers }, "pt-BR");
  const lines = field?.value.split("\n") ?? [];
  expect(lines.filter((each) => /vale até <t:\d+:d> <t:\d+:t>$/.test(each))).toHaveLength(rows);
  expect(lines[rows]).toBe(more);
  expect(field?.value.length).toBeLessThanOrEqual(1024);
});

test.each([
  ["pt-BR", /vendas continuam no serviço/, /continua valendo/],
  ["en-US", /sales stay in the payment service/, /stays valid/],
] as const)(
  "the question before a refused key is deleted calls it valid nowhere in %s",
  (locale, says, not) => {
    const account = sampleAccount({ pausedAt: NOW });
    const asked = { questionId: "0123456789", losses, isAnew: false, unfinished: undefined };
    const facts = { ...asked, account, locale };
    for (const shown of [disconnectHereQuestion(facts), disconnectFromQuestion(facts, "Loja")]) {
      const [, text] = readMessage(shown);
      expect(text).toMatch(says);
      expect(text).not.toMatch(not);
    }
  },
);
