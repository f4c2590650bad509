import { describe, expect, test } from "vitest";
import type { WithdrawStatus } from "#src/withdrawals/withdraw-facts.ts";
import type { RejectReason } from "#src/withdrawals/withdrawal.ts";
import { cents } from "#src/shared/money.ts";
import { outcomeNotice } from "#src/withdrawals/outcome-notice.view.ts";
import {
  decidedForAnotherView,
  withdrawStatusView,
} from "#src/withdrawals/withdraw-status.view.ts";
import { lateRefusals, type WithdrawOp } from "#src/withdrawals/withdraw-op.ts";
import { stateInWords } from "#src/withdrawals/withdrawal-fields.view.ts";
import { withdrawalTexts } from "#src/withdrawals/texts.ts";
import { NOW, READ_AT } from "../support/samples.ts";
import { labelsOf, readMessage } from "../ui/read-message.ts";
import {
  acceptedOp,
  MASKED,
  nothingSent,
  RECIPIENT,
  REJECTED,
  sampleOp,
  TXID,
  sampleStatus,
  sampleWithdrawal,
} from "./withdraw-samples.ts";

const shown = (given: Partial<WithdrawStatus>) => withdrawStatusView(sampleStatus(given), "pt-BR");
const read = (given: Partial<WithdrawStatus>): string => readMessage(shown(given)).join("\n");

test("a reading that a person asked for says that it settled nothing, and else nothing of itself", () => {
  const op = sampleOp({ state: "unknown" });
  const said = "Conferi agora: ainda não dá para saber.";
  expect(read({ op, isChecked: true })).toContain(said);
  expect(read({ op })).not.toContain("Conferi agora");
  expect(read({ op, isChecked: true, problem: "timeout" })).not.toContain("Conferi agora");
  expect(read({ op: acceptedOp(), isChecked: true })).not.toContain("Conferi agora");
});

describe("an accepted withdrawal", () => {
  test("is not yet called paid, and says when it is planned and when the next one may be", () => {
    const text = read({ op: acceptedOp({ scheduledFor: NOW.add({ hours: 20 }) }) });
    expect(text).toMatch(/^🕐 Saque aceito\nFoi aceito: o dinheiro pode já ter saído, ou/);
    expect(text).toContain(
      "Vai chegar **R$ 1.233,50** · Valor do saque R$ 1.234,00 · Taxa R$ 0,50",
    );
    expect(text).toContain("Previsto para <t:1795269600:d> <t:1795269600:t> (<t:1795269600:R>)");
    expect(text).toContain(
      "Pelo que sei, o próximo só a partir de <t:1795284000:d> <t:1795284000:t>",
    );
  });

  test("without a plan says how long a normal one may take", () => {
    expect(read({ op: acceptedOp() })).toContain("Um saque normal sai em até 24 horas.");
    expect(read({ op: acceptedOp({ kind: "turbo" }) })).not.toContain("24 horas.");
  });

  test("can be checked, looked at, and its key kept when it may still be", () => {
    expect(labelsOf(shown({ keySavable: true }))).toEqual([
      "Verificar agora",
      "Guardar esta chave",
      "Mais detalhes",
    ]);
    expect(labelsOf(shown({}))).toEqual(["Verificar agora", "Mais detalhes"]);
    expect(shown({}).live?.name).toBe("W-7K2Q9");
  });

  test("of a split shows the balance before and after, and whose key it was", () => {
    const sent = {
      ...nothingSent,
      pixKeyOwner: "Marina",
      previousSplitBalance: cents(38_745),
      newSplitBalance: cents(0),
    };
    const text = read({ op: acceptedOp({ kind: "split_turbo", state: "processing" }), sent });
    expect(text).toContain("Saldo do split: R$ 387,45 antes, R$ 0,00 depois");
    expect(text).toContain("`***.456.789-**` · `Marina`");
  });
});

describe("S21: a request that our own pacing kept back", () => {
  const op = acceptedOp({ state: "not_sent", errorCode: "PACED" });

  test("says why, that no money moved, and how long to wait", () => {
    const text = read({ op, sent: { ...nothingSent, pacedForMs: 29_600 } });
    expect(text).toContain("até 3 pedidos de saque por minuto");
    expect(text).toContain("nenhum dinheiro se moveu");
    expect(text).toContain("Espere 30 segundos e peça de novo.");
  });

  test("says why when it is looked at later too, and of a cancellation that the withdrawal stands", () => {
    expect(read({ op })).toContain("Foram pedidos demais em pouco tempo. Espere e peça de novo.");
    const cancelled = read({ op: { ...op, kind: "cancel" } });
    expect(cancelled).toContain("ele não mudou o saque");
    expect(cancelled).toContain("até 3 pedidos de saque por minuto");
  });

  test("is not what is said of one that left no connection", () => {
    expect(read({ op: { ...op, errorCode: "ECONNREFUSED" } })).not.toContain("por minuto");
  });
});

