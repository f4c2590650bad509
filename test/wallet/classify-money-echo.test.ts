import { describe, expect, test } from "vitest";

import { acceptedWithdrawal } from "#src/wallet/withdraw.ts";
import { classifyMoney } from "#src/wallet/classify-money.ts";

const KEY = "sk_sandbox_ana_4f9b27c1d05e";

const GOOD = '{"success":true,"withdrawal":{"txid":"SW1","pixKeyOwner":"Ana","amount":10}}';
const REFUSAL = '{"success":false,"message":"Não."}';

const verdictOf = (status: number, body: string, headers: Record<string, string> = {}) =>
  classifyMoney({ complete: true, status, headers, body }, acceptedWithdrawal, KEY, 0);

describe("an answer that gives our own key back", () => {
  const forms = [KEY, Buffer.from(KEY).toString("base64"), Buffer.from(KEY).toString("hex")];

  test.each(forms)("is accepted all the same, without what adorns it: %s", (echo) => {
    const body = GOOD.replace("Ana", echo);
    const verdict = verdictOf(200, body, { "x-request-id": echo });

    expect(verdict).toMatchObject({
      state: "accepted",
      value: { txid: "SW1", pixKeyOwner: undefined, amount: undefined },
      requestId: undefined,
    });
    expect(JSON.stringify(verdict)).not.toContain(echo);
  });

  test.each(forms)("in the place of the txid leaves nothing to know it by: %s", (echo) => {
    expect(verdictOf(200, GOOD.replace("SW1", echo))).toMatchObject({
      state: "unknown",
      errorCode: "ANSWER_REPEATS_KEY",
    });
  });

  test.each(forms)("is a refusal all the same, without its words: %s", (echo) => {
    expect(verdictOf(400, REFUSAL.replace("Não.", echo))).toMatchObject({
      state: "rejected",
      reason: "invalid",
      message: undefined,
    });
  });
});
