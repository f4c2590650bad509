import { describe, expect, test } from "vitest";
import { drawPage } from "#src/print/draw-page.ts";
import { type ReceiptFacts, receiptPage, receiptView } from "#src/withdrawals/receipt.view.ts";
import { pdfText } from "../support/pdf-text.ts";
import { NOW } from "../support/samples.ts";
import { brokenLimits } from "../ui/message-limits.ts";
import { acceptedOp, MASKED, sampleWithdrawal, TXID } from "./withdraw-samples.ts";

const factsOf = (given: Partial<ReceiptFacts> = {}): ReceiptFacts => ({
  op: acceptedOp(),
  withdrawal: sampleWithdrawal(),
  readAt: NOW,
  locale: "pt-BR",
  ...given,
});
const receipt = (given: Partial<ReceiptFacts> = {}): string =>
  receiptView(factsOf(given), undefined).content ?? "";

describe("a receipt", () => {
  test("is one block to be copied, with plain spaces, and nothing beside it", () => {
    expect(receipt()).toBe(
      [
        "```",
        "RECIBO DE SAQUE POR PIX",
        "Chegou: R$ 1.233,50",
        "Titular: Carla Nogueira",
        "Banco: Banco Horizonte",
        `Chave PIX: ${MASKED} (CPF)`,
        "Situação: Concluído",
        "Concluído em: 21/11/2026 15:00",
        "Pedido em: 20/11/2026 15:00",
        "Saiu do saldo: R$ 1.234,00, com a taxa de R$ 0,50",
        "Modalidade: normal, em até 24 horas",
        `Txid: ${TXID}`,
        "Código: W-7K2Q9",
        "Lido em: 20/11/2026 15:00",
        "Horários de Brasília",
        "",
        "O que prova: na hora da leitura, o serviço de pagamentos dizia que este PIX foi concluído. O nome de quem paga não vem nele: para isso, use o comprovante do banco.",
        "```",
      ].join("\n"),
    );
    const view = receiptView(factsOf(), undefined);
    expect([view.embeds, view.components, view.files]).toEqual([undefined, [], undefined]);
  });

  test.each(["scheduled", "processing", "failed", "cancelled", "something_new"])(
    "of one that is %s is no proof of payment and says so",
    (status) => {
      const text = receipt({ withdrawal: sampleWithdrawal({ status }) });
      expect(text).toContain("Não é comprovante de pagamento.");
    },
  );

  test("of one that failed says that the service returns the amount, and why", () => {
    const withdrawal = sampleWithdrawal({ status: "failed", failReason: "Conta encerrada" });
    const text = receipt({ withdrawal });
    expect(text).toContain("O serviço devolve ao saldo: R$ 1.234,00");
    expect(text).toContain("Conta encerrada");
    expect(text).not.toContain("Saiu do saldo");
    expect(text).toContain("Não é comprovante de pagamento.");
  });

  test("shows of an e-mail address enough to be recognised, and never all of it", () => {
    const pixKey = "carla.nogueira@loja.example";
    const text = receipt({ withdrawal: sampleWithdrawal({ pixKey, pixKeyType: "EMAIL" }) });
    expect(text).toContain("Chave PIX: c***a@loja.example (e-mail)");
    expect(text).not.toContain("nogueira@");
  });

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
      const view = receiptView(
        { op: undefined, withdrawal, readAt: NOW, locale },
        new Uint8Array(9),
      );
      expect(brokenLimits(view)).toEqual([]);
      expect(view.content?.match(/`/g)).toHaveLength(6);
    },
  );

  test("is a PDF as well, with the same lines, named by the withdrawal", async () => {
    const facts = factsOf();
    const page = await drawPage(receiptPage(facts));
    const { files } = receiptView(facts, page);
    expect(files).toEqual([
      { name: "recibo-W-7K2Q9.pdf", contentType: "application/pdf", data: page, isCopy: true },
    ]);
    const text = pdfText(page).join("\n").replaceAll("\u00a0", " ");
    const pieces = receipt()
      .split("\n")
      .slice(1, -1)
      .flatMap((line) => line.split(/: |(?<=\.) /));
    for (const piece of pieces) expect(text).toContain(piece);
    const elsewhere = receiptView(factsOf({ op: undefined, locale: "en-US" }), page);
    expect(elsewhere.files?.[0]?.name).toBe(`receipt-${TXID}.pdf`);
  });

  test.each([
    ["pt-BR", "Caracteres que a fonte do PDF não tem aparecem como “?”."],
    ["en-US", "Characters that the PDF's font lacks appear as “?”."],
  ] as const)(
    "as a PDF in %s admits to letters that its font lacks, and to none where it has them all",
    async (locale, note) => {
      const linesOf = async (accountHolder: string) => {
        const withdrawal = sampleWithdrawal({ accountHolder });
        return pdfText(await drawPage(receiptPage(factsOf({ withdrawal, locale }))));
      };
      const lines = await linesOf("Łukasz 金");
      expect(lines).toEqual(expect.arrayContaining(["?ukasz ?", note]));
      expect(await linesOf("Žan Conceição")).not.toContain(note);
    },
  );
});
