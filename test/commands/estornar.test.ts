import { describe, expect, test } from "vitest";
import { UserError } from "#src/shared/errors.ts";
import type { Reply } from "#src/ui/reply.ts";
import {
  ANA,
  ANA_KEY,
  CHANNEL,
  connect,
  disconnect,
  GUILD,
  openGuild,
  OTHER_GUILD,
} from "../support/guild.ts";
import { mistakeIn } from "../support/mistake-in.ts";
import { sampleReport } from "../support/samples.ts";
import { buttonsOf, readMessage } from "../ui/read-message.ts";
import { newRefund } from "../withdrawals/withdraw-builders.ts";
import { TOKEN, TXID } from "../withdrawals/withdraw-samples.ts";
import { INVOCATION, openMoneyCommands, routeOf } from "./command-stage.ts";

describe("/estornar", () => {
  test("asks with the amount on the button, and sends nothing itself", async () => {
    const { type, asked } = openMoneyCommands();
    const question = (await type("estornar", { string: { txid: TXID } })) as Reply;
    expect(asked).toEqual([["prepareRefund", INVOCATION, TXID]]);
    expect(readMessage(question)[0]).toBe("Estornar R$ 79,90?");
    expect(readMessage(question).join("\n")).toContain("`Marcos ***`");
    expect(buttonsOf(question)).toEqual({
      "Estornar R$\u00a079,90": `saque:confirmar:${TOKEN}`,
      Desistir: `saque:desistir:${TOKEN}`,
    });
  });

  test("speaks the person's language", async () => {
    const { type } = openMoneyCommands();
    const options = { string: { txid: TXID } };
    const question = await type("estornar", options, { ...INVOCATION, locale: "en-US" });
    expect(readMessage(question)[0]).toBe("Refund R$ 79.90?");
  });

  test("is asked for by a button with the payment's txid, in a message of its own", async () => {
    const { act, asked } = openMoneyCommands();
    await act(`estornar:pedir:${TXID}`);
    expect(asked).toEqual([["prepareRefund", INVOCATION, TXID]]);
    expect(routeOf(`estornar:pedir:${TXID}`).mode).toBe("new");
  });

  test("takes no button that this version never makes", async () => {
    const { act, asked } = openMoneyCommands();
    expect(await mistakeIn(act("estornar:pedir:../meds"))).toBe("outdated_component");
    expect(asked).toEqual([]);
  });
});

describe("a question asked in the direct message", () => {
  /** Ana is asked with her one account. */
  const asked = async () => {
    const guild = await openGuild();
    await connect(guild.person(ANA), ANA_KEY);
    const account = await guild.stores.accounts.find(GUILD, ANA);
    const draft = newRefund(TXID, {
      accountFp: account!.accountFp,
      accountId: account!.id,
      guildId: GUILD,
      channelId: CHANNEL,
      ownerId: ANA,
      confirmTokenHash: guild.stores.vault.hashToken(TOKEN),
      confirmExpiresAt: guild.clock.now().add({ minutes: 2 }),
    });
    const { id } = await guild.stores.journal.draft(draft, guild.clock.now());
    return { ...guild, id, ana: guild.person(ANA, { guildId: "" }) };
  };
  const connectAnother = async ({ wallet, person }: Awaited<ReturnType<typeof asked>>) => {
    wallet.report = async () => ({ ...sampleReport(), userId: "another-account" });
    await connect(person(ANA, { guildId: OTHER_GUILD }), `${ANA_KEY}2`);
  };

  test("is answered for its own account, also where another one was connected since", async () => {
    const guild = await asked();
    await connectAnother(guild);
    const { ana, stores, id } = guild;
    expect(await mistakeIn(ana.act(`saque:confirmar:${TOKEN}`))).toBe("clicked_too_soon");
    expect((await ana.act(`saque:pin:${TOKEN}`)).kind).toBe("modal");
    await ana.act(`saque:desistir:${TOKEN}`);
    expect((await stores.journal.find(id))?.state).toBe("abandoned");
  });

  test("is asked again for its own account", async () => {
    const guild = await asked();
    await guild.ana.act(`saque:desistir:${TOKEN}`);
    await connectAnother(guild);
    const keys: string[] = [];
    guild.wallet.transaction = async ({ apiKey }) => {
      keys.push(apiKey.reveal());
      throw new UserError({ kind: "not_a_payment" });
    };
    expect(await mistakeIn(guild.ana.act(`saque:refazer:${guild.id}`))).toBe("not_a_payment");
    expect(keys).toEqual([ANA_KEY]);
  });

  test("is asked again in another server of its account, where its own was disconnected", async () => {
    const { ana, person, services, wallet, id } = await asked();
    await ana.act(`saque:desistir:${TOKEN}`);
    await connect(person(ANA, { guildId: OTHER_GUILD }), ANA_KEY);
    await disconnect(services);
    wallet.transaction = () => Promise.reject(new UserError({ kind: "not_a_payment" }));
    expect(await mistakeIn(ana.act(`saque:refazer:${id}`))).toBe("not_a_payment");
  });

  test("is given up although its key was disconnected since", async () => {
    const { ana, stores, services, id } = await asked();
    await disconnect(services);
    await ana.act(`saque:desistir:${TOKEN}`);
    expect((await stores.journal.find(id))?.state).toBe("abandoned");
  });
});
