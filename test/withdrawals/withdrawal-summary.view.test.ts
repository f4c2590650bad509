import { describe, expect, test } from "vitest";
import {
  type WithdrawalDetailFacts,
  withdrawalSummaryView,
} from "#src/withdrawals/withdrawal-detail.view.ts";
import {
  lateRefusals,
  refundRefusals,
  type WithdrawOp,
  withdrawStates,
} from "#src/withdrawals/withdraw-op.ts";
import { NOW, WHEN } from "../support/samples.ts";
import { brokenLimits } from "../ui/message-limits.ts";
import { buttonsOf, readMessage } from "../ui/read-message.ts";
import {
  acceptedOp,
  COMPLETED_IN_SHORT,
  sampleDetail,
  sampleOp,
  sampleWithdrawal,
} from "./withdraw-samples.ts";

const summaryOf = (op: WithdrawOp, given: Partial<WithdrawalDetailFacts> = {}) =>
  withdrawalSummaryView({ ...sampleDetail(given), op });
const completed = acceptedOp({ state: "completed" });

describe("the summary of a withdrawal", () => {
  test("has six lines: state, amounts, place, time, the next one, and the code last", () => {
    expect(readMessage(summaryOf(completed))).toEqual(COMPLETED_IN_SHORT);
  });

  test("leads to its details before the way back to the list, and is not live", () => {
    expect(Object.entries(buttonsOf(summaryOf(completed)))).toEqual([
      ["Recibo", "saques:recibo:W-7K2Q9"],
      ["Mais detalhes", "saques:detalhes:W-7K2Q9"],
      ["Ver todos", "saques:lista:"],
    ]);
    expect(summaryOf(completed).live).toBeUndefined();
  });

  test("of one to be decided that is still scheduled keeps every button", () => {
    const withdrawal = sampleWithdrawal({ status: "scheduled" });
    const view = summaryOf(acceptedOp({ state: "manual" }), { withdrawal });
    expect(Object.keys(buttonsOf(view))).toEqual([
      "O dinheiro saiu",
      "O dinheiro não saiu",
      "Verificar agora",
      "Cancelar saque",
      "Mais detalhes",
      "Ver todos",
    ]);
    expect(brokenLimits(view)).toEqual([]);
  });

  test.each(["failed", "cancelled", "manual", "resolved_manual"] as const)(
    "of one that is %s tells the fee, which may not come back",
    (state) => {
      const [, text] = readMessage(summaryOf(acceptedOp({ state })));
      expect(text).toContain("Valor do saque R$ 1.234,00 · Taxa R$ 0,50\n");
      expect(text).not.toContain("Vai chegar");
    },
  );

  test.each([
    ["pt-BR", "Cancelamento descartado"],
    ["en-US", "Cancellation dropped"],
  ] as const)(
    "of a cancellation that was dropped says so of the cancellation alone, in %s",
    (locale, title) => {
      const op = sampleOp({ kind: "cancel", state: "abandoned" });
      expect(readMessage(summaryOf(op, { locale }))[0]).toBe(title);
    },
  );

  test.each(withdrawStates.filter((state) => state !== "draft"))(
    "of one that is %s tells when it was asked for, where it tells no other time",
    (state) => {
      for (const kind of ["turbo", "split_normal", "cancel", "refund"] as const) {
        const [, text] = readMessage(
          summaryOf(sampleOp({ state, kind }), { withdrawal: undefined }),
        );
        expect(text).toContain(`\nPedido em ${WHEN}\n`);
      }
      const [, told] = readMessage(summaryOf(acceptedOp({ state: "unknown" })));
      expect(told).not.toContain("Pedido em");
    },
  );

  test.each([...lateRefusals, ...refundRefusals])(
    "of one that was held back by %s tells why as of then, as a lock opens and a MED ends",
    (errorCode) => {
      for (const locale of ["pt-BR", "en-US"] as const) {
        const op = sampleOp({ kind: "turbo", state: "refused_local", errorCode });
        const [, text] = readMessage(summaryOf(op, { locale }));
        expect(text).not.toMatch(
          / agora|acabei| now|just found|[Hh]á um MED aberto sobre|has an open/,
        );
        expect(text).not.toMatch(/^Você travou|^You locked/);
      }
    },
  );

  test.each(["turbo", "refund"] as const)(
    "of a %s to be decided promises further readings for as long as there are some",
    (kind) => {
      const op = sampleOp({ kind, state: "manual", sentAt: NOW });
      const textAt = (readAt: Temporal.Instant) => readMessage(summaryOf(op, { readAt }))[1];
      expect(textAt(NOW.add({ hours: 30 * 24 - 1 }))).toContain("até 30 dias depois do pedido");
      expect(textAt(NOW.add({ hours: 30 * 24 }))).not.toContain("30 dias");
    },
  );

  test("tells what the service says where the journal says otherwise", () => {
    const text = readMessage(summaryOf(acceptedOp())).join("\n");
    expect(text).toContain("Situação no serviço: Concluído");
    expect(readMessage(summaryOf(completed)).join("\n")).not.toContain("Situação no serviço");
  });

  test.each(withdrawStates.filter((state) => !["draft", "abandoned"].includes(state)))(
    "of one that is %s fits in both languages",
    (state) => {
      for (const locale of ["pt-BR", "en-US"] as const)
        for (const withdrawal of [undefined, sampleWithdrawal()])
          for (const kind of ["turbo", "split_normal", "cancel", "refund"] as const) {
            const view = summaryOf(sampleOp({ state, kind }), { withdrawal, locale });
            expect(brokenLimits(view)).toEqual([]);
            expect(Object.values(buttonsOf(view))).toContain("saques:detalhes:W-7K2Q9");
          }
    },
  );
});
