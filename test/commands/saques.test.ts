import { describe, expect, test } from "vitest";
import type { Reply } from "#src/ui/reply.ts";
import { mistakeIn } from "../support/mistake-in.ts";
import { NOW, UNREAD_BALANCE } from "../support/samples.ts";
import { buttonsOf, textOf, titleOf } from "../ui/read-message.ts";
import { GUILD, OTHER_GUILD } from "../support/guild.ts";
import {
  acceptedOp,
  sampleOp,
  sampleStatus,
  sampleWithdrawal,
  TXID,
} from "../withdrawals/withdraw-samples.ts";
import { INVOCATION, openCommands, openMoneyCommands, routeOf } from "./command-stage.ts";

const OP = "W-7K2Q9";
const unread = {
  withdrawEnabled: true,
  problem: "timeout",
  readAt: NOW,
  events: [],
  withdrawal: undefined,
} as const;

describe("/saques", () => {
  test.each([undefined, "", "  "])(
    "without a code (%j) lists all of the person's own",
    async (typed) => {
      const { type, asked } = openMoneyCommands();
      expect(titleOf(await type("saques", { string: { txid: typed } }))).toBe("Saques");
      expect(asked).toEqual([["list", INVOCATION, undefined]]);
    },
  );

  test.each([OP, TXID, ` ${OP.toLowerCase()} `])("with %j shows that one", async (typed) => {
    const { type, asked } = openMoneyCommands();
    expect(titleOf(await type("saques", { string: { txid: typed } }))).toBe("✅ Saque concluído");
    expect(asked).toEqual([["detail", INVOCATION, typed.trim()]]);
  });

  test("speaks the person's language", async () => {
    const { type } = openMoneyCommands();
    expect(titleOf(await type("saques", {}, { ...INVOCATION, locale: "en-US" }))).toBe(
      "Withdrawals",
    );
  });

  test("suggests the person's own withdrawals by their codes", async () => {
    const { suggest, asked } = openMoneyCommands();
    expect((await suggest("saques", "txid", "w-7")).map(({ value }) => value)).toEqual([OP]);
    expect(asked).toEqual([["suggest", INVOCATION, "w-7"]]);
  });
});

describe("S3: the question after a restore", () => {
  test("is answered for whoever presses, also in a direct message", async () => {
    const { act, asked } = openMoneyCommands();
    const shown = await act("saques:conferi:0123456789");
    expect(asked).toEqual([["acknowledgeRestore", INVOCATION, "0123456789"]]);
    expect(titleOf(shown)).toBe("Conferido");
    expect(routeOf("saques:conferi:0123456789")).toMatchObject({ inDirectMessages: true });
  });

  test.each(["", "012345678", "0123456789a", "zzzzzzzzzz"])("%j names none", async (name) => {
    const { act, asked } = openMoneyCommands();
    expect(await mistakeIn(act(`saques:conferi:${name}`))).toBe("outdated_component");
    expect(asked).toEqual([]);
  });
});

describe("the menus of the list", () => {
  test("narrow it to a state, and back", async () => {
    const { act, asked } = openMoneyCommands();
    await act("saques:filtro:", { values: ["unclear"] });
    await act("saques:filtro:", { values: ["all"] });
    await act("saques:lista:");
    expect(asked).toEqual([
      ["list", INVOCATION, ["unknown", "manual"]],
      ["list", INVOCATION, undefined],
      ["list", INVOCATION, undefined],
    ]);
  });

  test("open one, with the way back", async () => {
    const { act, asked } = openMoneyCommands();
    const detail = await act("saques:ver:", { values: [TXID] });
    expect(asked).toEqual([["detail", INVOCATION, TXID]]);
    expect(buttonsOf(detail as Reply)["Ver todos"]).toBe("saques:lista:");
  });

  test.each([
    ["saques:filtro:", []],
    ["saques:filtro:", ["everything"]],
    ["saques:ver:", []],
    ["saques:ver:", ["../meds"]],
    ["saques:recibo:../meds", []],
    ["saques:verificar:", []],
    ["saques:status:nope", []],
    ["saques:aconteceu:", []],
    ["saques:decidir-sim:x", []],
    ["saques:cancelar:a b", []],
  ])("and buttons that were edited (%s %j) ask nobody", async (customId, values) => {
    const { act, asked } = openMoneyCommands();
    expect(await mistakeIn(act(customId, { values }))).toBe("outdated_component");
    expect(asked).toEqual([]);
  });
});

