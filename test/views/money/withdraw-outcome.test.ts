import { describe, expect, test } from "vitest";
import type { WithdrawOp } from "#src/domain/withdraw-op.ts";
import { outcomeNotice } from "#src/views/money/withdraw-outcome.ts";
import { NOW } from "../../support/samples.ts";
import { labelsOf, readMessage } from "../read-message.ts";
import { acceptedOp, sampleOp, sampleWithdrawal } from "./withdraw-samples.ts";

const REFERENCE = "ref a1b2c3d4";
const notice = (op: WithdrawOp, withdrawal = sampleWithdrawal()) =>
  outcomeNotice({ op, withdrawal, reference: REFERENCE });

describe("a direct message about an outcome", () => {
  test("says what arrived, where to go, and carries the mark by which it is found", () => {
    const lines = readMessage(notice(acceptedOp({ state: "completed" })));
    expect(lines[0]).toBe("Saque concluído");
    expect(lines[1]).toBe(
      "O serviço concluiu o saque: **R$ 1.233,50** foram para a chave PIX.\n\n" +
        "[Abrir o servidor](https://discord.com/channels/1180000000000000001)",
    );
    expect(lines).toContain("Código: `W-7K2Q9`");
    expect(lines.at(-1)).toBe(`Balcão · ${REFERENCE}`);
  });

  test.each(["accepted", "scheduled", "processing"] as const)(
    "that is sent for one that is %s says that it was found",
    (state) => {
      const lines = readMessage(notice(acceptedOp({ state })));
      expect(lines[0]).toBe("Achei o saque: ele foi feito");
      expect(lines[1]).toContain("Não peça outro.");
    },
  );

  test("of a failure quotes the reason", () => {
    const failed = sampleWithdrawal({ failReason: "Conta encerrada", failedAt: NOW });
    expect(readMessage(notice(acceptedOp({ state: "failed" }), failed))).toContain(
      "Motivo dado pelo serviço: `Conta encerrada`",
    );
  });

  test("can be answered where the owner has to decide, and checked where it is in doubt", () => {
    expect(labelsOf(notice(sampleOp({ state: "manual" })))).toEqual([
      "O dinheiro saiu",
      "O dinheiro não saiu: liberar",
      "Verificar agora",
    ]);
    expect(labelsOf(notice(sampleOp({ state: "unknown" })))).toContain("Verificar agora");
    expect(notice(sampleOp({ state: "not_executed" }))).not.toHaveProperty("components");
  });

  test("is in the language in which the operation was asked for", () => {
    expect(readMessage(notice(acceptedOp({ state: "completed", locale: "en-US" })))[0]).toBe(
      "Withdrawal completed",
    );
  });
});
