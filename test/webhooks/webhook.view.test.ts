import { describe, expect, test } from "vitest";
import { paces } from "#src/sale-notices/sale-watch.ts";
import type { Locale } from "#src/shared/locale.ts";
import { MINUTE } from "#src/shared/time.ts";
import { webhookQuestionView, webhookView, type WebhookView } from "#src/webhooks/webhook.view.ts";

const madeAt = Temporal.Instant.from("2026-11-19T12:00:00Z");
const lastCallAt = madeAt.add({ hours: 1 });

const said = (facts: Partial<WebhookView>, locale: Locale = "pt-BR"): string =>
  JSON.stringify(
    webhookView({
      watchId: "w",
      webhook: { madeAt, lastCallAt, isFromCopy: false },
      address: undefined,
      isTrusted: false,
      locale,
      ...facts,
    }),
  );

describe("the state of an address", () => {
  test("says that calls can be relied on, or that this is not known yet", () => {
    expect(said({ isTrusted: true })).toContain("avisaram tudo");
    expect(said({})).toContain("Ainda não sei");
  });

  test("says neither beside an address without a call, where another owner's calls are trusted", () => {
    const webhook = { madeAt, lastCallAt: undefined, isFromCopy: false };
    const text = said({ webhook, isTrusted: true });
    expect(text).toContain("Nenhuma ainda");
    expect(text).not.toContain("Dá para confiar");
    expect(said({ webhook })).toContain("Ainda não sei");
  });
});

test.each(["pt-BR", "en-US"] as const)(
  "a new address says in %s how late news may be that wrong calls hide",
  (locale) => {
    const text = said({ address: "https://bot.example.com/ganchos/x" }, locale);
    expect(text).toContain(`${paces.calledMs / MINUTE} minut`);
  },
);

test.each([
  ["pt-BR", "só o endereço novo funciona", /de agora|para de valer/],
  ["en-US", "only the new address works", /present address|stops working/],
] as const)(
  "the question in %s is true of an address that a restore has stopped already",
  (locale, said, untrue) => {
    const text = JSON.stringify(webhookQuestionView("replacement", "w", { madeAt }, locale));
    expect(text).toContain(said);
    expect(text).not.toMatch(untrue);
  },
);

test.each(["replacement", "removal"] as const)(
  "a double tap on a button of the state keeps the address: %s stands in a row below",
  (change) => {
    const { components } = webhookQuestionView(change, "w", { madeAt }, "pt-BR");
    const rows = components?.map((row) => JSON.stringify(row).match(/(?<="label":")[^"]+/g));
    expect(rows).toEqual([["Manter"], [expect.stringMatching(/ agora$/)]]);
  },
);
