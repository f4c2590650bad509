import { describe, expect, test } from "vitest";
import { Secret } from "#src/shared/secret.ts";
import { UserError } from "#src/shared/errors.ts";
import type { Reply } from "#src/views/reply.ts";
import { withdrawIds } from "#src/views/money/money-ids.ts";
import { mistakeIn } from "../support/mistake-in.ts";
import { ANA, BRUNO } from "../support/guild.ts";
import { NOW } from "../support/samples.ts";
import { labelsOf, readMessage } from "../views/read-message.ts";
import { sampleConfirmation, sampleOp, TOKEN } from "../views/money/withdraw-samples.ts";
import { ACTOR, openTill } from "./command-stage.ts";

const KEY = "ana@loja.example";
const typed = (valor: string, others: Record<string, string> = {}) => ({
  string: { valor, chave: KEY, ...others },
});
const first = (answer: unknown): string | undefined => readMessage(answer as Reply)[0];

describe("/saque", () => {
  test.each([
    ["50", 5_000],
    ["1.234,56", 123_456],
    ["R$ 50", 5_000],
    ["tudo", "all"],
  ])("with %j prepares it by the normal speed, and confirms nothing", async (valor, amount) => {
    const { type, asked } = openTill();
    expect(first(await type("saque", typed(valor)))).toBe("Confirme o saque");
    expect(asked).toEqual([
      {
        what: "prepare",
        with: [{ actor: ACTOR, what: { kind: "own", amount }, pixKey: KEY, turbo: false }],
      },
    ]);
  });

  test.each([
    ["turbo", true],
    ["normal", false],
    ["TURBO", false],
  ])("by %s asks for turbo: %s", async (modalidade, turbo) => {
    const { type, asked } = openTill();
    await type("saque", typed("50", { modalidade }));
    expect(asked[0]?.with[0]).toMatchObject({ turbo });
  });

  test.each([
    ["abc", "amount_unreadable"],
    ["", "amount_unreadable"],
    ["1,234", "amount_too_fine"],
  ])("with %j asks nobody", async (valor, mistake) => {
    const { type, asked } = openTill();
    expect(await mistakeIn(type("saque", typed(valor)))).toBe(mistake);
    expect(asked).toEqual([]);
  });

  test("asks which of two a key is, and goes on with the answer", async () => {
    const { type, act, asked } = openTill({
      prepare: async () => ({
        kind: "key_question",
        op: sampleOp(),
        token: TOKEN,
        expiresAt: NOW,
      }),
    });
    const question = (await type("saque", typed("50"))) as Reply;
    expect(labelsOf(question)).toEqual(["É um CPF", "É um celular", "Desistir"]);
    expect(first(await act(`saque:celular:${TOKEN}`))).toBe("Confirme o saque");
    await act(`saque:cpf:${TOKEN}`);
    expect(asked.slice(1).map((each) => each.with)).toEqual([
      [ACTOR, TOKEN, "phone"],
      [ACTOR, TOKEN, "cpf"],
    ]);
  });

  test("suggests the saved keys of whoever types, and only for the key", async () => {
    const keys = Array.from({ length: 30 }, (_, place) => ({
      name: "j***@d***",
      value: `salva:${place}`,
    }));
    const { suggest, asked } = openTill({ savedKeys: async () => keys });
    expect(await suggest("saque", "chave", "j")).toHaveLength(25);
    expect(await suggest("saque", "valor", "5")).toEqual([]);
    expect(asked).toEqual([{ what: "savedKeys", with: [{ userId: ACTOR.userId }, "j"] }]);
  });
});