describe("a withdrawal in process", () => {
  const processing = (minutes: number) =>
    read({
      op: acceptedOp({ kind: "turbo", state: "processing", sentAt: NOW.subtract({ minutes }) }),
    });

  test("is no error within an hour", () => {
    expect(processing(59)).toContain("30 minutos de dia ou 60 à noite: essa demora não é erro");
  });

  test("is said to be late after it, and never to be repeated", () => {
    expect(processing(61)).toContain("Já faz mais de uma hora");
    expect(processing(61)).toContain("**Não repita.**");
  });

  test("that cannot be read now says so, and when it was tried", () => {
    const supportCodes = ["req_1"];
    const op = acceptedOp({ state: "processing" });
    const text = read({ op, problem: "timeout", supportCodes });
    expect(text).toContain("Não consegui ler agora. O serviço de pagamentos demorou demais.");
    expect(text).toContain("Código de suporte: `req_1`");
    expect(text).toContain(READ_AT);
  });
});

test("a scheduled one past its plan says so", () => {
  const scheduled = { state: "scheduled", scheduledFor: NOW.subtract({ hours: 2 }) } as const;
  expect(read({ op: acceptedOp(scheduled) })).toContain("O horário previsto já passou.");
});

test("a scheduled one can be cancelled, in a server alone", () => {
  const status = sampleStatus({ op: acceptedOp({ state: "scheduled" }) });
  expect(labelsOf(withdrawStatusView(status, "pt-BR"))).toContain("Cancelar saque");
  expect(labelsOf(withdrawStatusView(status, "pt-BR", false))).not.toContain("Cancelar saque");
});

test("a completed one says what arrived, and when, and offers its receipt and its details", () => {
  const op = acceptedOp({ state: "completed" });
  expect(labelsOf(shown({ op }))).toEqual(["Recibo", "Mais detalhes"]);
  const text = read({ op, withdrawal: sampleWithdrawal() });
  expect(text).toContain("O serviço concluiu o saque: **R$ 1.233,50** foram para a chave PIX.");
  expect(text).toContain("Concluído em <t:1795284000:d> <t:1795284000:t>");
});

describe("a failed one", () => {
  const failed = { failReason: "Conta de destino encerrada.", errorCode: "ACCOUNT_CLOSED" };
  const op = acceptedOp({ state: "failed", kind: "turbo" });

  test("quotes the reason, says that the value went back, and what to do", () => {
    const text = read({ op, withdrawal: sampleWithdrawal(failed) });
    expect(text).toContain("o serviço **devolve o valor ao saldo**");
    expect(text).toContain(
      "Motivo dado pelo serviço: `Conta de destino encerrada.` · `ACCOUNT_CLOSED`",
    );
    expect(text).toContain("Confira a chave PIX com quem recebe");
    expect(text).not.toContain("Vai chegar");
  });

  test("offers another key where it can be asked for: in a server, of one's own balance", () => {
    const offered = (kind: WithdrawOp["kind"], hasGuild: boolean) =>
      labelsOf(withdrawStatusView(sampleStatus({ op: { ...op, kind } }), "pt-BR", hasGuild));
    expect(offered("turbo", true)).toEqual(["Tentar com outra chave", "Mais detalhes"]);
    expect(offered("turbo", false)).toEqual(["Mais detalhes"]);
    expect(offered("split_turbo", true)).toEqual(["Mais detalhes"]);
    expect(labelsOf(shown({ op, isElsewhere: true }))).toEqual(["Mais detalhes"]);
  });

  test("claims that no reason was given only when the service was read", () => {
    expect(read({ op, withdrawal: sampleWithdrawal() })).toContain("não deu o motivo");
    expect(read({ op })).not.toContain("não deu o motivo");
  });

  test("rule 21: does not claim that the fee came back, of one that failed or was cancelled", () => {
    for (const state of ["failed", "cancelled"] as const)
      expect(read({ op: acceptedOp({ state }) })).toContain(
        "O serviço não diz se a taxa também volta: confira em `/saldo`.",
      );
    expect(read({ op: acceptedOp({ state: "completed" }) })).not.toContain("taxa também");
  });

  test("of a split does not claim to which balance it went back", () => {
    expect(read({ op: acceptedOp({ state: "failed", kind: "split_normal" }) })).toContain(
      "O serviço não diz se é o seu saldo ou o do split.",
    );
  });
});

