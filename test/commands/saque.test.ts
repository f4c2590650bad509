import { describe, expect, test } from "vitest";
import { Secret } from "#src/shared/secret.ts";
import { UserError } from "#src/shared/errors.ts";
import type { Modal, Reply } from "#src/ui/reply.ts";
import { withdrawIds } from "#src/withdrawals/withdraw-buttons.view.ts";
import { mistakeIn } from "../support/mistake-in.ts";
import { NOW } from "../support/samples.ts";
import { labelsOf, readMessage, titleOf } from "../ui/read-message.ts";
import { sampleConfirmation, sampleOp, TOKEN } from "../withdrawals/withdraw-samples.ts";
import { INVOCATION, openMoneyCommands, routeOf } from "./command-stage.ts";

const KEY = "ana@loja.example";
const typed = (valor: string, others: Record<string, string> = {}) => ({
  string: { valor, chave: KEY, ...others },
});

describe("/saque", () => {
  test.each([
    ["50", 5_000],
    ["1.234,56", 123_456],
    ["R$ 50", 5_000],
    ["tudo", "all"],
  ])("with %j prepares it by the normal speed, and confirms nothing", async (valor, amount) => {
    const { type, asked } = openMoneyCommands();
    expect(titleOf(await type("saque", typed(valor)))).toBe("Confirme o saque");
    expect(asked).toEqual([
      ["prepare", { actor: INVOCATION, what: { kind: "own", amount }, pixKey: KEY, turbo: false }],
    ]);
  });

  test.each([
    ["turbo", true],
    ["normal", false],
    ["TURBO", false],
  ])("by %s asks for turbo: %s", async (modalidade, turbo) => {
    const { type, asked } = openMoneyCommands();
    await type("saque", typed("50", { modalidade }));
    expect(asked[0]?.[1]).toMatchObject({ turbo });
  });

  test.each([
    ["abc", "amount_unreadable"],
    ["", "amount_unreadable"],
    ["1,234", "amount_too_fine"],
    ["999999999999", "amount_too_large"],
  ])("with %j asks nobody", async (valor, mistake) => {
    const { type, asked } = openMoneyCommands();
    expect(await mistakeIn(type("saque", typed(valor)))).toBe(mistake);
    expect(asked).toEqual([]);
  });

  test("asks which of two a key is, and goes on with the answer", async () => {
    const { type, act, asked } = openMoneyCommands({
      prepare: async () => ({
        kind: "key_question",
        op: sampleOp(),
        token: TOKEN,
        expiresAt: NOW,
      }),
    });
    const question = (await type("saque", typed("50"))) as Reply;
    expect(labelsOf(question)).toEqual(["É um CPF", "É um celular", "Desistir"]);
    expect(titleOf(await act(`saque:celular:${TOKEN}`))).toBe("Confirme o saque");
    await act(`saque:cpf:${TOKEN}`);
    expect(asked.slice(1)).toEqual([
      ["chooseKeyType", INVOCATION, TOKEN, "phone"],
      ["chooseKeyType", INVOCATION, TOKEN, "cpf"],
    ]);
  });

  test("suggests the saved keys of whoever types, and only for the key", async () => {
    const keys = Array.from({ length: 30 }, (_, place) => ({
      name: "j***@d***",
      value: `salva:${place}`,
    }));
    const { suggest, asked } = openMoneyCommands({ savedKeys: async () => keys });
    expect(await suggest("saque", "chave", "j")).toHaveLength(25);
    expect(await suggest("saque", "valor", "5")).toEqual([]);
    expect(asked).toEqual([["savedKeys", { userId: INVOCATION.userId, locale: "pt-BR" }, "j"]]);
  });
});

