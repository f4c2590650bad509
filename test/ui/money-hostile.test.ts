import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { DeliveryPayload } from "#src/delivery/delivery.ts";
import type { Locale } from "#src/shared/locale.ts";
import {
  abandonedView,
  keyQuestionView,
  pinModal,
} from "#src/withdrawals/withdraw-confirmation.view.ts";
import { withdrawKinds } from "#src/withdrawals/withdraw-op.ts";
import { withdrawStatusView } from "#src/withdrawals/withdraw-status.view.ts";
import { receiptView } from "#src/withdrawals/receipt.view.ts";
import { hostileText } from "../support/any-text.ts";
import { NOW } from "../support/samples.ts";
import { hostileViews } from "./hostile-views.ts";
import { brokenLimits, brokenModalLimits } from "./message-limits.ts";
import {
  hostileWithdrawal,
  nothingSent,
  REJECTED,
  sampleOp,
  sampleStatus,
  TOKEN,
} from "../withdrawals/withdraw-samples.ts";

const RUNS = 1_200;
const locales: readonly Locale[] = ["pt-BR", "en-US"];

const messages = (text: string, locale: Locale): readonly DeliveryPayload[] =>
  [
    "confirmationView",
    "cancelConfirmationView",
    "keyKeptView",
    "withdrawStatusView",
    "outcomeNotice",
  ].flatMap((name) => (hostileViews[name]?.renders ?? []).map((render) => render(text, locale)));

describe("every message about a withdrawal", () => {
  test(`shows of a refusal in its title words alone: ${RUNS} texts`, () => {
    fc.assert(
      fc.property(hostileText, fc.constantFrom(...locales), (message, locale) => {
        const sent = { ...nothingSent, rejected: { ...REJECTED, message } };
        const op = sampleOp({ state: "rejected", locale });
        const shown = withdrawStatusView(sampleStatus({ op, sent }), locale);
        expect(brokenLimits(shown)).toEqual([]);
        expect(shown.embeds?.[0]?.title).not.toMatch(/[*_~|`<>@#[\]\\/\n\p{Cf}]|\p{L}\.\p{L}/u);
      }),
      { numRuns: RUNS },
    );
  });

  test("carries in its custom ids a token or a code, and nothing that a stranger wrote", () => {
    const ids = JSON.stringify(messages("mal", "pt-BR")).match(/"custom_id":"[^"]*"/g) ?? [];
    expect(new Set(ids.map((id) => id.replace(/.*:([^:"]*)"$/, "$1")))).toEqual(
      // The form for another key has no argument.
      new Set([TOKEN, "W-7K2Q9", ""]),
    );
  });

  test.each(locales)("that only asks or closes fits too, in %s", (locale) => {
    const question = keyQuestionView(
      { kind: "key_question", op: sampleOp(), token: TOKEN, expiresAt: NOW },
      locale,
    );
    const closed = withdrawKinds.map((kind) => abandonedView(sampleOp({ kind }), locale));
    expect([question, ...closed].flatMap(brokenLimits)).toEqual([]);
    expect(brokenModalLimits(pinModal(TOKEN, "pin", locale))).toEqual([]);
  });

  test(`never ends the block of a receipt: ${RUNS} texts`, () => {
    const receipt = (text: string, locale: Locale) =>
      receiptView(
        { op: undefined, withdrawal: hostileWithdrawal(text), readAt: NOW, locale },
        undefined,
      );
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
