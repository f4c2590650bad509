import { describe, expect, test } from "vitest";
import { followedDispute } from "#src/disputes/dispute-watch.ts";
import { type Dispute, disputeState } from "#src/disputes/dispute.ts";
import { type DisputeDetailFacts, disputeDetailView } from "#src/disputes/dispute-detail.view.ts";
import { NOW, READ_AT, WHEN } from "../support/samples.ts";
import {
  apiSale,
  CONTESTED,
  detailFacts,
  DUE,
  DUE_WHEN,
  esalesSale,
  INFRACTION,
  sampleDispute,
} from "./dispute-samples.ts";
import { brokenLimits } from "../ui/message-limits.ts";
import { buttonsOf, readMessage } from "../ui/read-message.ts";

const read = (given: Partial<DisputeDetailFacts> = {}) =>
  readMessage(disputeDetailView(detailFacts(given)));
const of = (given: Partial<Dispute>) => {
  const dispute = sampleDispute(given);
  return read({ dispute, state: disputeState(dispute, NOW) });
};

describe("one dispute in full", () => {
  test("says what it means, what to do until when, and all that the service says", () => {
    expect(read()).toEqual([
      "MED de R$ 249,00 · Precisa da sua resposta",
      "O pagador contestou este pagamento, e o valor líquido está retido. **Responda no painel do serviço antes do prazo**: eu não consigo responder por aqui.",
      "Valor: **R$ 249,00**",
      "Produto: `Plano VIP mensal`",
      "Retido (o líquido): R$ 234,06",
      `Prazo da resposta: **${DUE_WHEN}**`,
      "Sua resposta: Ainda sem resposta",
      "Decisão do banco: Ainda não decidiu",
      "Tipo: Fraude",
      "O que o pagador alega: `Pagador informa que não reconhece o pagamento.`",
      "Pagador: `Carla` · documento `***.482.917-**`",
      "Resposta enviada: nenhuma ainda",
      "Devolução: nenhuma",
      "Venda contestada: **Venda pela API**\nR$ 249,00, taxa R$ 14,94, líquido **R$ 234,06**\n" +
        `Situação: aprovada\nDescrição: \`Plano VIP mensal\`\nFeita em ${WHEN}`,
      `Datas: Contestado em ${WHEN}\nAberto no serviço em ${WHEN}`,
      `Infração: \`${INFRACTION}\``,
      `Txid contestado: \`${CONTESTED}\``,
      READ_AT,
    ]);
  });

  test("that was decided without an answer says that there was none", () => {
    const text = readMessage(disputeDetailView(detailFacts({ state: "lost" })));
    expect(text).toContain("Sua resposta: Você não respondeu");
    expect(text.join("\n")).not.toContain("nenhuma ainda");
  });

  test("of an esales sale has its product and buyer, and neither status nor description", () => {
    const text = of({ sale: esalesSale }).join("\n");
    expect(text).toContain("**Venda pelo eSales**");
    expect(text).toContain("Produto: `Curso de edição de vídeo`\nComprador: `Bruno`");
    expect(text).not.toMatch(/Situação: aprovada|Descrição/);
  });

  test("has the sale's txid once, and both where the sale has another", () => {
    const times = (text: string) => text.split(CONTESTED).length - 1;
    expect(times(read().join("\n"))).toBe(1);
    const other = of({ sale: { ...apiSale, txid: "outro-txid" } }).join("\n");
    expect(other).toContain("Txid: `outro-txid`");
    expect(times(other)).toBe(1);
  });

  test("without its sale says that it is not shown, and why that may be", () => {
    expect(of({ sale: undefined }).join("\n")).toContain(
      "Venda contestada: O serviço não mostra a venda: não a achou, ou ela passou por um canal especial.",
    );
  });

  test("that was answered and decided has both with their times", () => {
    const lines = of({
      status: "disagreed",
      analysisStatus: "rejected",
      situation: "ERRO",
      answer: "Produto entregue.",
      answeredAt: NOW,
      resolvedAt: NOW,
    });
    expect(lines[0]).toBe("MED de R$ 249,00 · Ganho: valor liberado");
    expect(lines).toContain("Sua resposta: Você se defendeu");
    expect(lines).toContain("Decisão do banco: Recusou a contestação");
    expect(lines).toContain("Resposta enviada: `Produto entregue.`");
    expect(lines.join("\n")).toContain(`Respondido em ${WHEN}\nDecidido em ${WHEN}`);
  });

  test.each([
    ["agreed", "Resposta enviada: o serviço não mostra o texto"],
    ["disagreed", "Resposta enviada: o serviço não mostra o texto"],
    ["canceled", undefined],
    ["em_recurso", undefined],
  ])("that is %s, without the text of an answer, denies none", (status, sent) => {
    const lines = of({ status, answeredAt: NOW });
    expect(lines.find((each) => each.startsWith("Resposta enviada"))).toBe(sent);
  });

  test("shows values that nobody knew as they came", () => {
    const unknown = { status: "em_recurso", analysisStatus: "dividido", situation: "OUTRA" };
    const sale = { ...apiSale, origin: "loja", status: "retida" };
    const lines = of({ ...unknown, sale });
    expect(lines).toEqual(
      expect.arrayContaining([
        "Sua resposta: `em_recurso`",
        "Decisão do banco: `dividido`",
        "Tipo: `OUTRA`",
      ]),
    );
    expect(lines.join("\n")).toContain("**`loja`**");
    expect(lines.join("\n")).toContain("Situação: `retida`");
  });

  test.each([
    [[], "O serviço mostra uma devolução, sem dizer em que pé está"],
    [[{ name: "", value: "completed" }], "`completed`"],
    [
      [
        { name: "status", value: "PARTIAL" },
        { name: "amount", value: "12.5" },
      ],
      "`status` `PARTIAL`\n`amount` `12.5`",
    ],
  ])("tells a refund of %j", (refund, told) => {
    expect(of({ refund })).toContain(`Devolução: ${told}`);
  });

  test("says what of the payer the service leaves out", () => {
    expect(of({ payerName: undefined }).join("\n")).toContain(
      "Pagador: não informado · documento `***.482.917-**`",
    );
    expect(of({ payerName: undefined, payerTaxId: undefined })).toContain("Pagador: não informado");
  });

  test("promises to follow only what is followed and still waits", () => {
    const watched = { ...followedDispute("account-1", sampleDispute(), NOW), version: 1 };
    expect(read({ watched })[1]).toContain("Acompanho este MED");
    expect(read()[1]).not.toContain("Acompanho este MED");
    expect(read({ watched, state: "defended" })[1]).not.toContain("Acompanho este MED");
  });

  test("promises no reminder after the last one, unless the deadline was moved since", () => {
    const followed = followedDispute("account-1", sampleDispute(), NOW);
    const watched = { ...followed, doneSteps: ["new", "1h"] as const, version: 1 };
    const readAt = DUE.subtract({ minutes: 30 });
    expect(read({ watched, readAt })[1]).toMatch(
      /\n\nNão há mais lembretes antes do prazo: responda agora no painel do serviço\.$/,
    );
    const dispute = sampleDispute({ dueAt: DUE.add({ hours: 24 }) });
    expect(read({ watched, readAt, dispute })[1]).toContain("Acompanho este MED");
    expect(read({ watched, state: "overdue" })[1]).toContain("aviso quando algo mudar");
  });

  test("says when its reminders are stopped or wait, instead of promising them", () => {
    const watched = { ...followedDispute("account-1", sampleDispute(), NOW), version: 1 };
    const muted = read({ watched: { ...watched, answeredByOwnerAt: NOW } })[1];
    expect(muted).toContain("Você disse que já respondeu");
    const later = NOW.add({ hours: 6 });
    const snoozed = read({ watched: { ...watched, snoozedUntil: later } })[1];
    expect(snoozed).toContain("estão pausados até");
    expect(read({ watched: { ...watched, snoozedUntil: NOW } })[1]).toContain("antes do prazo, se");
    for (const text of [muted, snoozed]) expect(text).not.toContain("Acompanho este MED");
  });
});

