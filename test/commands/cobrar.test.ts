import { PermissionFlagsBits as P } from "discord-api-types/v10";
import { expect, test } from "vitest";
import { mistakeIn } from "../support/mistake-in.ts";
import { UserError } from "#src/shared/errors.ts";
import { sampleCharge } from "../charges/charge-samples.ts";
import { buttonsOf } from "../ui/read-message.ts";
import type { Reply } from "#src/ui/reply.ts";
import { INVOCATION, openCommands } from "./command-stage.ts";

const charge = sampleCharge();
const PUBLISH = `cobrar:publicar:${charge.id}`;
/** Everybody may read there and use commands. */
const READS = P.ViewChannel | P.ReadMessageHistory | P.UseApplicationCommands;

/** The bot's own, for a card in a channel. */
const CARD = P.ViewChannel | P.SendMessages | P.EmbedLinks | P.AttachFiles;

const openCharges = () =>
  openCommands((noting) => ({
    charges: {
      create: noting("create", async () => ({ charge, qr: new Uint8Array() })),
      publish: noting("publish", async () => ({ charge, qr: new Uint8Array() })),
    },
  }));

const THREAD = { inThread: true } as const;
const LOCKED = { ...THREAD, isLocked: true } as const;

test.each([
  ["a channel", READS | P.SendMessagesInThreads, {}, "may_not_write_here"],
  ["a channel", READS | P.SendMessages, {}, "none"],
  ["a thread", READS | P.SendMessages, THREAD, "may_not_write_here"],
  ["a thread", READS | P.SendMessagesInThreads, THREAD, "none"],
  ["a locked thread", READS | P.SendMessagesInThreads, LOCKED, "may_not_write_here"],
  ["a locked thread", READS | P.SendMessagesInThreads | P.ManageThreads, LOCKED, "none"],
  ["a channel", P.Administrator, {}, "none"],
  ["a thread", P.Administrator, THREAD, "none"],
] as const)(
  "the card is posted in %s for who may write there alone (%s)",
  async (_, memberPermissions, place, mistake) => {
    const { type, act, asked } = openCharges();
    const invocation = { ...INVOCATION, memberPermissions, ...place };
    expect(await mistakeIn(act(PUBLISH, {}, invocation))).toBe(mistake);
    expect(asked).toHaveLength(mistake === "none" ? 1 : 0);
    const options = { string: { valor: "79,90", descricao: "Plano VIP mensal" } };
    const buttons = buttonsOf((await type("cobrar", options, invocation)) as Reply);
    expect(Object.values(buttons).includes(PUBLISH)).toBe(mistake === "none");
    expect(Object.keys(buttons)).toContain("Copiar código");
  },
);

test.each<[string, bigint | undefined, true | undefined, readonly string[]]>([
  ["what Discord did not say", undefined, undefined, []],
  ["an invitation of before the cards", 84_992n, undefined, ["attach_files"]],
  ["no right to write", CARD & ~P.SendMessages, undefined, ["send_messages"]],
  ["no right to write in threads", CARD, true, ["send_messages_in_threads"]],
  ["the right to write in threads", CARD | P.SendMessagesInThreads, true, []],
])(
  "with %s the card is promised only where the bot can post it",
  async (_, given, inThread, missing) => {
    const { act, asked } = openCharges();
    const invocation = {
      ...INVOCATION,
      memberPermissions: P.Administrator,
      appPermissions: given,
      ...(inThread && { inThread }),
    };
    const answer = await act(PUBLISH, {}, invocation).catch((error: unknown) => error);
    expect(answer instanceof UserError ? answer.reason : { missing: [] }).toMatchObject({
      missing,
    });
    expect(asked).toHaveLength(missing.length === 0 ? 1 : 0);
  },
);

test.each([
  [{ valor: "0,00" }, "charge_amount_too_small"],
  [{ valor: "0,001" }, "amount_too_fine"],
  [{ valor: "cinquenta" }, "charge_amount_unreadable"],
  [{ valor: "tudo" }, "charge_amount_unreadable"],
  [{ valor: "999999999999" }, "amount_too_large"],
  [{ descricao: " \u200b\u202e " }, "charge_description_empty"],
  [{ descricao: "a".repeat(200) }, "charge_description_long"],
])("%j is refused before anything is asked: %s", async (typed, kind) => {
  const { type, asked } = openCharges();
  const string = { valor: "79,90", descricao: "Plano VIP mensal", ...typed };
  expect(await mistakeIn(type("cobrar", { string }))).toBe(kind);
  expect(asked).toEqual([]);
});

test("a description that is too long comes back with the refusal", async () => {
  const descricao = `Pedido ${"a".repeat(200)}`;
  const refused = openCharges().type("cobrar", { string: { valor: "79,90", descricao } });
  await expect(refused).rejects.toMatchObject({ reason: { given: descricao } });
});
