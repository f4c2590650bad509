import { PermissionFlagsBits as P } from "discord-api-types/v10";
import { expect, test } from "vitest";
import { mistakeIn } from "../support/mistake-in.ts";
import { sampleCharge } from "../charges/charge-samples.ts";
import { buttonsOf } from "../ui/read-message.ts";
import type { Reply } from "#src/ui/reply.ts";
import { INVOCATION, openCommands } from "./command-stage.ts";

const charge = sampleCharge();
const PUBLISH = `cobrar:publicar:${charge.id}`;
/** Everybody may read there and use commands. */
const READS = P.ViewChannel | P.ReadMessageHistory | P.UseApplicationCommands;

const openCharges = () =>
  openCommands((noting) => ({
    charges: {
      create: async () => ({ charge, qr: new Uint8Array() }),
      publish: noting("publish", async () => ({ charge, qr: new Uint8Array() })),
    },
  }));

test.each([
  ["a channel", READS | P.SendMessagesInThreads, false, "may_not_write_here"],
  ["a channel", READS | P.SendMessages, false, "none"],
  ["a thread", READS | P.SendMessages, true, "may_not_write_here"],
  ["a thread", READS | P.SendMessagesInThreads, true, "none"],
  ["a channel", P.Administrator, false, "none"],
  ["a thread", P.Administrator, true, "none"],
] as const)(
  "the card is posted in %s for who may write there alone (%s)",
  async (_, memberPermissions, isThread, mistake) => {
    const { type, act, asked } = openCharges();
    const invocation = {
      ...INVOCATION,
      memberPermissions,
      ...(isThread && { inThread: true as const }),
    };
    expect(await mistakeIn(act(PUBLISH, {}, invocation))).toBe(mistake);
    expect(asked).toHaveLength(mistake === "none" ? 1 : 0);
    const options = { string: { valor: "79,90", descricao: "Plano VIP mensal" } };
    const buttons = buttonsOf((await type("cobrar", options, invocation)) as Reply);
    expect(Object.values(buttons).includes(PUBLISH)).toBe(mistake === "none");
    expect(Object.keys(buttons)).toContain("Copiar código");
  },
);