describe("a click that confirms", () => {
  test("is the one that may move money", () => {
    const kinds = ["confirmar", "pin", "desistir", "cpf", "celular", "guardar"].map(
      (name) => routeOf(`saque:${name}:${TOKEN}`).handlerKind,
    );
    expect(kinds).toEqual(["money", "modal", "write", "write", "write", "write"]);
  });

  test("hands on the token and who clicked, and shows what became of it", async () => {
    const { act, asked } = openMoneyCommands();
    const answer = (await act(`saque:confirmar:${TOKEN}`)) as Reply;
    expect(titleOf(answer)).toBe("🕐 Saque aceito");
    expect(answer.live).toEqual({ name: "W-7K2Q9", state: "accepted" });
    expect(asked).toEqual([["confirm", INVOCATION, TOKEN, undefined]]);
  });

  test("shows the second confirmation where there is one", async () => {
    const again = sampleConfirmation({ askedTwice: ["new_key"] });
    const { act } = openMoneyCommands({ confirm: async () => again });
    expect(titleOf(await act(`saque:confirmar:${TOKEN}`))).toBe(
      "Confirme de novo o saque (2 de 2)",
    );
  });

  test.each([
    ["402718", "as a secret"],
    ["402718 ", "without the blank that a phone's keyboard adds"],
  ])("takes the PIN %j from the form that the button opened, %s", async (typed) => {
    const { act, asked } = openMoneyCommands();
    const form = await act(`saque:pin:${TOKEN}`);
    if (form.kind !== "modal") throw new Error("No form was opened");
    expect(form.fields.map(({ id }) => id)).toEqual(["pin"]);
    expect(asked).toEqual([]);
    await act(form.customId, { fields: new Map([["pin", typed]]) });
    const pin = asked[0]?.[3];
    expect(pin).toBeInstanceOf(Secret);
    expect((pin as Secret).reveal()).toBe("402718");
  });

  test("lets a refusal through as it is", async () => {
    const { act } = openMoneyCommands({
      confirm: async () => {
        throw new UserError({ kind: "pin_wrong", triesLeft: 2 });
      },
    });
    expect(await mistakeIn(act(`saque:confirmar:${TOKEN}`))).toBe("pin_wrong");
  });

  test.each(["", "short", `${TOKEN}x`, "AbCdEfGhIjKlMnOpQrSt u", `${TOKEN}:x`])(
    "with the edited token %j asks nobody",
    async (token) => {
      const { act, asked } = openMoneyCommands();
      for (const name of ["confirmar", "pin", "desistir", "cpf", "celular"])
        expect(await mistakeIn(act(`saque:${name}:${token}`))).toBe("confirmation_gone");
      expect(asked).toEqual([]);
    },
  );
});

test("giving up says that nothing was sent, and of a cancellation that the withdrawal stays", async () => {
  const own = openMoneyCommands();
  expect(titleOf(await own.act(`saque:desistir:${TOKEN}`))).toBe("Saque descartado");
  expect(own.asked).toEqual([["abandon", INVOCATION, TOKEN]]);
  const cancel = openMoneyCommands({
    abandon: async () => sampleOp({ kind: "cancel", state: "abandoned" }),
  });
  expect(titleOf(await cancel.act(`saque:desistir:${TOKEN}`))).toBe("Cancelamento descartado");
});

test("keeping a key shows its end alone, in a message of its own", async () => {
  const { act, asked } = openMoneyCommands();
  expect(readMessage(await act("saque:guardar:W-7K2Q9"))).toContain("Chave PIX: `***.456.789-**`");
  expect(asked).toEqual([["saveKey", INVOCATION, "W-7K2Q9"]]);
});

test.each(Object.entries(withdrawIds))("the button %s is served by a command", (_, idOf) => {
  expect(routeOf(typeof idOf === "string" ? idOf : idOf(TOKEN)).handlerKind).toMatch(
    /^(read|write|modal|money)$/,
  );
});

describe("the form of a withdrawal", () => {
  const saved = [{ name: "***.456.789-**", value: "guardada:1" }];
  const opened = async (keys: typeof saved): Promise<Modal> => {
    const { act } = openMoneyCommands({ savedKeys: async () => keys });
    return (await act(withdrawIds.form)) as Modal;
  };
  const submit = async (fields: Readonly<Record<string, string>>) => {
    const { act, asked } = openMoneyCommands();
    const answer = await act(withdrawIds.asked, { fields: new Map(Object.entries(fields)) });
    return { asked, title: titleOf(answer) };
  };

  test("asks for amount, key and speed, and offers the saved keys by their masks", async () => {
    const named = ({ fields }: Modal) => fields.map(({ id, required }) => [id, required]);
    expect(named(await opened([]))).toEqual([
      ["valor", true],
      ["chave", true],
      ["modalidade", true],
    ]);
    const form = await opened(saved);
    expect(named(form)).toEqual([
      ["valor", true],
      ["guardada", false],
      ["chave", false],
      ["modalidade", true],
    ]);
    expect(form.fields[1]).toMatchObject({ options: [{ label: "***.456.789-**" }] });
    expect(form.customId).toBe(withdrawIds.asked);
  });

  test.each([
    [{ valor: "50", chave: KEY, modalidade: "normal" }, 5_000, KEY, false],
    [{ valor: "tudo", guardada: "guardada:1", modalidade: "turbo" }, "all", "guardada:1", true],
    [{ valor: "50", guardada: "guardada:1", chave: " " }, 5_000, "guardada:1", false],
    [{ valor: "50", guardada: "guardada:1", chave: KEY }, 5_000, KEY, false],
    [{ valor: "50" }, 5_000, "", false],
  ] as const)(
    "filled with %j prepares as /saque does, and confirms nothing",
    async (fields, amount, pixKey, turbo) => {
      const { asked, title } = await submit(fields);
      expect(title).toBe("Confirme o saque");
      expect(asked).toEqual([
        ["prepare", { actor: INVOCATION, what: { kind: "own", amount }, pixKey, turbo }],
      ]);
    },
  );

  test("without an amount asks nobody", async () => {
    expect(await mistakeIn(submit({ valor: "abc", chave: KEY }))).toBe("amount_unreadable");
  });
});
