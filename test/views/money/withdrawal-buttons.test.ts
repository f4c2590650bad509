import { describe, expect, test } from "vitest";
import { decisionModal } from "#src/views/money/withdrawal-decision.ts";
import {
  withdrawalDetailView,
  type WithdrawalDetailFacts,
} from "#src/views/money/withdrawal-detail.ts";
import { NOW } from "../../support/samples.ts";
import { brokenModalLimits } from "../message-limits.ts";
import { buttonsOf, readMessage } from "../read-message.ts";
import { acceptedOp, sampleOp, sampleWithdrawal, TXID } from "./withdraw-samples.ts";

const facts = (given: Partial<WithdrawalDetailFacts>): WithdrawalDetailFacts => ({
  op: acceptedOp(),
  events: [],
  withdrawal: sampleWithdrawal(),
  problem: undefined,
  readAt: NOW,
  inGuild: true,
  locale: "pt-BR",
  ...given,
});
const labels = (given: Partial<WithdrawalDetailFacts>) =>
  Object.keys(buttonsOf(withdrawalDetailView(facts(given))));

describe("the buttons under a withdrawal", () => {
  test.each([
    ["unknown", undefined, ["Verificar agora", "Ver todos"]],
    ["processing", "processing", ["Verificar agora", "Recibo", "Ver todos"]],
    ["scheduled", "scheduled", ["Verificar agora", "Recibo", "Cancelar saque", "Ver todos"]],
    ["scheduled", "processing", ["Verificar agora", "Recibo", "Ver todos"]],
    ["completed", "completed", ["Recibo", "Ver todos"]],
    ["not_sent", undefined, ["Ver todos"]],
  ] as const)(
    "while it is %s, and %s at the service, are those that can help",
    (state, status, expected) => {
      const withdrawal = status === undefined ? undefined : sampleWithdrawal({ status });
      expect(labels({ op: acceptedOp({ state }), withdrawal })).toEqual(expected);
    },
  );

  test("let its owner decide what reading could not tell", () => {
    const view = withdrawalDetailView(
      facts({ op: sampleOp({ state: "manual" }), withdrawal: undefined }),
    );
    expect(readMessage(view)[1]).toContain("**paga duas vezes**");
    expect(Object.values(buttonsOf(view))).toEqual([
      "saques:verificar:W-7K2Q9",
      "saques:aconteceu:W-7K2Q9",
      "saques:nao-aconteceu:W-7K2Q9",
      "saques:lista:",
    ]);
  });

  test("carry a txid where there is no code, and cancel by it", () => {
    const withdrawal = sampleWithdrawal({ status: "scheduled" });
    expect(
      Object.values(buttonsOf(withdrawalDetailView(facts({ op: undefined, withdrawal })))),
    ).toEqual([`saques:recibo:${TXID}`, `saques:cancelar:${TXID}`, "saques:lista:"]);
  });

  test("offer neither the list nor a cancellation in a direct message", () => {
    const withdrawal = sampleWithdrawal({ status: "scheduled" });
    const op = acceptedOp({ state: "scheduled" });
    expect(labels({ op, withdrawal, inGuild: false })).toEqual(["Verificar agora", "Recibo"]);
  });

  test("never carry a txid that is none", () => {
    const withdrawal = sampleWithdrawal({ txid: "../meds:1", status: "scheduled" });
    expect(labels({ op: undefined, withdrawal })).toEqual(["Ver todos"]);
  });
});

test.each(["pt-BR", "en-US"] as const)(
  "the form of a decision in %s fits and asks for the code",
  (locale) => {
    for (const happened of [true, false]) {
      const form = decisionModal("W-7K2Q9", happened, locale);
      expect(brokenModalLimits(form)).toEqual([]);
      expect(form.fields).toMatchObject([{ id: "codigo", required: true }]);
      expect(form.fields[0]?.label).toContain("W-7K2Q9");
      expect(form.customId).toBe(`saques:decidir-${happened ? "sim" : "nao"}:W-7K2Q9`);
    }
  },
);
