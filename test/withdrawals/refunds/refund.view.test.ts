import { describe, expect, test } from "vitest";
import { refundConfirmationView } from "#src/withdrawals/refunds/refund.view.ts";
import { abandonedView } from "#src/withdrawals/withdraw-confirmation.view.ts";
import { refundRefusals, type WithdrawOp, withdrawStates } from "#src/withdrawals/withdraw-op.ts";
import { withdrawStatusView } from "#src/withdrawals/withdraw-status.view.ts";
import { withdrawalDetailView } from "#src/withdrawals/withdrawal-detail.view.ts";
import { errorReply } from "#src/help/error.view.ts";
import type { Locale } from "#src/shared/locale.ts";
import { PACED, UserError } from "#src/shared/errors.ts";
import { cents } from "#src/shared/money.ts";
import { NOW } from "../../support/samples.ts";
import { brokenLimits } from "../../ui/message-limits.ts";
import { buttonsOf, readMessage } from "../../ui/read-message.ts";
import {
  nothingSent,
  REJECTED,
  sampleOp,
  sampleRefund,
  sampleStatus,
  TOKEN,
  TXID,
} from "../withdraw-samples.ts";

const asked = (given: Parameters<typeof sampleRefund>[0] = {}, locale: Locale = "pt-BR") =>
  refundConfirmationView(sampleRefund(given), locale);
const refundOp = (given: Partial<WithdrawOp>): WithdrawOp =>
  sampleOp({ kind: "refund", amount: cents(7_990), ...given });
const status = (given: Partial<WithdrawOp>, locale: Locale = "pt-BR") =>
  withdrawStatusView(sampleStatus({ op: refundOp(given) }), locale);
const detail = (given: Partial<WithdrawOp>, locale: Locale = "pt-BR") =>
  withdrawalDetailView({
    op: refundOp(given),
    events: [],
    withdrawal: undefined,
    problem: "timeout",
    readAt: NOW,
    hasGuild: true,
    withdrawEnabled: true,
    locale,
  });
const all = (shown: ReturnType<typeof asked>): string => readMessage(shown).join("\n");

describe("the question before a refund", () => {
  test("says that nobody knows whether the fee comes back, to whom the money goes, and until when it counts", () => {
    const text = all(asked());
    expect(text).toContain(
      "Quanto sai do seu saldo, com ou sem a taxa da venda, o serviço não diz.",
    );
    expect(text).toContain("`Marcos ***`");
    const { op, payment } = sampleRefund();
    for (const fact of [payment.description, op.targetTxid]) expect(text).toContain(`\`${fact}\``);
    expect(text).toMatch(/Vale até <t:\d+:t>/);
    expect(text).not.toContain("Atenção");
  });

  test("says so when the payer or the completeness of the MEDs is not known", () => {
    const { payment } = sampleRefund();
    expect(all(asked({ payment: { ...payment, payer: undefined } }))).toContain("não disse quem");
    expect(all(asked({ unlistedDisputes: undefined }))).toContain("não consegui conferir");
    expect(all(asked({ unlistedDisputes: 1 }))).toContain("1 MED que a lista");
    expect(all(asked({ unlistedDisputes: 7 }))).toContain("7 MEDs que a lista");
  });

  test("asks for the PIN with the click that sends", () => {
    expect(buttonsOf(asked({ pinRequired: true }))).toMatchObject({
      "Estornar R$\u00a079,90 com PIN": `saque:pin:${TOKEN}`,
    });
  });

  test("is given up in words of a refund", () => {
    const dropped = abandonedView(refundOp({ state: "abandoned" }), "pt-BR");
    expect(all(dropped)).toContain("Estorno descartado");
  });
});