describe("the buttons under one", () => {
  test.each([
    ["with its PDF", new Uint8Array(9), 1],
    ["without one that could not be printed", undefined, undefined],
  ])("give its receipt as a message of its own, %s", async (_, page, files) => {
    const { act } = openMoneyCommands(page && { page });
    const receipt = (await act(`saques:recibo:${TXID}`)) as Reply;
    expect(receipt.content).toMatch(/^```\nRECIBO DE SAQUE POR PIX\n[\s\S]*\n```$/);
    expect(receipt.files?.length).toBe(files);
    expect(routeOf("saques:recibo:x").mode).toBe("new");
  });

  test("say that the service cannot be read where there is nothing to make a receipt of", async () => {
    const { act } = openMoneyCommands({ detail: async () => ({ ...unread, op: acceptedOp() }) });
    expect(textOf(await act(`saques:recibo:${OP}`))).toContain("Não consegui ler agora");
  });

  test("say that a receipt needs a key where its owner has none", async () => {
    const detail = { ...unread, problem: undefined, op: acceptedOp({ state: "completed" }) };
    const { act } = openMoneyCommands({ detail: async () => detail });
    expect(textOf(await act(`saques:recibo:${OP}`))).toContain("Sem uma chave sua desta conta");
  });

  test("look again at once, in the message itself", async () => {
    const { act, asked } = openMoneyCommands();
    const status = (await act(`saques:verificar:${OP}`)) as Reply;
    expect(asked).toEqual([["check", INVOCATION, OP]]);
    expect(status.live?.name).toBe(OP);
    expect(routeOf(`saques:verificar:${OP}`).mode).toBe("update");
  });

  test("ask before they cancel, and cancel nothing themselves", async () => {
    const { act, asked } = openMoneyCommands();
    const question = await act(`saques:cancelar:${TXID}`);
    expect(asked).toEqual([["prepareCancel", INVOCATION, TXID]]);
    expect(titleOf(question)).toContain("Confirme o cancelamento");
    expect(routeOf(`saques:cancelar:${TXID}`).mode).toBe("new");
  });

  test.each([
    ["aconteceu", "decidir-sim", true],
    ["nao-aconteceu", "decidir-nao", false],
  ])("take %s only with the code typed", async (name, submit, happened) => {
    const { act, asked } = openMoneyCommands();
    const form = await act(`saques:${name}:${OP}`);
    expect(form).toMatchObject({ kind: "modal", customId: `saques:${submit}:${OP}` });
    expect(asked).toEqual([["toDecide", INVOCATION, OP]]);
    await act(`saques:${submit}:${OP}`, { fields: new Map([["codigo", "w-7k2q9"]]) });
    await act(`saques:${submit}:${OP}`);
    expect(asked.slice(1)).toEqual([
      ["decide", { actor: INVOCATION, opId: OP, typedCode: "w-7k2q9", happened }],
      ["decide", { actor: INVOCATION, opId: OP, typedCode: "", happened }],
    ]);
  });
});

test.each([
  ["normal", "Confirmar: O dinheiro saiu", "Confirmar: O dinheiro não saiu"],
  ["cancel", "Confirmar: Foi cancelado", "Confirmar: Não foi cancelado"],
  ["refund", "Confirmar: A venda foi estornada", "Confirmar: Não foi estornada"],
] as const)("the form of a decision on a %s says which one", async (kind, did, didNot) => {
  const toDecide = async () => sampleOp({ kind, state: "manual" });
  const { act } = openMoneyCommands({ toDecide });
  expect(await act(`saques:aconteceu:${OP}`)).toMatchObject({ title: did });
  expect(await act(`saques:nao-aconteceu:${OP}`)).toMatchObject({ title: didNot });
});

