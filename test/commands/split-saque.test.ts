import { describe, expect, test } from "vitest";
import type { Reply } from "#src/ui/reply.ts";
import { ANA, BRUNO } from "../support/guild.ts";
import { mistakeIn } from "../support/mistake-in.ts";
import { readMessage } from "../ui/read-message.ts";
import { sampleConfirmation, sampleOp } from "../withdrawals/withdraw-samples.ts";
import { INVOCATION, openMoneyCommands } from "./command-stage.ts";

const KEY = "bruno@loja.example";
const typed = (id: string, bot = false, others: Record<string, string> = {}) => ({
  user: { recebedor: { id, bot, isMember: false } },
  string: { chave: KEY, ...others },
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
    const { type, asked } = openMoneyCommands({ prepare: async () => split });
    const answer = (await type("split-saque", typed(BRUNO, false, others))) as Reply;
    expect(readMessage(answer)[0]).toBe("Confirme o saque do split (1 de 2)");
    expect(asked).toEqual([
      [
        "prepare",
        { actor: INVOCATION, what: { kind: "split", recipientId: BRUNO }, pixKey: KEY, turbo },
      ],
    ]);
  });

  test.each([
    ["oneself", typed(ANA), "recipient_is_self"],
    ["a bot", typed(BRUNO, true), "recipient_is_bot"],
    ["an id that is too short", typed("1180000000000001"), "recipient_invalid"],
    ["an id that is too long", typed("118000000000000000012"), "recipient_invalid"],
    ["something that is no id", typed("11800000000000000a1"), "recipient_invalid"],
    ["nobody", { string: { chave: KEY } }, "recipient_invalid"],
  ])("for %s asks nobody", async (_, options, mistake) => {
    const { type, asked } = openMoneyCommands();
    expect(await mistakeIn(type("split-saque", options))).toBe(mistake);
    expect(asked).toEqual([]);
  });

  test("suggests the saved keys", async () => {
    const saved = [{ name: "b***@l***", value: "salva:1" }];
    const { suggest } = openMoneyCommands({ savedKeys: async () => saved });
    expect(await suggest("split-saque", "chave", "")).toEqual(saved);
  });
});
