import { describe, expect, test } from "vitest";
import { cents } from "#src/shared/money.ts";
import type { WithdrawEvent } from "#src/withdrawals/withdraw-journal.ts";
import { type WithdrawKind, withdrawStates } from "#src/withdrawals/withdraw-op.ts";
import {
  decisionModal,
  type WithdrawalDetailFacts,
  withdrawalDetailView,
  withdrawalSummaryView,
} from "#src/withdrawals/withdrawal-detail.view.ts";
import { LATER, NOW, READ_AT, WHEN } from "../support/samples.ts";
import { brokenLimits, brokenModalLimits } from "../ui/message-limits.ts";
import { withdrawStatusView } from "#src/withdrawals/withdraw-status.view.ts";
import { buttonsOf, readMessage } from "../ui/read-message.ts";
import {
  acceptedOp,
  COMPLETED_IN_SHORT,
  MASKED,
  RECIPIENT,
  sampleDetail,
  sampleOp,
  sampleStatus,
  sampleWithdrawal,
  TXID,
} from "./withdraw-samples.ts";

const event = (from: WithdrawEvent["from"], to: WithdrawEvent["to"]): WithdrawEvent => ({
  from,
  to,
  at: NOW,
  reason: "test",
});
const story = [
  event(undefined, "draft"),
  event("draft", "confirmed"),
  event("confirmed", "sending"),
  event("sending", "unknown"),
  event("unknown", "accepted"),
];
const facts = (given: Partial<WithdrawalDetailFacts> = {}) =>
  sampleDetail({
    op: acceptedOp({ state: "completed", requestId: "req-77" }),
    events: story,
    ...given,
  });
const read = (given: Partial<WithdrawalDetailFacts> = {}) =>
  readMessage(withdrawalDetailView(facts(given)));

