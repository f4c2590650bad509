import { describe, expect, test } from "vitest";
import { receiptView, type ReceiptFacts } from "#src/views/money/withdrawal-receipt.ts";
import { NOW } from "../../support/samples.ts";
import { brokenLimits } from "../message-limits.ts";
import { acceptedOp, MASKED, sampleWithdrawal, TXID } from "./withdraw-samples.ts";

const receipt = (given: Partial<ReceiptFacts> = {}): string =>
  receiptView({
    op: acceptedOp(),
    withdrawal: sampleWithdrawal(),
    readAt: NOW,
    locale: "pt-BR",
    ...given,
  }).content ?? "";

describe("a receipt", () => {
  test("is one block to be copied, with plain spaces, and nothing beside it", () => {
    expect(receipt()).toBe(
      [
        "```",
        "RECIBO DE SAQUE",
        "Código: W-7K2Q9",
        `Txid: ${TXID}`,
        "Situação: Concluído",
        "Valor: R$ 1.234,00",
        "Taxa: R$ 0,50",
        "Líquido: R$ 1.233,50",
        "Modalidade: normal, em até 24 horas",
        `Chave PIX: ${MASKED} (CPF)`,
        "Banco: Banco Horizonte",
        "Titular: Carla Nogueira",
        "Pedido em: 20/11/2026 15:00 (horário de Brasília)",
        "Previsto para: 21/11/2026 15:00 (horário de Brasília)",
        "Concluído em: 21/11/2026 15:00 (horário de Brasília)",
        "Lido em: 20/11/2026 15:00 (horário de Brasília)",
        "```",
      ].join("\n"),
    );
    const view = receiptView({
      op: undefined,
      withdrawal: sampleWithdrawal(),
      readAt: NOW,
      locale: "pt-BR",
    });
    expect([view.embeds, view.components]).toEqual([undefined, []]);
  });

  test.each(["scheduled", "processing", "failed", "cancelled", "something_new"])(
    "of one that is %s is no proof of payment and says so",
    (status) => {
      const text = receipt({ withdrawal: sampleWithdrawal({ status }) });
      expect(text).toContain("Não é comprovante de pagamento.");
    },
  );

  test("of one made elsewhere has no code, and its key masked", () => {
    const text = receipt({ op: undefined });
    expect(text).not.toMatch(/Código|12345678909/);
    expect(text).toContain(MASKED);
  });

  test.each(["pt-BR", "en-US"] as const)(
    "in %s fits, however long the service's words",
    (locale) => {
      const long = "`".repeat(50) + "w".repeat(5000);
      const withdrawal = sampleWithdrawal({
        txid: long,
        status: long,
        modality: long,
        pixKeyType: long,
        bankName: long,
        accountHolder: long,
        transferId: long,
        failedAt: NOW,
      });
      const view = receiptView({ op: undefined, withdrawal, readAt: NOW, locale });
      expect(brokenLimits(view)).toEqual([]);
      expect(view.content?.match(/`/g)).toHaveLength(6);
    },
  );
});