describe("the buttons of a dispute", () => {
  const ids = (given: Partial<DisputeDetailFacts>) =>
    buttonsOf(disputeDetailView(detailFacts(given)));

  test("lead to the calendar while there is a deadline to keep, and to the list in a server", () => {
    expect(ids({})).toMatchObject({
      Agenda: `meds:agenda:account-1.${INFRACTION}`,
      "Ver todos": "meds:lista:",
    });
    expect(Object.keys(ids({ state: "won" }))).not.toContain("Agenda");
    expect(Object.keys(ids({ hasGuild: false }))).not.toContain("Ver todos");
  });

  test("come after the way to the page where it is answered, while it can be answered", () => {
    const answerUrl = "https://painel.example/med";
    const rows = (given: Partial<DisputeDetailFacts>) =>
      disputeDetailView(detailFacts({ answerUrl, ...given })).components?.map((row) =>
        row.components.map((piece) =>
          "url" in piece ? piece.url : "label" in piece && piece.label,
        ),
      );
    expect(rows({})?.[0]).toEqual([answerUrl]);
    expect(rows({ state: "overdue" })?.[0]).toEqual([answerUrl]);
    expect(rows({ state: "won" })?.[0]).toEqual(["Ver todos"]);
    expect(rows({ answerUrl: undefined })?.[0]).toContain("Preparar defesa");
  });

  test("bring back reminders that its owner stopped, while it still awaits an answer", () => {
    const followed = { ...followedDispute("account-1", sampleDispute(), NOW), version: 1 };
    const watched = { ...followed, answeredByOwnerAt: NOW };
    const back = { "Voltar a lembrar": `meds:lembrar:account-1.${INFRACTION}` };
    expect(ids({ watched })).toMatchObject(back);
    expect(Object.keys(ids({ watched }))).not.toContain("Já respondi no painel");
    for (const given of [{ watched: followed }, { watched, state: "overdue" }, {}] as const)
      expect(Object.keys(ids(given))).not.toContain("Voltar a lembrar");
  });

  test("are left out where Discord would not take their ids", () => {
    const dispute = sampleDispute({ infractionId: "i".repeat(100) });
    const view = disputeDetailView(detailFacts({ dispute }));
    expect(brokenLimits(view)).toEqual([]);
    expect(Object.keys(buttonsOf(view))).not.toContain("Agenda");
  });
});

test.each(["pt-BR", "en-US"] as const)("the longest dispute in %s fits", (locale) => {
  const long = "x".repeat(5_000);
  const refund = Array.from({ length: 8 }, () => ({ name: long, value: long }));
  const sale = { ...apiSale, origin: long, txid: long, status: long, description: long };
  const both = { ...sale, productName: long, buyer: long };
  const texts = { description: long, answer: long, payerName: long, payerTaxId: long, txid: long };
  const words = { status: long, analysisStatus: long, situation: long, infractionId: long };
  const times = { answeredAt: NOW, resolvedAt: NOW };
  const dispute = sampleDispute({ ...texts, ...words, ...times, refund, sale: both });
  const view = disputeDetailView(detailFacts({ dispute, state: "other", locale }));
  expect(brokenLimits(view)).toEqual([]);
  expect(readMessage(view).at(-1)).toBe(READ_AT);
});