describe("one withdrawal in full", () => {
  test("is told with all that the service says, what it leaves out, and the journal's story", () => {
    expect(read()).toEqual([
      ...COMPLETED_IN_SHORT,
      "Modalidade: normal, em até 24 horas",
      "Banco: `Banco Horizonte`",
      "Titular: `Carla Nogueira`",
      "Transferência no processador: não há no saque normal",
      `Datas: Pedido em ${WHEN}\nPrevisto para ${LATER}\nConcluído em ${LATER}\n` +
        `Criado no serviço em ${WHEN}\nMudou no serviço em ${WHEN}`,
      `Txid: \`${TXID}\``,
      "Passo a passo: <t:1795197600:d> <t:1795197600:T> Esperando a sua confirmação\n" +
        "<t:1795197600:d> <t:1795197600:T> Confirmado, saindo\n" +
        "<t:1795197600:d> <t:1795197600:T> Enviando\n" +
        "<t:1795197600:d> <t:1795197600:T> Ainda não sei se foi feito\n" +
        "<t:1795197600:d> <t:1795197600:T> Achei no serviço: foi aceito",
      "Código de suporte: `req-77`",
      READ_AT,
    ]);
  });

  test("that failed by turbo says why, in the service's words, and what the processor says as such", () => {
    const text = read({
      op: acceptedOp({ kind: "turbo", state: "failed" }),
      withdrawal: sampleWithdrawal({
        status: "failed",
        modality: "turbo",
        isTurbo: true,
        bankName: undefined,
        accountHolder: undefined,
        scheduledFor: undefined,
        completedAt: undefined,
        failedAt: NOW,
        failReason: "Conta de destino encerrada",
        errorCode: "AC04",
        processor: { name: "Veloz", status: "REJECTED", lastStatus: "SENT" },
      }),
    }).join("\n");
    expect(text).toContain("e o serviço **devolve o valor ao saldo**.");
    expect(text).toContain(
      "Motivo da falha, nas palavras do serviço: `Conta de destino encerrada`",
    );
    expect(text).toContain("Código do erro: `AC04`");
    expect(text).toContain("`Veloz` · `REJECTED` · antes: `SENT`\n(são palavras dele");
    expect(text).toContain("Banco: o serviço não informa");
    expect(text).toContain("Transferência no processador: o serviço não informa");
    expect(text).toContain(`Falhou em ${WHEN}`);
    expect(text).not.toMatch(/Concluído em|Previsto para/);
  });

  test("that stands otherwise at the service than in the journal shows both", () => {
    const lines = read({ op: acceptedOp(), withdrawal: sampleWithdrawal() });
    expect(lines[0]).toBe("🕐 Saque aceito");
    expect(lines).toContain("Situação no serviço: Concluído");
  });

  test("tells a held balance without a moment or a cause, which the document does not name", () => {
    const withdrawal = sampleWithdrawal({ frozenBalance: cents(31_819) });
    expect(read({ withdrawal })).toContain("O que o serviço anotou: Saldo retido: R$ 318,19");
  });

  test("that failed without a reason says that none was given", () => {
    const withdrawal = sampleWithdrawal({ status: "failed" });
    expect(read({ withdrawal }).join("\n")).toContain("serviço: o serviço não disse");
  });

  test("that cannot be read now is told from the journal, with what is not known yet", () => {
    const op = acceptedOp({ state: "scheduled", fee: undefined, scheduledFor: NOW });
    const supportCodes = ["req_1"];
    const lines = read({ op, withdrawal: undefined, problem: "unavailable", supportCodes });
    expect(lines).toContain("Código de suporte: `req_1`");
    expect(lines.join("\n")).toContain(
      "Não consegui ler agora. O serviço de pagamentos está com problemas.",
    );
    expect(lines).toContain(`Previsto para: ${WHEN}`);
  });

  test("of a split names the recipient; its amount is not known before it is", () => {
    const op = sampleOp({ kind: "split_normal", state: "unknown" });
    const lines = read({ op, withdrawal: undefined });
    expect(lines[1]).toContain(`Recebedor: <@${RECIPIENT}>`);
    expect(lines[1]).toContain("**pode ter sido feito**");
  });

  test.each(["failed", "cancelled"] as const)(
    "of a split that was %s does not say which balance gets the value, as its answer does not",
    (state) => {
      const meaning = (kind: WithdrawKind) => read({ op: acceptedOp({ kind, state }) })[1];
      expect(meaning("split_turbo")).toContain("não diz se é o seu saldo ou o do split");
      expect(meaning("turbo")).not.toContain("split");
    },
  );

  test("made elsewhere shows its key masked and promises nothing", () => {
    const text = read({ op: undefined, events: [] }).join("\n");
    expect(text).toContain("Saque feito fora do bot");
    expect(text).toContain(`Chave PIX: \`${MASKED}\` (CPF)`);
    expect(text).not.toContain("12345678909");
    expect(text).not.toContain("aviso");
  });

  test.each([
    ["pt-BR", "Pode ser o seu saque W-7K2Q9, que ainda estou conferindo."],
    ["en-US", "This may be your withdrawal W-7K2Q9, which I am still checking."],
  ] as const)("that may be one in doubt is not told in %s as made elsewhere", (locale, words) => {
    const text = read({ op: undefined, events: [], mayBeOpId: "W-7K2Q9", locale }).join("\n");
    expect(text).toContain(words);
    expect(text).not.toMatch(/fora do bot|outside the bot|não começou por aqui/);
  });

  test("begun here by another person of the account is not told as made elsewhere", () => {
    const given = { op: undefined, events: [], byAnother: true };
    expect(read(given)[0]).toBe("Saque de outra pessoa desta conta");
    const text = read(given).join("\n");
    expect(text).toContain("Outra pessoa desta conta pediu este saque por aqui.");
    expect(text).not.toMatch(/fora do bot|não começou por aqui|W-/);
  });

  test.each([
    ["52998224725", "CPF", "***.982.247-**"],
    ["11987654321", "CPF", "***.876.543-**"],
    ["11987654321", "PHONE", "+55 11 *****-4321"],
    ["carla@loja.example", "EMAIL", "c***@l***"],
    ["a key of another kind", "TOKEN", "a ****nd"],
  ])("never shows the key %s of type %s", (pixKey, pixKeyType, masked) => {
    const text = read({ op: undefined, withdrawal: sampleWithdrawal({ pixKey, pixKeyType }) });
    expect(text.join("\n")).not.toContain(pixKey);
    expect(text.join("\n")).toContain(`\`${masked}\``);
  });

  test.each([
    ["completed", true],
    ["failed", false],
    ["cancelled", false],
  ])("that is %s tells that the amount has left the balance: %s", (status, isTold) => {
    const withdrawal = sampleWithdrawal({ status, balanceDeducted: true });
    expect(read({ withdrawal }).join("\n").includes("saiu do saldo")).toBe(isTold);
  });

  test("that is a cancellation says what was cancelled, and never that money arrived", () => {
    const op = sampleOp({ kind: "cancel", state: "completed" });
    const lines = read({
      op,
      withdrawal: sampleWithdrawal({ status: "cancelled" }),
      events: [event("accepted", "completed")],
    });
    expect(lines[0]).toBe("✅ Saque cancelado");
    expect(lines[1]).toMatch(/^Ele não vai mais sair, e o serviço \*\*devolve o valor ao saldo/);
    expect(lines[1]).toContain(`-# W-7K2Q9 · Txid: \`${TXID}\``);
  });

  test.each(["pt-BR", "en-US"] as const)(
    "that is a cancellation which came too late never says that the money goes back, in %s",
    (locale) => {
      const op = sampleOp({ kind: "cancel", state: "failed", locale });
      const events = [event("accepted", "failed")];
      const [meaning] = read({ op, events, locale })[1]?.split("\n") ?? [];
      const text = [
        ...read({ op, events, locale }),
        ...readMessage(withdrawalSummaryView({ ...facts({ locale }), op })),
        ...readMessage(withdrawStatusView(sampleStatus({ op }), locale)),
      ].join("\n");
      expect(meaning).toContain(
        locale === "pt-BR"
          ? "não chegou a tempo: o saque seguiu até o fim"
          : "came too late: the withdrawal went on to its end",
      );
      expect(text.split(meaning ?? "").length).toBe(4);
      expect(text).not.toMatch(/saldo|como estava|balance|as it was/);
    },
  );

  test.each([
    [{ id: "W-XST6B", kind: "split_normal" }, true],
    [{ id: "W-XST6B", kind: "normal" }, false],
    [undefined, false],
  ] as const)(
    "rule 21: that is the cancellation of %j tells no more than is known to come back",
    (target, isSplit) => {
      const op = sampleOp({ kind: "cancel", state: "completed" });
      const [, meaning] = read({ op, target, withdrawal: undefined });
      expect(meaning?.includes("O serviço não diz se é o seu saldo ou o do split.")).toBe(isSplit);
    },
  );

  test("that is a late cancellation says how its withdrawal ended, even in the word of its own state", () => {
    const op = sampleOp({ kind: "cancel", state: "failed" });
    const withdrawal = sampleWithdrawal({ status: "failed" });
    const lines = read({ op, withdrawal });
    expect(lines).toContain("Situação no serviço: Falhou");
    const summary = withdrawalSummaryView({ ...facts({ withdrawal }), op });
    expect(readMessage(summary)).toContain("Situação no serviço: Falhou");
  });

  test("that is a cancellation which was not made does not say that the withdrawal stood still", () => {
    const op = sampleOp({ kind: "cancel", state: "not_executed" });
    const text = read({ op, withdrawal: sampleWithdrawal({ status: "processing" }) });
    expect(text[1]).toContain(
      "O cancelamento não foi feito, e o saque seguiu. Veja em `/saques` como ele está.\n",
    );
    expect(text.join("\n")).not.toContain("como estava");
  });

  test.each(["rejected", "not_sent", "refused_local"] as const)(
    "that is a cancellation which is %s says no word of how the withdrawal stands, which may have been cancelled since",
    (state) => {
      for (const locale of ["pt-BR", "en-US"] as const) {
        const op = sampleOp({ kind: "cancel", state });
        const withdrawal = sampleWithdrawal({ status: "cancelled" });
        const summary = withdrawalSummaryView({ ...facts({ withdrawal, locale }), op });
        const text = [...read({ op, withdrawal, locale }), ...readMessage(summary)].join("\n");
        expect(text).not.toMatch(/como estava|as it was/);
      }
    },
  );

  test("with a long story tells its end", () => {
    const events = Array.from({ length: 60 }, () => event("unknown", "unknown"));
    const view = withdrawalDetailView(facts({ events: [...events, event("unknown", "manual")] }));
    expect(brokenLimits(view)).toEqual([]);
    expect(readMessage(view).join("\n")).toMatch(/Passo a passo: …\n[\s\S]*Espera a sua decisão/);
  });
});

