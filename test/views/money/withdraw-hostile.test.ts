import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { DeliveryPayload } from "#src/domain/delivery.ts";
import type { Confirmation, WithdrawStatus } from "#src/domain/withdraw-facts.ts";
import { type WithdrawKind, type WithdrawOp, withdrawStates } from "#src/domain/withdraw-op.ts";
import { Secret } from "#src/shared/secret.ts";
import type { Locale } from "#src/texts/locale.ts";
import { confirmationView } from "#src/views/money/withdraw-confirmation.ts";
import {
  abandonedView,
  keyKeptView,
  keyQuestionView,
  pinModal,
} from "#src/views/money/withdraw-forms.ts";
import { outcomeNotice } from "#src/views/money/withdraw-outcome.ts";
import { withdrawStatusView } from "#src/views/money/withdraw-status.ts";
import { hostileText } from "../../support/any-text.ts";
import { cents } from "#src/shared/money.ts";
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

const RUNS = 100;
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

/** Every message about withdrawals that shows text which is not ours. */
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

const outsideCode = (payloads: readonly DeliveryPayload[]): string =>
  JSON.stringify(payloads).replace(/`[^`]*`/g, "`code`");

describe("every message about a withdrawal", () => {
  test(`shows a stranger's text as code and nowhere else: ${RUNS} texts in each`, () => {
    fc.assert(
      fc.property(hostileText, fc.constantFrom(...locales), (text, locale) => {
        const shown = messages(text, locale);
        expect(outsideCode(shown)).toBe(outsideCode(messages("x", locale)));
        expect(shown.flatMap(brokenLimits)).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });

  test(`shows of a refusal in its title words alone: ${RUNS} texts`, () => {
    fc.assert(
      fc.property(hostileText, fc.constantFrom(...locales), (message, locale) => {
        const sent = { ...nothingSent, rejected: { ...REJECTED, message } };
        const op = sampleOp({ state: "rejected", locale });
        const shown = withdrawStatusView(sampleStatus({ op, sent }), locale);
        expect(brokenLimits(shown)).toEqual([]);
        expect(shown.embeds?.[0]?.title).not.toMatch(/[*_~|`<>@#[\]\\/\n\p{Cf}]|\p{L}\.\p{L}/u);
      }),
      { numRuns: RUNS * 10 },
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