describe("a click that confirms", () => {
  test("is the one that may move money", () => {
    const { kindOf } = openTill();
    const kinds = ["confirmar", "pin", "desistir", "cpf", "celular", "guardar"].map((name) =>
      kindOf(`saque:${name}:${TOKEN}`),
    );
    expect(kinds).toEqual(["money", "modal", "write", "write", "write", "write"]);
  });

  test("hands on the token and who clicked, and shows what became of it", async () => {
    const { act, asked } = openTill();
    const answer = (await act(`saque:confirmar:${TOKEN}`)) as Reply;
    expect(first(answer)).toBe("Saque aceito");
    expect(answer.live).toBe("W-7K2Q9");
    expect(asked).toEqual([{ what: "confirm", with: [ACTOR, TOKEN, undefined] }]);
  });

  test("shows the second confirmation where there is one", async () => {
    const again = sampleConfirmation({ askedTwice: ["new_key"] });
    const { act } = openTill({ confirm: async () => again });
    expect(first(await act(`saque:confirmar:${TOKEN}`))).toBe("Confirme de novo o saque (2 de 2)");
  });

  test("takes the PIN from the form that the button opened, as a secret", async () => {
    const { act, asked } = openTill();
    const form = await act(`saque:pin:${TOKEN}`);
    if (form.kind !== "modal") throw new Error("No form was opened");
    expect(form.fields.map(({ id }) => id)).toEqual(["pin"]);
    expect(asked).toEqual([]);
    await act(form.customId, { fields: new Map([["pin", "402718"]]) });
    const pin = asked[0]?.with[2];
    expect(pin).toBeInstanceOf(Secret);
    expect((pin as Secret).reveal()).toBe("402718");
  });

  test("lets a refusal through as it is", async () => {
    const { act } = openTill({
      confirm: async () => {
        throw new UserError({ kind: "pin_wrong", triesLeft: 2 });
      },
    });
    expect(await mistakeIn(act(`saque:confirmar:${TOKEN}`))).toBe("pin_wrong");
  });

  test.each(["", "short", `${TOKEN}x`, "AbCdEfGhIjKlMnOpQrSt u", `${TOKEN}:x`])(
    "with the edited token %j asks nobody",
    async (token) => {
      const { act, asked } = openTill();
      for (const name of ["confirmar", "pin", "desistir", "cpf", "celular"])
        expect(await mistakeIn(act(`saque:${name}:${token}`))).toBe("confirmation_gone");
      expect(asked).toEqual([]);
    },
  );
});

test("giving up says that nothing was sent, and of a cancellation that the withdrawal stays", async () => {
  const own = openTill();
  expect(first(await own.act(`saque:desistir:${TOKEN}`))).toBe("Saque descartado");
  expect(own.asked).toEqual([{ what: "abandon", with: [ACTOR, TOKEN] }]);
  const cancel = openTill({
    abandon: async () => sampleOp({ kind: "cancel", state: "abandoned" }),
  });
  expect(first(await cancel.act(`saque:desistir:${TOKEN}`))).toBe("Cancelamento descartado");
});

test("keeping a key shows its end alone, in a message of its own", async () => {
  const { act, asked } = openTill();
  expect(readMessage((await act("saque:guardar:W-7K2Q9")) as Reply)).toContain(
    "Chave PIX: `***.456.789-**`",
  );
  expect(asked).toEqual([{ what: "saveKey", with: [ACTOR, "W-7K2Q9"] }]);
});

test.each(Object.entries(withdrawIds))("the button %s is served by a command", (_, idOf) => {
  expect(openTill().kindOf(idOf(TOKEN))).toMatch(/^(read|write|modal|money)$/);
});

const RECIPIENT_KEY = "bruno@loja.example";
const typedSplit = (id: string, bot = false, others: Record<string, string> = {}) => ({
  user: { recebedor: { id, bot } },
  string: { chave: RECIPIENT_KEY, ...others },
});
const split = sampleConfirmation({
  op: sampleOp({ kind: "split_normal" }),
  askedTwice: ["split"],
  confirmationsLeft: 2,
});

describe("/split-saque", () => {
  test.each([
    [{}, false],
    [{ modalidade: "normal" }, false],
    [{ modalidade: "turbo" }, true],
  ])("with %j always says whether it is turbo: %s", async (others, turbo) => {
    const { type, asked } = openTill({ prepare: async () => split });
    const answer = (await type("split-saque", typedSplit(BRUNO, false, others))) as Reply;
    expect(readMessage(answer)[0]).toBe("Confirme o saque do split (1 de 2)");
    expect(asked).toEqual([
      {
        what: "prepare",
        with: [
          {
            actor: ACTOR,
            what: { kind: "split", recipientId: BRUNO },
            pixKey: RECIPIENT_KEY,
            turbo,
          },
        ],
      },
    ]);
  });

  test.each([
    ["oneself", typedSplit(ANA), "recipient_is_self"],
    ["a bot", typedSplit(BRUNO, true), "recipient_is_bot"],
    ["an id that is too short", typedSplit("1180000000000001"), "recipient_invalid"],
    ["an id that is too long", typedSplit("118000000000000000012"), "recipient_invalid"],
    ["something that is no id", typedSplit("11800000000000000a1"), "recipient_invalid"],
    ["nobody", { string: { chave: RECIPIENT_KEY } }, "recipient_invalid"],
  ])("for %s asks nobody", async (_, options, mistake) => {
    const { type, asked } = openTill();
    expect(await mistakeIn(type("split-saque", options))).toBe(mistake);
    expect(asked).toEqual([]);
  });

  test("suggests the saved keys", async () => {
    const saved = [{ name: "b***@l***", value: "salva:1" }];
    const { suggest } = openTill({ savedKeys: async () => saved });
    expect(await suggest("split-saque", "chave", "")).toEqual(saved);
  });
});
