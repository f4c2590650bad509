import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { DeliveryPayload } from "#src/domain/delivery.ts";
import type { Confirmation, WithdrawStatus } from "#src/domain/withdraw-facts.ts";
import { type WithdrawKind, type WithdrawOp, withdrawStates } from "#src/domain/withdraw-op.ts";
import { Secret } from "#src/shared/secret.ts";
import type { Locale } from "#src/shared/locale.ts";
import {
  abandonedView,
  confirmationView,
  keyKeptView,
  keyQuestionView,
  pinModal,
} from "#src/views/money/withdraw-confirmation.ts";
import { outcomeNotice, withdrawStatusView } from "#src/views/money/withdraw-status.ts";
import { cents } from "#src/shared/money.ts";
import type { Withdrawal } from "#src/domain/withdrawal.ts";
import { balanceView } from "#src/views/money/balance.ts";
import { guardsView } from "#src/views/money/guards.ts";
import { receiptView, withdrawalDetailView } from "#src/views/money/withdrawal-detail.ts";
import { externalWithdrawalNotice } from "#src/views/money/external-withdrawal.ts";
import { withdrawalListView } from "#src/views/money/withdrawal-list.ts";
import { hostileText } from "../../support/any-text.ts";
import { NOW } from "../../support/samples.ts";
import { brokenLimits, brokenModalLimits } from "../message-limits.ts";
import { readMessage } from "../read-message.ts";
import {
  acceptedOp,
  nothingSent,
  REJECTED,
  sampleConfirmation,
  sampleOp,
  sampleStatus,
  sampleWithdrawal,
  TOKEN,
} from "./withdraw-samples.ts";
import { outsideCode } from "../hostile-samples.ts";

const RUNS_EACH = 100;
const locales: readonly Locale[] = ["pt-BR", "en-US"];
const kinds: readonly WithdrawKind[] = ["normal", "turbo", "split_normal", "split_turbo", "cancel"];

const opOf = (text: string, given: Partial<WithdrawOp>): WithdrawOp =>
  acceptedOp({ txid: text, targetTxid: text, requestId: text, pixKeyMasked: text, ...given });

const statusOf = (text: string, given: Partial<WithdrawOp>): WithdrawStatus =>
  sampleStatus({
    op: opOf(text, given),
    keySavable: true,
    problem: "malformed",
    withdrawal: sampleWithdrawal({
      txid: text,
      bankName: text,
      accountHolder: text,
      failReason: text,
      errorCode: text,
      failedAt: NOW,
    }),
    sent: { ...nothingSent, pixKeyOwner: text, rejected: { ...REJECTED, message: `<${text}` } },
  });

const confirmationOf = (text: string, kind: WithdrawKind): Confirmation =>
  sampleConfirmation({
    op: sampleOp({ kind, targetTxid: text }),
    pixKey: { value: new Secret(text), type: "unknown", suspect: true },
    holderName: text,
    bankName: text,
    askedTwice: ["new_key", "unreadable_list", "split", "suspect_key"],
    underWay: (["processing", "scheduled", "unread"] as const).map((phase) => ({
      phase,
      amount: cents(100),
      plannedFor: NOW,
    })),
    recent: { at: NOW, allowedFrom: NOW },
    sentMeanwhile: true,
    night: true,
  });

const messages = (text: string, locale: Locale): readonly DeliveryPayload[] =>
  kinds.flatMap((kind) => [
    confirmationView(confirmationOf(text, kind), locale),
    keyKeptView(text, locale),
    ...withdrawStates.flatMap((state) => {
      const status = statusOf(text, { kind, state, locale });
      const { op, withdrawal } = status;
      return [
        withdrawStatusView(status, locale),
        outcomeNotice({ op, withdrawal, reference: "ref a1b2c3d4" }),
      ];
    }),
  ]);

describe("every message about a withdrawal", () => {
  test(`shows a stranger's text as code and nowhere else: ${RUNS_EACH} texts in each`, () => {
    const frames = locales.map((locale) => ({ locale, frame: outsideCode(messages("x", locale)) }));
    fc.assert(
      fc.property(hostileText, fc.constantFrom(...frames), (text, { locale, frame }) => {
        const shown = messages(text, locale);
        expect(outsideCode(shown)).toBe(frame);
        expect(shown.flatMap(brokenLimits)).toEqual([]);
      }),
      { numRuns: RUNS_EACH },
    );
  });

  test(`shows of a refusal in its title words alone: ${RUNS_EACH} texts`, () => {
    fc.assert(
      fc.property(hostileText, fc.constantFrom(...locales), (message, locale) => {
        const sent = { ...nothingSent, rejected: { ...REJECTED, message } };
        const op = sampleOp({ state: "rejected", locale });
        const shown = withdrawStatusView(sampleStatus({ op, sent }), locale);
        expect(brokenLimits(shown)).toEqual([]);
        expect(shown.embeds?.[0]?.title).not.toMatch(/[*_~|`<>@#[\]\\/\n\p{Cf}]|\p{L}\.\p{L}/u);
      }),
      { numRuns: RUNS_EACH * 10 },
    );
  });

  test.each(locales)("in %s fits with the longest of texts", (locale) => {
    expect(messages("x".repeat(5_000), locale).flatMap(brokenLimits)).toEqual([]);
  });

  test.each(locales)("in %s never exclaims and never shows undefined", (locale) => {
    const text = messages("x", locale)
      .map((each) => readMessage(each).join("\n"))
      .join("\n");
    expect(text).not.toMatch(/!|undefined|NaN|\[object/);
  });

  test("carries in its custom ids a token or a code, and nothing that a stranger wrote", () => {
    const ids = JSON.stringify(messages("mal", "pt-BR")).match(/"custom_id":"[^"]*"/g) ?? [];
    expect(new Set(ids.map((id) => id.replace(/.*:([^:"]*)"$/, "$1")))).toEqual(
      new Set([TOKEN, "W-7K2Q9"]),
    );
  });

  test.each(locales)("that only asks or closes fits too, in %s", (locale) => {
    const question = keyQuestionView(
      { kind: "key_question", op: sampleOp(), token: TOKEN, expiresAt: NOW },
      locale,
    );
    const closed = kinds.map((kind) => abandonedView(sampleOp({ kind }), locale));
    expect([question, ...closed].flatMap(brokenLimits)).toEqual([]);
    expect(brokenModalLimits(pinModal(TOKEN, "pin", locale))).toEqual([]);
  });
});

const RUNS = 1_200;
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
    externalWithdrawalNotice({
      ownerId: "118",
      guildId: "118",
      locale,
      reference: "ref a1b2c3d4",
      noticedAt: NOW,
      txid: text,
      withdrawal: { ...hostile(text), pixKey: "12345678909" },
    }),
};

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
    const receipts = locales.map((locale) => ({
      locale,
      lines: linesOf(receipt("x", locale)),
    }));
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