describe("a refused one", () => {
  const refused = (reason: RejectReason, given = {}) =>
    read({
      op: sampleOp({ state: "rejected", requestId: "req-77", errorCode: reason }),
      sent: { ...nothingSent, rejected: { ...REJECTED, reason, ...given } },
    });

  test.each([
    ["invalid", "Confira o valor e a chave PIX"],
    ["unauthorized", "/conta conectar"],
    ["forbidden", "O motivo é o que o serviço disse."],
    ["not_found", "não achou o que foi pedido"],
    ["rate_limited", "Espere e peça de novo"],
    ["insufficient_split_balance", "não chega ao mínimo"],
    ["refused", "O motivo é o que o serviço disse."],
  ] as const)("for %s says that no money moved, and what to do", (reason, words) => {
    const text = refused(reason);
    expect(text).toContain("Nenhum dinheiro se moveu.");
    expect(text).toContain(words);
    expect(text).toMatch(/^❌ O serviço recusou: “Limite de saque excedido\.”\n/);
    expect(text).not.toContain("O serviço respondeu");
    expect(text).toContain("Código de suporte: `req-77`");
  });

  test.each([
    "Limite **excedido**",
    "Veja evil.example",
    "<@118> recusado",
    "[aqui](x)",
    `Limite ${"x".repeat(120)}`,
    "403",
  ])("quotes %j as code below our own title", (message) => {
    const text = refused("refused", { message });
    expect(text).toMatch(/^❌ O serviço recusou o saque\n[^]*O serviço respondeu: `/);
  });

  test.each(["", " \u200b"])("says nothing of %j, which says nothing", (message) => {
    const text = refused("refused", { message });
    expect(text).toMatch(/^❌ O serviço recusou o saque\n/);
    expect(text).not.toContain("O serviço respondeu");
  });

  test("guesses at a limit only where the service said no reason", () => {
    expect(refused("forbidden", { message: undefined })).toContain("Se for um limite");
    expect(refused("refused", { message: " " })).toContain("podem ser o motivo");
    expect(refused("forbidden")).not.toContain("Se for um limite");
  });

  test.each(["invalid", "not_found"] as const)("of a split does not give %s", (reason) => {
    const op = sampleOp({ state: "rejected", kind: "split_normal", errorCode: reason });
    const text = read({ op, sent: { ...nothingSent, rejected: { ...REJECTED, reason } } });
    expect(text).toContain("O motivo é o que o serviço disse.");
    expect(text + read({ op })).not.toContain("Confira o valor");
  });

  test("shows what a split balance lacks to the minimum", () => {
    const shortfall = { available: cents(735), minimum: cents(1_000) };
    const text = read({
      op: sampleOp({ state: "rejected", kind: "split_turbo" }),
      sent: {
        ...nothingSent,
        rejected: { ...REJECTED, reason: "insufficient_split_balance", shortfall },
      },
    });
    expect(text).toContain("Saldo do split: R$ 7,35 · Mínimo: R$ 10,00");
  });

  test("says how long to wait, when the service said, and still why when it is looked at later", () => {
    expect(refused("rate_limited", { retryAfterMs: 40_000 })).toContain("Espere 40 segundos");
    const op = sampleOp({ state: "rejected", errorCode: "rate_limited" });
    expect(read({ op })).toContain("Espere e peça de novo");
  });
});

describe("one in doubt", () => {
  test("S7: after a 409 says that another may be under way, and that it is being checked", () => {
    const text = read({
      op: sampleOp({ state: "unknown", httpStatus: 409, errorCode: "HTTP_409" }),
    });
    expect(text).toContain("já há um saque em andamento");
    expect(text).toContain("conferindo se foi este");
    expect(text).toContain("Não repita");
  });

  test("S6: says that the balance fell when it did, until its txid is known", () => {
    const text = read({ op: sampleOp({ state: "manual", errorCode: "balance_fell" }) });
    expect(text).toContain("provavelmente foi feito");
    const found = sampleOp({ state: "manual", errorCode: "balance_fell", txid: TXID });
    expect(read({ op: found })).not.toContain("O saldo caiu");
  });

  test("says that it may have been made, not to repeat it, and that it blocks the account", () => {
    const unknown = shown({ op: sampleOp({ state: "unknown", sentAt: NOW }) });
    expect(readMessage(unknown)[1]).toContain(
      "Não recebi a confirmação do serviço. O saque **pode ter sido feito**. **Não repita.** Enquanto eu não souber, novos saques desta conta ficam bloqueados. Vou conferir sozinho e aviso em até 45 minutos o que achei.",
    );
    expect(readMessage(unknown)[1]).toMatch(/\n-# W-7K2Q9$/);
    expect(labelsOf(unknown)).toEqual(["Verificar agora", "Mais detalhes"]);
  });

  test("that reading cannot settle is put to its owner", () => {
    const manual = shown({ op: sampleOp({ state: "manual" }) });
    expect(readMessage(manual)[1]).toContain("**Não repita.**");
    expect(labelsOf(manual)).toEqual([
      "O dinheiro saiu",
      "O dinheiro não saiu",
      "Verificar agora",
      "Mais detalhes",
    ]);
    expect(read({ op: acceptedOp({ state: "manual" }) })).toContain("O serviço aceitou este saque");
  });
});

test.each([
  ["not_sent", "nenhum dinheiro se moveu"],
  ["refused_local", "nenhum dinheiro se moveu"],
  ["not_executed", "nenhum dinheiro saiu. Se você ainda não pediu outro, já pode pedir."],
] as const)("one that is %s says that no money moved, and leaves nothing to do", (state, words) => {
  expect(read({ op: sampleOp({ state }) })).toContain(words);
  expect(labelsOf(shown({ op: sampleOp({ state }) }))).toEqual(["Mais detalhes"]);
});

describe.each(["turbo", "split_turbo", "refund"] as const)("a %s held back", (kind) => {
  test.each(lateRefusals)("because of %s says so, and invites no second one", (errorCode) => {
    const status = sampleStatus({ op: sampleOp({ kind, state: "refused_local", errorCode }) });
    for (const locale of ["pt-BR", "en-US"] as const) {
      const [, reason = ""] = readMessage(withdrawStatusView(status, locale));
      expect(reason).not.toMatch(/quando quiser|whenever you like/);
    }
  });
});

test("held back because an earlier one was made does not say that no money moved", () => {
  const text = read({ op: sampleOp({ state: "refused_local", errorCode: "earlier_was_made" }) });
  expect(text).toMatch(/o dinheiro saiu[^]*não enviei este/);
  expect(text).not.toContain("nenhum dinheiro se moveu");
});

test("one that its owner settled says how, and claims no free account", () => {
  const op = sampleOp({ state: "resolved_manual", resolution: "did_not_happen" });
  const english = readMessage(withdrawStatusView(sampleStatus({ op }), "en-US"))[1];
  expect(read({ op })).toContain("A resposta: o dinheiro não saiu. Este saque não bloqueia");
  expect(english).toContain("the money did not go out. This withdrawal does not block");
});

describe("one that was left undecided", () => {
  const NEXT = "1180000000000000077";
  const op = (given: Partial<WithdrawOp>) =>
    acceptedOp({ kind: "split_turbo", recipientId: RECIPIENT, txid: undefined, ...given });
  const happened = { state: "resolved_manual", resolution: "happened", resolvedBy: NEXT } as const;

  test.each([
    ["pt-BR", "✅ Saque resolvido", "🕐 Saque em processamento"],
    ["en-US", "✅ Withdrawal decided", "🕐 Withdrawal being processed"],
  ] as const)(
    "is answered in %s without what was its owner's but the code, and is not live",
    (locale, byReader, found) => {
      const titles = [op(happened), op({ state: "processing" })].map((each) => {
        const answer = decidedForAnotherView(each, locale);
        const all = JSON.stringify(answer);
        for (const secret of [each.ownerId, RECIPIENT, MASKED, each.guildId, "1.234", "1,234"])
          expect(all).not.toContain(secret);
        expect(all).toContain("-# W-7K2Q9");
        expect([answer.live, labelsOf(answer)]).toEqual([undefined, []]);
        return readMessage(answer)[0];
      });
      expect(titles).toEqual([byReader, found]);
    },
  );

  test.each([
    ["pt-BR", /Respondeu outra pessoa desta conta/, /Você disse|por você|sua resposta/],
    ["en-US", /Another person on this account answered/, /You said|by you|your answer/],
  ] as const)("is told to its owner in %s as another's answer", (locale, says, wrong) => {
    const given = op({ ...happened, locale });
    const notice = outcomeNotice({ op: given, withdrawal: undefined, reference: "R" });
    const text = JSON.stringify([notice, stateInWords(given, withdrawalTexts(locale))]);
    expect(text).toMatch(says);
    expect(text).not.toMatch(wrong);
    expect(text).not.toContain(NEXT);
  });
});

describe("a cancellation", () => {
  const cancel = (state: "rejected" | "unknown" | "not_executed" | "manual") =>
    shown({ op: sampleOp({ kind: "cancel", state }) });
  const done = sampleOp({ kind: "cancel", state: "completed" });

  test.each([
    ["split_turbo", /seu saldo ou o do split\..*a taxa também volta/s],
    ["normal", /saldo\*\*\.\nO serviço não diz se a taxa também volta/],
    [undefined, /devolve o valor ao saldo\*\*\.(?!.*não diz)/s],
  ] as const)("rule 21: of %s tells no more than is known to come back", (kind, says) => {
    expect(read({ op: done, target: kind && { id: "W-XST6B", kind } })).toMatch(says);
  });

  test("that was not made says no word of how the withdrawal stands", () => {
    expect(readMessage(cancel("rejected"))[1]).toMatch(/^Este pedido não mudou o saque\./);
    expect(readMessage(cancel("not_executed"))[1]).toContain("O cancelamento não foi feito");
  });

  test("is told by the code of the withdrawal first", () => {
    const said = readMessage(shown({ op: done, target: { id: "W-XST6B", kind: "normal" } }))[1];
    expect(said?.split("\n").at(-1)).toBe(`-# W-XST6B · W-7K2Q9 · Txid: \`${TXID}\``);
  });

  test("in doubt is in doubt about the cancelling", () => {
    expect(readMessage(cancel("unknown"))[1]).toContain("**pode ter sido cancelado**");
    expect(labelsOf(cancel("manual"))).toContain("Não foi cancelado");
  });
});

const REFERENCE = "ref a1b2c3d4";
const notice = (op: WithdrawOp, withdrawal = sampleWithdrawal()) =>
  outcomeNotice({ op, withdrawal, reference: REFERENCE });

describe("a direct message about an outcome", () => {
  test("says what arrived, where to go, and carries the mark by which it is found", () => {
    const lines = readMessage(notice(acceptedOp({ state: "completed" })));
    expect(lines[0]).toBe("✅ Saque concluído");
    expect(lines[1]).toBe(
      "O serviço concluiu o saque: **R$ 1.233,50** foram para a chave PIX.\n" +
        "Valor do saque R$ 1.234,00 · Taxa R$ 0,50\n" +
        "Chave PIX: `***.456.789-**` · `Carla Nogueira` · `Banco Horizonte`\n" +
        "Concluído em <t:1795284000:d> <t:1795284000:t> (<t:1795284000:R>)\n-# W-7K2Q9\n\n" +
        "[Abrir o servidor](https://discord.com/channels/1180000000000000001)",
    );
    expect(lines.at(-1)).toBe(`Balcão · ${REFERENCE}`);
  });

  test.each(["accepted", "scheduled", "processing"] as const)(
    "that is sent for one that is %s says that it was found, and whether it had been refused",
    (state) => {
      const lines = readMessage(notice(acceptedOp({ state, errorCode: "timeout" })));
      expect(lines[0]).toBe("🕐 Achei o saque: ele foi feito");
      // Its end alone: an end that cannot be read is not asked about again.
      expect(lines[1]).toContain("Não peça outro. Aviso quando ele terminar.");
      expect(lines[1]).not.toContain("recusado");
      const refused = readMessage(notice(acceptedOp({ state, errorCode: "forbidden" })));
      expect(refused[1]).toContain("O serviço tinha recusado este saque");
    },
  );

  test("of a cancellation, which somebody asked for, has the mark of what went well", () => {
    const [title] = readMessage(notice(acceptedOp({ state: "cancelled" })));
    expect(title).toBe("✅ Saque cancelado");
  });

  test("can be answered where the owner has to decide, and checked where it is in doubt", () => {
    const processing = sampleWithdrawal({ status: "processing" });
    expect(labelsOf(notice(sampleOp({ state: "manual" }), processing))).toEqual([
      "O dinheiro saiu",
      "O dinheiro não saiu",
      "Verificar agora",
      "Mais detalhes",
    ]);
    expect(labelsOf(notice(sampleOp({ state: "unknown" })))).toContain("Verificar agora");
  });

  test("is in the language in which the operation was asked for", () => {
    expect(readMessage(notice(acceptedOp({ state: "completed", locale: "en-US" })))[0]).toBe(
      "✅ Withdrawal completed",
    );
  });
});