describe.each(["pt-BR", "en-US"] as const)("a refund in %s", (locale) => {
  test.each(withdrawStates)(
    "that is %s never reads as a withdrawal, and fits a message",
    (state) => {
      for (const shown of [status({ state }, locale), detail({ state }, locale)]) {
        expect(readMessage(shown).slice(0, 2).join("\n")).not.toMatch(
          /\b(o|este) saque\b|withdrawal /i,
        );
        expect(brokenLimits(shown)).toEqual([]);
      }
    },
  );

  test("whose MEDs stay unreadable sends to the service's dashboard in both places", () => {
    const late = status({ state: "refused_local", errorCode: "disputes_unreadable" }, locale);
    const asking = errorReply(new UserError({ kind: "disputes_unreadable" }), locale, "R");
    for (const shown of [late, asking])
      expect(all(shown)).toMatch(/no painel do serviço|on the service's dashboard/);
  });

  test.each(refundRefusals)(
    "that was not sent because of %s says so in both places",
    (errorCode) => {
      const given = { state: "refused_local", errorCode } as const;
      const reasonOf = (op: Partial<WithdrawOp>) =>
        readMessage(status(op, locale))[1]?.split("\n")[0] ?? "";
      const reason = reasonOf(given);
      expect(reason).not.toBe(reasonOf({ state: "refused_local" }));
      expect(readMessage(detail(given, locale))[1]).toContain(reason);
    },
  );
});

describe("the state of a refund", () => {
  test("names the payment, and neither key nor fee", () => {
    const text = all(status({ state: "completed" }));
    expect(text).toContain(TXID);
    expect(text).toContain("Valor do estorno");
    expect(text).not.toContain("Chave PIX");
  });

  test.each([
    ["pt-BR", "não bloqueia saques nem outros", "seguem liberados"],
    ["en-US", "blocks no withdrawals, and no other", "are not blocked"],
  ] as const)("in doubt does not say in %s that withdrawals go on", (locale, says, wrong) => {
    const text = all(status({ state: "unknown" }, locale));
    expect(text).toContain(says);
    expect(text).not.toContain(wrong);
  });

  test("after a duplicate does not say which of the two it was", () => {
    expect(all(status({ state: "unknown", httpStatus: 409 }))).toMatch(/já existe[^]*Não repita/);
  });

  test("held back after a restore promises no refund that nobody asks for", () => {
    const held = { state: "refused_local", errorCode: "refund_after_restore" } as const;
    expect(all(status(held))).toMatch(/três dias depois[^]*você já pode pedir de novo/);
    expect(all(status(held))).not.toContain("eu estorno");
    expect(all(status(held, "en-US"))).toContain("you can ask again three days after");
    expect(all(status(held, "en-US"))).not.toContain("I refund");
  });

  test("refused for a reason that the service tells has no other reason beside it", () => {
    const op = refundOp({ state: "rejected", errorCode: "refused" });
    const message = "Estornos bloqueados: conta em análise";
    const sent = { ...nothingSent, rejected: { ...REJECTED, reason: "refused", message } } as const;
    const text = all(withdrawStatusView(sampleStatus({ op, sent }), "pt-BR"));
    expect(text).toContain("O motivo é o que o serviço disse.");
    expect(text).not.toContain("saldo baixo");
  });

  test("held back by our own pace says that nothing moved", () => {
    expect(all(status({ state: "not_sent", errorCode: PACED }))).toContain("não saiu daqui");
  });

  test("offers its owner the decision in words of a refund", () => {
    expect(Object.keys(buttonsOf(status({ state: "manual" })))).toEqual(
      expect.arrayContaining(["A venda foi estornada", "Não foi estornada"]),
    );
    const resolved = { state: "resolved_manual", resolution: "did_not_happen" } as const;
    expect(all(status(resolved))).toContain("A resposta: o estorno não foi feito");
  });

  test("that was not made says so in words that stay true once another one was begun", () => {
    const resolved = { state: "resolved_manual", resolution: "did_not_happen" } as const;
    for (const each of [{ state: "not_executed" }, resolved] as const) {
      expect(all(status(each))).toContain("Se você ainda não pediu outro, já pode pedir.");
      expect(all(status(each, "en-US"))).toContain("If you have not asked for another one yet");
    }
  });
});
