import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { DeliveryPayload } from "#src/domain/delivery.ts";
import { UserError, WalletError, type WalletErrorKind } from "#src/shared/errors.ts";
import type { Locale } from "#src/shared/locale.ts";
import {
  accountView,
  connectedForView,
  connectedView,
  disconnectHereQuestion,
} from "#src/views/account.ts";
import { errorReply } from "#src/views/error.ts";
import { helpView } from "#src/views/help.ts";
import { connectedForYouNotice, keyRefusedNotice } from "#src/views/notices.ts";
import { safe } from "#src/views/format.ts";
import { hostileText } from "../support/any-text.ts";
import { NOW, sampleAccount, sampleRoute } from "../support/samples.ts";
import { brokenLimits } from "./message-limits.ts";
import { outsideCode } from "./hostile-samples.ts";

const RUNS = 5_000;
const ids = { accept: "a:b:", decline: "a:c:", alerts: "a:al:" };
const keyed = (keyLast4: string) => sampleAccount({ keyLast4, pausedAt: NOW });
const notice = { guildId: "118", reference: "ref a1b2c3d4" };

/** Every view that shows foreign text. */
const renderers: Readonly<Record<string, (text: string, locale: Locale) => DeliveryPayload>> = {
  typedDate: (given, locale) =>
    errorReply(new UserError({ kind: "invalid_date", given }), locale, "R"),
  typedDay: (given, locale) =>
    errorReply(new UserError({ kind: "future_date", given }), locale, "R"),
  typedTime: (given, locale) =>
    errorReply(new UserError({ kind: "invalid_time", given }), locale, "R"),
  typedZone: (given, locale) =>
    errorReply(new UserError({ kind: "invalid_time_zone", given }), locale, "R"),
  typedTxid: (given, locale) =>
    errorReply(new UserError({ kind: "txid_unreadable", given }), locale, "R"),
  reference: (reference, locale) => errorReply({ reference }, locale, reference),
  requestId: (requestId, locale) =>
    errorReply(
      new WalletError({ kind: "unavailable", method: "GET", route: "/v1/x", requestId }),
      locale,
      "R",
    ),
  refusedKey: (text, locale) =>
    keyRefusedNotice({ ...notice, locale, keyLast4: text, noticedAt: NOW, requestId: text }),
  keyForYou: (keyLast4, locale) =>
    connectedForYouNotice({ ...notice, locale, keyLast4, adminId: "119", connectedAt: NOW }),
  account: (text, locale) =>
    accountView({
      account: keyed(text),
      route: sampleRoute(),
      alertRoute: undefined,
      undelivered: 0,
      alertsElsewhere: undefined,
      unlisted: 0,
      ids,
      locale,
    }),
  connected: (text, locale) =>
    connectedView({
      account: keyed(text),
      route: undefined,
      alertRoute: undefined,
      undelivered: 0,
      alertsElsewhere: undefined,
      unlisted: 0,
      ids,
      locale,
    }),
  connectedFor: (text, locale) => connectedForView(keyed(text), locale),
  disconnect: (text, locale) =>
    disconnectHereQuestion(
      {
        account: keyed(text),
        unfinished: undefined,
        losses: { proofs: 1, pixKeys: 1, alertChoice: true, disputes: 1, dueAt: NOW },
        locale,
      },
      { disconnect: "a:d:", replace: "a:r:", keep: "a:e:" },
    ),
  help: (text, locale) => helpView({ account: keyed(text), manager: true, inGuild: true, locale }),
};

const insideCode = (payload: DeliveryPayload): string =>
  (JSON.stringify(payload).match(/`[^`]*`/g) ?? []).join("");

describe("a stranger's text", () => {
  test(`changes nothing outside its code, in any view: ${RUNS} texts`, () => {
    const locales: readonly Locale[] = ["pt-BR", "en-US"];
    const views = Object.values(renderers).flatMap((render) =>
      locales.map((locale) => ({ render, locale, frame: outsideCode(render("x", locale)) })),
    );
    fc.assert(
      fc.property(hostileText, fc.constantFrom(...views), (text, { render, locale, frame }) => {
        const shown = render(text, locale);
        expect(outsideCode(shown)).toBe(frame);
        expect(insideCode(shown)).not.toMatch(
          /[\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]|\\u|\\n/u,
        );
        expect(brokenLimits(shown)).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });

  test("is never in a title, a footer or a label", () => {
    for (const render of Object.values(renderers)) {
      const { embeds = [], components = [] } = render("<@118> mal", "pt-BR");
      const plain = embeds.map(({ title, description, footer }) => ({
        title,
        description,
        footer,
      }));
      expect(
        JSON.stringify([components, plain.map(({ title, footer }) => [title, footer])]),
      ).not.toContain("mal");
    }
  });
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

describe("a stranger's text", () => {
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
      { numRuns: RUNS },
    );
  });
});