test.each(["pt-BR", "en-US"] as const)("every state of it in %s fits", (locale) => {
  const withdrawal = sampleWithdrawal({
    failReason: "r".repeat(5000),
    errorCode: "e".repeat(5000),
    bankName: "b".repeat(5000),
    accountHolder: "h".repeat(5000),
    transferId: "t".repeat(5000),
    failedAt: NOW,
    processor: { name: "p".repeat(5000), status: "s".repeat(5000), lastStatus: "l".repeat(5000) },
  });
  for (const state of withdrawStates)
    for (const kind of ["turbo", "split_normal", "cancel"] as const) {
      const op = acceptedOp({ state, kind, recipientId: RECIPIENT, requestId: "q".repeat(500) });
      for (const given of [
        { op, withdrawal },
        { op, withdrawal: undefined },
      ])
        expect(brokenLimits(withdrawalDetailView(facts({ ...given, locale })))).toEqual([]);
    }
});

const acceptedFacts = (given: Partial<WithdrawalDetailFacts>) =>
  sampleDetail({ op: acceptedOp(), ...given });
const labels = (given: Partial<WithdrawalDetailFacts>) =>
  Object.keys(buttonsOf(withdrawalDetailView(acceptedFacts(given))));

describe("the buttons under a withdrawal", () => {
  test.each([
    ["unknown", undefined, ["Verificar agora", "Ver todos"]],
    ["processing", "processing", ["Verificar agora", "Ver todos"]],
    ["scheduled", "scheduled", ["Verificar agora", "Cancelar saque", "Ver todos"]],
    ["scheduled", "processing", ["Verificar agora", "Ver todos"]],
    ["completed", "completed", ["Recibo", "Ver todos"]],
    ["failed", "failed", ["Ver todos"]],
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
      acceptedFacts({ op: sampleOp({ state: "manual" }), withdrawal: undefined }),
    );
    expect(readMessage(view)[1]).toContain("paga duas vezes");
    expect(Object.values(buttonsOf(view))).toEqual([
      "saques:aconteceu:W-7K2Q9",
      "saques:nao-aconteceu:W-7K2Q9",
      "saques:verificar:W-7K2Q9",
      "saques:lista:",
    ]);
  });

  test("carry a txid where there is no code, and cancel by it", () => {
    const withdrawal = sampleWithdrawal({ status: "scheduled" });
    expect(
      Object.values(buttonsOf(withdrawalDetailView(acceptedFacts({ op: undefined, withdrawal })))),
    ).toEqual([`saques:cancelar:${TXID}`, "saques:lista:"]);
    expect(
      Object.values(buttonsOf(withdrawalDetailView(acceptedFacts({ op: undefined })))),
    ).toEqual([`saques:recibo:${TXID}`, "saques:lista:"]);
  });

  test("offer neither the list nor a cancellation in a direct message", () => {
    const withdrawal = sampleWithdrawal({ status: "scheduled" });
    const op = acceptedOp({ state: "scheduled" });
    expect(labels({ op, withdrawal, hasGuild: false })).toEqual(["Verificar agora"]);
  });

  test("offer no cancellation where withdrawals are not switched on", () => {
    const withdrawal = sampleWithdrawal({ status: "scheduled" });
    const op = acceptedOp({ state: "scheduled", kind: "split_normal" });
    expect(labels({ op, withdrawal, withdrawEnabled: false })).toEqual([
      "Verificar agora",
      "Ver todos",
    ]);
    const status = sampleStatus({ op, withdrawEnabled: false });
    const offered = Object.keys(buttonsOf(withdrawStatusView(status, "pt-BR")));
    expect(offered).toEqual(["Verificar agora", "Mais detalhes"]);
  });

  test("never carry a txid that is none", () => {
    const withdrawal = sampleWithdrawal({ txid: "../meds:1", status: "scheduled" });
    expect(labels({ op: undefined, withdrawal })).toEqual(["Ver todos"]);
  });
});

