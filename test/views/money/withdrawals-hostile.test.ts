import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { DeliveryPayload } from "#src/domain/delivery.ts";
import type { Withdrawal } from "#src/domain/withdrawal.ts";
import type { Locale } from "#src/texts/locale.ts";
import { balanceView } from "#src/views/money/balance.ts";
import { guardsView } from "#src/views/money/guards.ts";
import { withdrawalDetailView } from "#src/views/money/withdrawal-detail.ts";
import { ghostNotice } from "#src/views/money/withdrawal-ghost.ts";
import { withdrawalListView } from "#src/views/money/withdrawal-list.ts";
import { receiptView } from "#src/views/money/withdrawal-receipt.ts";
import { hostileText } from "../../support/any-text.ts";
import { NOW } from "../../support/samples.ts";
import { brokenLimits } from "../message-limits.ts";
import { acceptedOp, sampleWithdrawal } from "./withdraw-samples.ts";

const RUNS = 6000;
const locales: readonly Locale[] = ["pt-BR", "en-US"];

/** All that the service writes and a stranger may have written. */
const hostile = (text: string): Withdrawal =>
  sampleWithdrawal({
    txid: text,
    status: text,
    modality: text,
    pixKey: text,
    pixKeyType: text,
    bankName: text,
    accountHolder: text,
    transferId: text,
    failReason: text,
    errorCode: text,
    processor: { name: text, status: text, lastStatus: text },
  });
const row = (text: string) => ({ txid: text, requestedAt: NOW, amount: undefined, status: text });
const read = { problem: undefined, readAt: NOW };
const guards = {
  ownerId: "118",
  lockedAt: undefined,
  unlockAt: undefined,
  pin: undefined,
  dailyCap: undefined,
  pendingCap: undefined,
  newKeyWait: false,
  newKeyWaitEndsAt: undefined,
};

const renderers: Readonly<Record<string, (text: string, locale: Locale) => DeliveryPayload>> = {
  detail: (text, locale) =>
    withdrawalDetailView({
      ...read,
      op: acceptedOp({ txid: text, requestId: text, pixKeyMasked: text }),
      events: [],
      withdrawal: hostile(text),
      inGuild: true,
      locale,
    }),
  elsewhere: (text, locale) =>
    withdrawalDetailView({
      ...read,
      op: undefined,
      events: [],
      withdrawal: { ...hostile(text), pixKey: "12345678909" },
      inGuild: true,
      locale,
    }),
  list: (text, locale) =>
    withdrawalListView({
      ...read,
      ops: [acceptedOp({ pixKeyMasked: text })],
      elsewhere: [row(text), row(text)],
      filter: "all",
      locale,
    }),
  balance: (text, locale) =>
    balanceView({
      balance: undefined,
      frozen: undefined,
      open: [],
      elsewhereOpen: [row(text)],
      lock: undefined,
      underWay: [],
      recent: undefined,
      cap: undefined,
      quotes: undefined,
      locked: false,
      problems: [],
      readAt: NOW,
      locale,
    }),
  guards: (text, locale) =>
    guardsView({ guards, savedKeys: [{ name: `<${text}`, value: "salva:1" }], locale }),
  ghost: (text, locale) =>
    ghostNotice({
      ownerId: "118",
      guildId: "118",
      locale,
      reference: "ref a1b2c3d4",
      noticedAt: NOW,
      txid: text,
      withdrawal: { ...hostile(text), pixKey: "12345678909" },
    }),
};

const outsideCode = (payload: DeliveryPayload): string =>
  JSON.stringify(payload).replace(/`[^`]*`/g, "`code`");

describe("what the service writes", () => {
  test(`changes nothing outside its code, in any view of withdrawals: ${RUNS} texts`, () => {
    const views = Object.values(renderers).flatMap((render) =>
      locales.map((locale) => ({ render, locale, frame: outsideCode(render("<", locale)) })),
    );
    fc.assert(
      fc.property(
        hostileText.map((text) => `<${text}`),
        fc.constantFrom(...views),
        (text, { render, locale, frame }) => {
          const shown = render(text, locale);
          expect(outsideCode(shown)).toBe(frame);
          expect(brokenLimits(shown)).toEqual([]);
        },
      ),
      { numRuns: RUNS },
    );
  });

  test("is never in a title, a footer, a label, a menu or a custom id", () => {
    for (const render of Object.values(renderers)) {
      const { embeds = [], components = [] } = render(":<@118> zqx", "pt-BR");
      const frame = embeds.map(({ title, description, footer }) => [title, description, footer]);
      expect(JSON.stringify([components, frame])).not.toContain("zqx");
    }
  });

  test(`never ends the block of a receipt: ${RUNS} texts`, () => {
    const receipt = (text: string, locale: Locale) =>
      receiptView({ op: undefined, withdrawal: hostile(text), readAt: NOW, locale });
    const linesOf = ({ content = "" }: DeliveryPayload) => content.split("\n").length;
    const receipts = locales.map((locale) => ({ locale, lines: linesOf(receipt("x", locale)) }));
    fc.assert(
      fc.property(hostileText, fc.constantFrom(...receipts), (text, { locale, lines }) => {
        const view = receipt(text, locale);
        expect(view.content).toMatch(/^```\n[^`]*\n```$/);
        expect(linesOf(view)).toBe(lines);
        expect(brokenLimits(view)).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });
});
