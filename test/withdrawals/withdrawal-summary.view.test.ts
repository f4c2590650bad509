import { describe, expect, test } from "vitest";
import type { WithdrawalDetailFacts } from "#src/withdrawals/withdrawal-detail.view.ts";
import { wireText } from "#src/wallet/wire.ts";
import { withdrawalSummaryView } from "#src/withdrawals/withdrawal-summary.view.ts";
import { type WithdrawOp, withdrawStates } from "#src/withdrawals/withdraw-op.ts";
import { LATER, NOW, READ_AT, WHEN } from "../support/samples.ts";
import { brokenLimits } from "../ui/message-limits.ts";
import { buttonsOf, readMessage } from "../ui/read-message.ts";
import { acceptedOp, sampleDetail, sampleOp, sampleWithdrawal } from "./withdraw-samples.ts";

const read = (given: Partial<WithdrawalDetailFacts> = {}) =>
  readMessage(withdrawalSummaryView(sampleDetail(given)));
const MASKED = acceptedOp().pixKeyMasked;

describe("the summary of a withdrawal", () => {
  test("has six lines: state and amount, meaning, money, place, time, and the code last", () => {
    expect(read()).toEqual([
      "✅ Concluído · R$ 1.233,50",
      "O dinheiro chegou à chave.\n" +
        "Líquido R$ 1.233,50 · Valor R$ 1.234,00 · Taxa R$ 0,50\n" +
        `\`${MASKED}\` (CPF) · \`Carla Nogueira\` · \`Banco Horizonte\`\n` +
        `Concluído em ${LATER}\n` +
        "-# Saque W-7K2Q9",
      READ_AT,
    ]);
  });

  test("leads to its details before the way back to the list", () => {
    expect(Object.entries(buttonsOf(withdrawalSummaryView(sampleDetail())))).toEqual([
      ["Recibo", "saques:recibo:W-7K2Q9"],
      ["Mais detalhes", "saques:detalhes:W-7K2Q9"],
      ["Ver todos", "saques:lista:"],
    ]);
  });

  test("names the plan of a scheduled one, and why one failed", () => {
    const withdrawal = sampleWithdrawal({ status: "scheduled", completedAt: undefined });
    const op = acceptedOp({ state: "scheduled" });
    expect(read({ op, withdrawal })[1]).toContain(`Previsto para ${LATER}`);
    const failed = sampleWithdrawal({
      status: "failed",
      completedAt: undefined,
      failedAt: NOW,
      failReason: "Conta encerrada.",
    });
    const text = read({ op: acceptedOp({ state: "failed" }), withdrawal: failed });
    expect(text[0]).toBe("❌ Falhou · R$ 1.234,00");
    expect(text[1]).toContain("`Conta encerrada`.");
    expect(read({ op: undefined, withdrawal: failed })[1]).toContain("devolve o valor ao saldo");
    expect(text[1]).toContain(`Falhou em ${WHEN}`);
  });

  test("that was accepted and cannot be read claims neither that the PIX left nor that it did not", () => {
    const op = acceptedOp({ state: "accepted", kind: "split_turbo" });
    expect(read({ op, withdrawal: undefined, problem: "not_found" })[1]).toMatch(
      /^Foi aceito: o dinheiro pode já ter saído, ou ainda sair\./,
    );
  });

  test("shows the beginning of a reason that is as long as an answer may be", () => {
    const failReason = wireText.parse(`Conta${" ".repeat(1_000_000)}encerrada`);
    const failed = sampleWithdrawal({ status: "failed", completedAt: undefined, failReason });
    const text = read({ op: acceptedOp({ state: "failed" }), withdrawal: failed });
    expect(text[1]).toContain("nas palavras do serviço: `Conta");
  });

  test("of a cancellation or a refund names it beside its state: the state is not a withdrawal's", () => {
    const titleOf = (op: Partial<WithdrawOp>) => read({ op: sampleOp(op) })[0];
    expect([
      titleOf({ kind: "cancel", state: "failed" }),
      titleOf({ kind: "cancel", state: "completed" }),
      titleOf({ kind: "refund", state: "completed" }),
      titleOf({ kind: "cancel", state: "unknown", amount: undefined }),
    ]).toEqual([
      "❌ Falhou · cancelamento de R$ 1.234,00",
      "✅ Concluído · cancelamento de R$ 1.234,00",
      "✅ Concluído · estorno de R$ 1.234,00",
      "❔ Ainda não sei se foi feito · cancelamento",
    ]);
  });

  test("tells what the service says where the journal says otherwise", () => {
    const text = read({ op: acceptedOp() })[1];
    expect(text).toContain("Situação no serviço: Concluído.");
    expect(read()[1]).not.toContain("Situação no serviço");
  });

  test.each(withdrawStates)("of one that is %s fits in both languages", (state) => {
    for (const locale of ["pt-BR", "en-US"] as const)
      for (const withdrawal of [undefined, sampleWithdrawal()]) {
        const view = withdrawalSummaryView(
          sampleDetail({ op: acceptedOp({ state }), withdrawal, locale }),
        );
        expect(brokenLimits(view)).toEqual([]);
        expect(buttonsOf(view)).toMatchObject(
          locale === "pt-BR"
            ? { "Mais detalhes": "saques:detalhes:W-7K2Q9" }
            : { "More details": "saques:detalhes:W-7K2Q9" },
        );
        // A person who has to decide reads the steps as well.
        if (state !== "manual")
          expect(view.embeds?.[0]?.description?.split("\n").length).toBeLessThanOrEqual(5);
      }
  });
});