test.each(["pt-BR", "en-US"] as const)(
  "the form of a decision in %s fits and asks for the code",
  (locale) => {
    for (const kind of ["turbo", "cancel", "refund"] as const)
      for (const happened of [true, false]) {
        const form = decisionModal({ id: "W-7K2Q9", kind }, happened, locale);
        expect(brokenModalLimits(form)).toEqual([]);
        expect(form.fields).toMatchObject([{ id: "codigo", required: true }]);
        expect(form.fields[0]?.label).toContain("W-7K2Q9");
        expect(form.customId).toBe(`saques:decidir-${happened ? "sim" : "nao"}:W-7K2Q9`);
      }
  },
);

test.each(["pt-BR", "en-US"] as const)(
  "the form of a decision in %s on a withdrawal with a txid, which blocks none, allows none",
  (locale) => {
    for (const happened of [true, false]) {
      const found = { id: "W-7K2Q9", kind: "turbo", txid: "wd_7" } as const;
      expect(decisionModal(found, happened, locale).fields[0]?.placeholder).not.toMatch(
        /libera|libero|allow/i,
      );
    }
  },
);

test.each(["pt-BR", "en-US"] as const)(
  "the form of a decision in %s promises what follows from it for this kind, and nothing of another",
  (locale) => {
    const hint = (kind: WithdrawKind, happened: boolean): string => {
      const { title, fields } = decisionModal({ id: "W-7K2Q9", kind }, happened, locale);
      return `${title} ${fields[0]?.placeholder}`;
    };
    const ofRefund = [hint("refund", true), hint("refund", false)];
    const ofCancel = [hint("cancel", true), hint("cancel", false)];
    expect(ofRefund.join("\n")).not.toMatch(/saque|withdrawal/);
    expect(ofCancel.join("\n")).not.toMatch(/dinheiro|libera|money|allow/i);
    expect(ofRefund[0]).toMatch(/não estorno esta venda de novo|not refund this sale again/);
    expect(ofCancel[0]).toMatch(/não vai mais sair|will not go out/);
  },
);
