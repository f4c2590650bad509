import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { DeliveryPayload } from "#src/domain/delivery.ts";
import { WalletError, type WalletErrorKind } from "#src/shared/errors.ts";
import type { Locale } from "#src/shared/locale.ts";
import { disputeChoices } from "#src/views/disputes/dispute-list.ts";
import { errorReply } from "#src/views/error.ts";
import { safe } from "#src/views/format.ts";
import { hostileText } from "../support/any-text.ts";
import { proofViews } from "./defence/hostile-proofs.ts";
import { sampleRow } from "./disputes/dispute-samples.ts";
import { alertOf, disputeViews, PINGS, rowsOf } from "./disputes/hostile-disputes.ts";
import { accountViews } from "./hostile-accounts.ts";
import { HOSTILE_SAMPLES, outsideCode, type Render, UNSEEN } from "./hostile-samples.ts";
import { brokenLimits } from "./message-limits.ts";
import { moneyViews, withdrawalMessages } from "./money/hostile-money.ts";

const RUNS = 10_000;
const locales: readonly Locale[] = ["pt-BR", "en-US"];

/** Every view that shows foreign text. */
const subjects: readonly (readonly [subject: string, views: readonly Render[]])[] = [
  ["errors and accounts", Object.values(accountViews)],
  ["messages about a withdrawal", withdrawalMessages],
  ["views of money", Object.values(moneyViews)],
  ["disputes", Object.values(disputeViews)],
  ["proofs", Object.values(proofViews)],
];

/** The text of a message's code spans. */
const insideCode = (payload: DeliveryPayload): string =>
  JSON.parse(`"${(JSON.stringify(payload).match(/`[^`]*`/g) ?? []).join("")}"`) as string;

describe.each(subjects)("a stranger's text in %s", (_subject, views) => {
  const everyRender = views.flatMap((render) =>
    locales.map((locale) => ({ render, locale, frame: outsideCode(render("<", locale)) })),
  );

  test(`changes nothing outside its code: ${RUNS} texts`, () => {
    fc.assert(
      fc.property(
        // A word that a view knows would be told in other words.
        hostileText.map((text) => `<${text}`),
        fc.constantFrom(...everyRender),
        (text, { render, locale, frame }) => {
          const shown = render(text, locale);
          expect(outsideCode(shown)).toBe(frame);
          expect(brokenLimits(shown)).toEqual([]);
          expect(insideCode(shown)).not.toMatch(UNSEEN);
        },
      ),
      { numRuns: RUNS },
    );
  });

  test.each(Object.entries(HOSTILE_SAMPLES))("be it %s, stays in its code", (_what, sample) => {
    for (const { render, locale } of everyRender) {
      const shown = render(sample, locale);
      expect(outsideCode(shown)).not.toContain("zqx");
      expect([undefined, PINGS]).toContainEqual(shown.pings);
    }
  });

  test("is never in a title, a footer, a label, a menu or a custom id", () => {
    for (const { render, locale } of everyRender) {
      const { embeds = [], components = [], content } = render(":<@118> zqx", locale);
      const frame = embeds.map(({ title, footer, fields = [] }) => [
        title,
        footer,
        fields.map(({ name }) => name),
      ]);
      expect(JSON.stringify([components, frame, content])).not.toContain("zqx");
    }
  });
});

test("a dispute is asked for again only by an id that can be: no button or option names another", () => {
  const text = "../balance zqx";
  expect(alertOf("new")(text, "pt-BR").components ?? []).toEqual([]);
  const choices = disputeChoices(rowsOf(text), "en-US");
  expect(choices.map(({ value }) => value)).toEqual([sampleRow().infractionId, "other-1"]);
  expect(JSON.stringify(choices)).not.toContain("zqx");
});

test("an error of the service says that no money moved, and never what the service said", () => {
  const kinds: readonly WalletErrorKind[] = ["unavailable", "timeout", "malformed", "refused"];
  for (const kind of kinds) {
    const cause = new Error("@everyone SECRET");
    const error = new WalletError({ kind, method: "GET", route: "/v1/x", cause });
    const text = JSON.stringify(errorReply(error, "pt-BR", "ABCD2345"));
    expect(text).toContain("nenhum dinheiro se moveu");
    expect(text).toContain("ABCD2345");
    expect(text).not.toContain("SECRET");
  }
});

describe("a stranger's text as code", () => {
  test.each([
    ["a plain name", "João da Silva", "`João da Silva`"],
    ["a mention of everybody", "@everyone", "`@everyone`"],
    ["back-ticks", "a``b```c", "`a''b'''c`"],
    ["the Greek mark that composes to a back-tick", "a\u1fefb", "`a'b`"],
    ["lines and tabs", " a\r\n\tb\u2028c ", "`a b c`"],
    ["a bidirectional override", "gpj.\u202eexe", "`gpj.exe`"],
    ["invisible marks and tags", "a\u200b\u{e0041}\ufe0f\u00ad\u3164b", "`ab`"],
    ["halves of a pair", "a\ud800b\udc00", "`ab`"],
    ["terminal colours", "\u001b[31mred", "`[31mred`"],
    ["an accent behind a hidden mark", "e\u200d\u0301", "`é`"],
    ["nothing at all", "", "`—`"],
    ["nothing that can be seen", "\u200b \u202e", "`—`"],
  ])("with %s is one readable line of code", (_, text, shown) => {
    expect(safe(text, 100)).toBe(shown);
  });

  test("is cut between characters, with a sign that something is missing", () => {
    expect(safe("👩🇧🇷abcdef", 5)).toBe("`👩🇧🇷a…`");
    expect(safe("abcde", 5)).toBe("`abcde`");
  });

  test("is always one span of code with nothing hidden in it, whatever it was", () => {
    fc.assert(
      fc.property(hostileText, fc.integer({ min: 1, max: 60 }), (text, max) => {
        const shown = safe(text, max);
        expect(shown).toMatch(
          /^`[^`\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2028\u2029]+`$/u,
        );
        expect(shown).not.toMatch(/^`\s|\s`$|\s{2}/);
        expect(shown).toBe(shown.normalize("NFC"));
        expect(Array.from(shown).length).toBeLessThanOrEqual(max + 2);
      }),
      { numRuns: 50_000 },
    );
  });
});