test("the answer to a decision in another's stead shows nothing of the other", async () => {
  const op = acceptedOp({ ownerId: "119", state: "resolved_manual", resolution: "happened" });
  const status = sampleStatus({ op: { ...op, resolvedBy: INVOCATION.userId } });
  const { act } = openMoneyCommands({ decide: async () => status });
  const answer = (await act(`saques:decidir-sim:${OP}`)) as Reply;
  expect(textOf(answer)).toMatch(/^✅ Saque resolvido\nA resposta: [^\n]*\n-# W-7K2Q9$/);
  expect(answer.live).toBe(undefined);
});

test("the details of a withdrawal replace its summary, and are read of it alone", async () => {
  const { act, asked } = openMoneyCommands();
  expect(textOf(await act(`saques:detalhes:${OP}`))).toContain("Datas");
  expect(asked).toEqual([["detail", INVOCATION, OP]]);
  expect(routeOf(`saques:detalhes:${OP}`).mode).toBe("update");
});

describe("in a direct message", () => {
  test.each([
    "verificar",
    "status",
    "recibo",
    "aconteceu",
    "nao-aconteceu",
    "decidir-sim",
    "decidir-nao",
    "cancelar",
    "lista",
    "filtro",
    "ver",
  ])("%s works", (name) => {
    expect(routeOf(`saques:${name}:${OP}`).inDirectMessages).toBe(true);
  });

  describe("with a chosen key", () => {
    const owned = [
      { guildId: GUILD, watchId: "W1", accountFp: "chosen", keyLast4: "7891" },
      { guildId: OTHER_GUILD, watchId: "W2", accountFp: "other", keyLast4: "7892" },
    ];
    const openedOf = (accountFp: string) => {
      const op = acceptedOp({ state: "completed", accountFp });
      const status = sampleStatus({ op, isElsewhere: accountFp === "other" });
      return openCommands(() => ({
        accounts: { accountsOf: async () => owned, guildOf: async () => GUILD },
        print: { page: async () => new Uint8Array() },
        withdrawals: {
          detail: async () => ({ ...unread, op, withdrawal: sampleWithdrawal() }),
          check: async () => status,
          decide: async () => status,
        },
      }));
    };
    const there = { ...INVOCATION, guildId: "" };

    test.each([
      ["ver", "pt-BR", "-# De outra conta sua, não da chave que você escolheu."],
      ["status", "en-US", "-# From another account of yours, not the key that you chose."],
      ["detalhes", "pt-BR", "-# De outra conta sua, não da chave que você escolheu."],
      ["recibo", "pt-BR", "-# De outra conta sua, não da chave que você escolheu."],
      ["verificar", "pt-BR", "-# De outra conta sua, não da chave que você escolheu."],
      ["decidir-sim", "pt-BR", "-# De outra conta sua, não da chave que você escolheu."],
    ] as const)("%s says that one of another account is not of it", async (name, locale, line) => {
      const { act } = openedOf("other");
      const asked = { ...there, locale };
      const shown = await act(`${GUILD}/saques:${name}:${OP}`, { values: [OP] }, asked);
      expect((shown as Reply).content).toBe(line);
    });

    test("one of the chosen account stands below that key", async () => {
      const shown = await openedOf("chosen").act(`${GUILD}/saques:status:${OP}`, {}, there);
      expect((shown as Reply).content).toBe("-# Você escolheu a chave `…7891`.");
    });
  });

  test("one of a notice is shown without what needs a connection", async () => {
    const { act } = openMoneyCommands();
    const there = { ...INVOCATION, guildId: "" };
    expect(Object.keys(buttonsOf((await act(`saques:status:${OP}`, {}, there)) as Reply))).toEqual([
      "Recibo",
      "Mais detalhes",
    ]);
  });
});

test("/saldo shows what the service of balances read, in the person's language", async () => {
  const view = { ...UNREAD_BALANCE, problems: ["timeout"] as const };
  const { type } = openMoneyCommands({ read: async () => view });
  expect(textOf(await type("saldo"))).toContain("Saldo: não sei agora");
  expect(titleOf(await type("saldo", undefined, { ...INVOCATION, locale: "en-US" }))).toBe(
    "Balance: not known now",
  );
});
