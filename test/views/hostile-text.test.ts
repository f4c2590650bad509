import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { DeliveryPayload } from "#src/domain/delivery.ts";
import { UserError, WalletError, type WalletErrorKind } from "#src/shared/errors.ts";
import type { Locale } from "#src/texts/locale.ts";
import {
  accountView,
  connectedForView,
  connectedView,
  disconnectHereQuestion,
} from "#src/views/account.ts";
import { errorReply } from "#src/views/error.ts";
import { helpView } from "#src/views/help.ts";
import { connectedForYouNotice, keyRefusedNotice } from "#src/views/notices.ts";
import { hostileText } from "../support/any-text.ts";
import { NOW, sampleAccount, sampleRoute } from "../support/samples.ts";
import { brokenLimits } from "./message-limits.ts";
import { outsideCode } from "./hostile-samples.ts";

const RUNS = 50_000;
const ids = { accept: "a:b:", decline: "a:c:", alerts: "a:al:" };
const keyed = (keyLast4: string) => sampleAccount({ keyLast4, pausedAt: NOW });
const notice = { guildId: "118", reference: "ref a1b2c3d4" };

/** Every view that shows text which is not ours, by what it is given. */
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

/** All that is read, with what stands in code left out. */
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
