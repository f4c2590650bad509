import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { KEY_OFFER_MS } from "#src/accounts/wallet-key.ts";
import { expireKeyOffers } from "#src/accounts/account-notices.job.ts";
import { errorReply } from "#src/help/error.view.ts";
import { UserError, WalletError } from "#src/shared/errors.ts";
import { Secret } from "#src/shared/secret.ts";
import { directChannel } from "../support/fake-channels.ts";
import {
  ANA,
  ANA_KEY,
  BRUNO,
  CARLA,
  connect,
  disconnect,
  connectRequest,
  GUILD,
  openGuild,
} from "../support/guild.ts";
import { mistakeIn } from "../support/mistake-in.ts";
import { idOf } from "./components.ts";
import { followedDispute } from "#src/disputes/dispute-watch.ts";
import { sampleDispute } from "../disputes/dispute-samples.ts";
import { opIn } from "../withdrawals/withdraw-builders.ts";
import { sampleReport } from "../support/samples.ts";
import { buttonsOf, textOf } from "../ui/read-message.ts";
import type { Reply } from "#src/ui/reply.ts";

const NEW_KEY = "sk_test_new_key_987654wxyz";
const forAna = { user: { membro: { id: ANA, bot: false, isMember: true } } };

/** The service names its user in another way than Discord does, so that nothing proves whose key it is. */
const opened = async () => {
  const guild = await openGuild();
  guild.wallet.report = async () => ({ ...sampleReport(), userId: "user_8812" });
  const carla = guild.person(CARLA, { manager: true });
  await connect(guild.person(ANA), ANA_KEY);
  const offer = async (key = NEW_KEY) => {
    const answer = await connect(carla, key, forAna);
    await guild.delivered();
    const [kept] = await guild.stores.keyOffers.ofGuild(GUILD, guild.clock.now());
    return { answer, id: kept?.id ?? "" };
  };
  const keyOf = async () => (await guild.stores.accounts.findWithKey(GUILD, ANA))?.apiKey.reveal();
  const told = (userId: string) => guild.channels.inChannel(directChannel(userId));
  return { ...guild, carla, offer, keyOf, told, direct: guild.person(ANA, { guildId: "" }) };
};

type Opened = Awaited<ReturnType<typeof opened>>;

/** Anything that is delivered takes along what is owed. */
const connectBruno = async (services: Awaited<ReturnType<typeof openGuild>>["services"]) => {
  await services.accounts.connect(
    connectRequest({
      ownerId: BRUNO,
      connectedBy: CARLA,
      apiKey: new Secret("sk_test_bruno_0123456789"),
    }),
  );
};

describe("S18: an admin's key for a member who has one", () => {
  test("replaces nothing before the member agrees: the member is asked", async () => {
    const { offer, keyOf, told, carla } = await opened();
    const { answer } = await offer();
    expect(await keyOf()).toBe(ANA_KEY);
    expect(textOf(answer)).toMatch(/^Perguntei a essa pessoa\n[^]*Chave nova: `…wxyz`/);
    expect(JSON.stringify(answer)).not.toMatch(/23456789|…6789/);
    const [question, another] = told(ANA);
    expect(another).toBeUndefined();
    expect(question?.text).toMatch(new RegExp(`<@${CARLA}>[^]*<t:1795284000:d> <t:1795284000:t>`));
    expect(question?.text).toMatch(/Chave de agora[^]*…6789[^]*Chave nova[^]*…wxyz/);
    expect(question?.text).not.toContain(NEW_KEY);
    expect(textOf(await carla.command("config ver"))).toMatch(
      new RegExp(`Trocas de chave à espera da resposta: <@${ANA}>, a pedido de <@${CARLA}>`),
    );
  });

  test("takes its place by the member's click in a direct message, and the admin is told", async () => {
    const { offer, keyOf, told, direct, stores, delivered } = await opened();
    const { id } = await offer();
    expect(textOf(await direct.act(`conta:trocar:${id}`))).toContain("Chave aceita");
    expect(await keyOf()).toBe(NEW_KEY);
    expect(await stores.accounts.find(GUILD, ANA)).toMatchObject({
      connectedBy: CARLA,
      locale: "pt-BR",
      reportConsent: false,
    });
    await delivered();
    expect(told(CARLA)[0]?.text).toContain("A troca de chave foi aceita");
    expect(told(ANA)).toHaveLength(1);
    expect(await mistakeIn(direct.act(`conta:trocar:${id}`))).toBe("key_offer_gone");
  });

  test.each([
    ["for one that cannot be opened", NEW_KEY, { api_key: "v1.lost.key" }],
    ["for itself, where it cannot be opened", ANA_KEY, { api_key: "v1.lost.key" }],
    ["for itself, where it was refused", ANA_KEY, { paused_at: sql<null>`connected_at` }],
  ])("makes the member's key of use again: %s", async (_, key, state) => {
    const { offer, keyOf, told, direct, stores, db } = await opened();
    await db.updateTable("account").set(state).execute();
    await direct.act(`conta:trocar:${(await offer(key)).id}`);
    expect(told(ANA)[0]?.text).toContain(key === ANA_KEY ? "a mesma chave" : "por outra");
    expect(await keyOf()).toBe(key);
    expect((await stores.accounts.find(GUILD, ANA))?.pausedAt).toBeUndefined();
  });

  test.each([
    ["pt-BR", "continua"],
    ["en-US", "stays"],
  ] as const)("tapped twice says in %s no more that the key of before %s", async (locale, word) => {
    const { offer, direct } = await opened();
    const { id } = await offer();
    await direct.act(`conta:trocar:${id}`);
    const again = await direct.act(`conta:trocar:${id}`).catch((error: unknown) => error);
    expect(again).toBeInstanceOf(UserError);
    expect(textOf(errorReply(again as UserError, locale, "R"))).not.toContain(word);
  });

  test("accepted from outside of the server leaves its owner away from it", async () => {
    const { offer, direct, stores, clock } = await opened();
    const { id } = await offer();
    const now = clock.now();
    await stores.accounts.chooseReport(GUILD, ANA, "channel", now);
    await stores.presences.keep(GUILD, ANA, "left", now, undefined);
    await direct.act(`conta:trocar:${id}`);
    expect((await stores.presences.find(GUILD, ANA))?.leftAt).toEqual(now);
    expect(await stores.closes.sellers(GUILD, now.add({ hours: 1 }))).toEqual([]);
  });

  test("ends a noted absence of a member whom Discord finds in the server", async () => {
    const { offer, direct, stores, clock } = await opened();
    await stores.presences.keep(GUILD, ANA, "left", clock.now(), undefined);
    const { id } = await offer();
    await direct.act(`conta:trocar:${id}`);
    expect((await stores.presences.find(GUILD, ANA))?.leftAt).toBeUndefined();
  });

  test("is erased by the member's refusal, and the admin is told", async () => {
    const { offer, keyOf, told, direct, stores, delivered } = await opened();
    const { id } = await offer();
    expect(textOf(await direct.act(`conta:negar:${id}`))).toContain("nada mudou");
    expect(await keyOf()).toBe(ANA_KEY);
    expect(await stores.keyOffers.apiKey(id)).toBeUndefined();
    await delivered();
    expect(told(CARLA)[0]?.text).toContain("A troca de chave foi recusada");
    expect(await mistakeIn(direct.act(`conta:trocar:${id}`))).toBe("key_offer_gone");
  });

  test.each(["trocar", "negar"])("%s counts from nobody else, the admin included", async (name) => {
    const { offer, keyOf, person, stores, clock } = await opened();
    const { id } = await offer();
    for (const other of [BRUNO, CARLA]) {
      for (const guildId of ["", GUILD]) {
        const somebody = person(other, { manager: guildId === GUILD, guildId });
        expect(await mistakeIn(somebody.act(`conta:${name}:${id}`))).toBe("key_offer_gone");
      }
    }
    expect(await keyOf()).toBe(ANA_KEY);
    expect(await stores.keyOffers.find(id, clock.now())).toBeDefined();
  });

  test.each(["conta:trocar:", "conta:negar:x", `conta:trocar:${ANA}:1`])(
    "%s is out of date",
    async (id) => {
      const { direct } = await opened();
      expect(await mistakeIn(direct.act(id))).toBe("outdated_component");
    },
  );

  test("is over after a day, and the admin is told that nobody answered", async () => {
    const { offer, keyOf, told, direct, stores, clock, services, delivered } = await opened();
    const { id } = await offer();
    clock.moveBy(KEY_OFFER_MS);
    expect(await mistakeIn(direct.act(`conta:trocar:${id}`))).toBe("key_offer_gone");
    await expireKeyOffers(stores, clock.now());
    expect(await stores.keyOffers.apiKey(id)).toBeUndefined();
    expect(await keyOf()).toBe(ANA_KEY);
    // The next delivery run takes the notice along.
    await connectBruno(services);
    await delivered();
    expect(told(CARLA).map(({ text }) => text)[0]).toContain("ficou sem resposta");
  });

  test("is checked again on acceptance, and stays open when the service cannot be asked", async () => {
    const { offer, keyOf, direct, wallet } = await opened();
    const { id } = await offer();
    const works = wallet.report;
    const failing = (kind: "timeout" | "unauthorized") => async () => {
      throw new WalletError({ kind, method: "GET", route: "/v1/sales/report" });
    };
    wallet.report = failing("timeout");
    await expect(direct.act(`conta:trocar:${id}`)).rejects.toMatchObject({ kind: "timeout" });
    wallet.report = failing("unauthorized");
    expect(await mistakeIn(direct.act(`conta:trocar:${id}`))).toBe("api_key_refused");
    expect(await keyOf()).toBe(ANA_KEY);
    wallet.report = works;
    await direct.act(`conta:trocar:${id}`);
    expect(await keyOf()).toBe(NEW_KEY);
  });

  test("that is somebody else's by the service's own word asks nobody", async () => {
    const { carla, told, wallet } = await opened();
    wallet.report = async () => ({ ...sampleReport(), userId: BRUNO });
    expect(await mistakeIn(connect(carla, NEW_KEY, forAna))).toBe("api_key_of_another_account");
    expect(told(ANA)).toEqual([]);
  });

  test("that the member has already asks nobody", async () => {
    const { offer, told } = await opened();
    expect(await mistakeIn(offer(ANA_KEY))).toBe("same_key_offered");
    expect(told(ANA)).toEqual([]);
  });

  const OWN_KEY = "sk_test_own_choice_0123";
  const OTHERS_KEY = "sk_test_other_offer_0123";
  const removedBy =
    (adminId: string) =>
    async ({ services: { accounts } }: Opened) => {
      const questionId = await accounts.memberQuestion(GUILD, ANA);
      const asked = { guildId: GUILD, ownerId: ANA, adminId, questionId };
      await accounts.removeMember({ ...asked, guildLocale: "pt-BR" });
    };
  test.each<[string, (guild: Opened) => Promise<unknown>, string, string | undefined]>([
    [
      "the member connects a key without it",
      ({ person }) => connect(person(ANA), OWN_KEY),
      "A pessoa conectou uma chave por conta própria",
      OWN_KEY,
    ],
    [
      "the member disconnects",
      ({ services }) => disconnect(services),
      "A chave dessa pessoa foi desconectada",
      undefined,
    ],
    [
      "another admin disconnects the member",
      removedBy(BRUNO),
      "A chave dessa pessoa foi desconectada",
      undefined,
    ],
    [
      "another admin offers another key",
      ({ person }) => connect(person(BRUNO, { manager: true }), OTHERS_KEY, forAna),
      "Outra chave foi oferecida no lugar",
      ANA_KEY,
    ],
  ])("ends when %s, and the admin who offered it is told so once", async (_, end, title, key) => {
    const guild = await opened();
    const { id } = await guild.offer();
    await end(guild);
    expect(await mistakeIn(guild.direct.act(`conta:trocar:${id}`))).toBe("key_offer_gone");
    expect(await guild.keyOf()).toBe(key);
    await guild.delivered();
    const [ended, more] = guild.told(CARLA).map(({ text }) => text);
    expect(ended).toContain(title);
    expect(ended).toMatch(new RegExp(`<@${ANA}>[^]*Apaguei a( chave)? que você ofereceu`));
    expect(more).toBeUndefined();
  });

  test.each<[string, (guild: Opened) => Promise<unknown>]>([
    ["disconnects the member", removedBy(CARLA)],
    ["offers another key", ({ offer }) => offer(OTHERS_KEY)],
  ])("ends when the same admin %s, who is not told of the own act", async (_, end) => {
    const guild = await opened();
    const { id } = await guild.offer();
    await end(guild);
    await guild.delivered();
    expect(await guild.stores.keyOffers.find(id, guild.clock.now())).toBeUndefined();
    expect(guild.told(CARLA)).toEqual([]);
  });

  const whileChecked = ({ wallet }: Opened, then: () => Promise<unknown>) => {
    const answer = wallet.report;
    wallet.report = async (...asked) => {
      wallet.report = answer;
      await then();
      return await answer(...asked);
    };
  };
  test.each<[string, (guild: Opened, id: string) => Promise<unknown>, string | undefined]>([
    ["is refused", ({ direct }, id) => direct.act(`conta:negar:${id}`), ANA_KEY],
    ["loses its connection", ({ services }) => disconnect(services), undefined],
    ["gives way to an own key", ({ person }) => connect(person(ANA), OWN_KEY), OWN_KEY],
  ])("%s while its acceptance is checked, and is not taken then", async (_, then, key) => {
    const guild = await opened();
    const { id } = await guild.offer();
    whileChecked(guild, () => then(guild, id));
    expect(await mistakeIn(guild.direct.act(`conta:trocar:${id}`))).toBe("key_offer_gone");
    expect(await guild.keyOf()).toBe(key);
  });

  test("asks no question about a key that the member replaced while it was checked", async () => {
    const guild = await opened();
    whileChecked(guild, () => connect(guild.person(ANA), OWN_KEY));
    expect(await mistakeIn(guild.offer())).toBe("member_has_key");
    expect(guild.told(ANA)).toEqual([]);
  });

  test("of another wallet account says what is lost: when it is offered, and once it is accepted", async () => {
    const { offer, direct, told, wallet, stores, clock } = await opened();
    const { watchId } = (await stores.accounts.find(GUILD, ANA))!;
    const now = clock.now();
    await stores.accounts.chooseReport(GUILD, ANA, "channel", now);
    await stores.disputeWatch.keep(followedDispute(watchId, sampleDispute(), now), [], now);
    wallet.report = async () => ({ ...sampleReport(), userId: "user_2" });
    const { id } = await offer();
    const lost =
      /1 MED\*\* sem resposta, com prazo até <t:[^]*relatório diário\*\* e os \*\*fechamentos/;
    expect(told(ANA)[0]?.text).toMatch(/A chave nova é de outra conta/);
    expect(told(ANA)[0]?.text).toMatch(lost);
    const accepted = textOf(await direct.act(`conta:trocar:${id}`));
    expect(accepted).toMatch(/Esta chave é de outra conta/);
    expect(accepted).toMatch(lost);
    const ofSame = await offer("sk_test_third_0123456789");
    expect(textOf(await direct.act(`conta:trocar:${ofSame.id}`))).not.toContain("outra conta");
  });

  test("S2: of another wallet account waits while the last key follows a withdrawal", async () => {
    const { offer, direct, keyOf, told, wallet, stores, clock } = await opened();
    const { id: accountId, accountFp } = (await stores.accounts.find(GUILD, ANA))!;
    const op = await opIn(stores.journal, "unknown", { accountFp, accountId, ownerId: ANA });
    wallet.report = async () => ({ ...sampleReport(), userId: "user_2" });
    const { id, answer } = await offer();
    expect(textOf(answer)).not.toContain(op.id);
    await expect(direct.act(`conta:trocar:${id}`)).rejects.toMatchObject({
      reason: { kind: "withdrawal_unfinished", opId: op.id },
    });
    expect(await keyOf()).toBe(ANA_KEY);
    expect(told(CARLA)).toEqual([]);
    const completed = { to: "completed", change: { txid: "TX1" }, reason: "t" } as const;
    await stores.journal.move(op, completed, clock.now());
    await direct.act(`conta:trocar:${id}`);
    expect(await keyOf()).toBe(NEW_KEY);
  });

  test("S9: is a try of the admin who types it, and of the member who accepts it", async () => {
    const { offer, direct, keyOf, carla, person } = await opened();
    for (let typed = 0; typed < 4; typed++) await offer();
    const { id } = await offer();
    expect(await mistakeIn(connect(carla, NEW_KEY, forAna))).toBe("too_many_keys");
    for (let typed = 0; typed < 4; typed++) await connect(person(ANA, { guildId: GUILD }), ANA_KEY);
    expect(await mistakeIn(direct.act(`conta:trocar:${id}`))).toBe("key_offer_gone");
    expect(await keyOf()).toBe(ANA_KEY);
  });

  const UNREACHED = expect.stringMatching(
    /A pergunta não chegou[^]*Não consegui escrever a [^]*Apaguei a chave que você ofereceu[^]*\/conta conectar/,
  ) as string;

  test("ends where Discord refuses its question, and the admin is told once, with another way", async () => {
    const { offer, told, channels, clock, stores, deliver, delivered } = await opened();
    let opens = 0;
    channels.openMishap = () =>
      opens++ === 0 ? { kind: "unreachable_person", code: 50007 } : undefined;
    await offer();
    await delivered();
    expect(told(ANA)).toEqual([]);
    expect(await stores.keyOffers.ofGuild(GUILD, clock.now())).toEqual([]);
    clock.moveBy(KEY_OFFER_MS);
    await expireKeyOffers(stores, clock.now());
    await deliver();
    expect(told(CARLA).map(({ text }) => text)).toEqual([UNREACHED]);
  });

  test.each([
    ["did not take for a day", undefined],
    ["refused after a day", [{ kind: "unreachable_person", code: 50007 } as const]],
    ["would take after a day", []],
  ])("whose question Discord %s is not told as unanswered", async (_, refusals) => {
    const { offer, told, channels, clock, stores, deliver, delivered } = await opened();
    channels.openMishap = () => ({ kind: "throttled", retryAfterMs: 1000 });
    await offer();
    await delivered();
    clock.moveBy(KEY_OFFER_MS);
    const left = [...(refusals ?? [])];
    channels.openMishap = () => left.shift();
    if (refusals !== undefined) await deliver();
    await expireKeyOffers(stores, clock.now());
    await deliver();
    expect(told(ANA)).toEqual([]);
    expect(told(CARLA).map(({ text }) => text)).toEqual([UNREACHED]);
  });

  test.each<[string, (guild: Opened) => Promise<unknown>, string[]]>([
    ["expired", ({ stores, clock }) => expireKeyOffers(stores, clock.now()), []],
    [
      "gave way to the member's own key",
      ({ person }) => connect(person(ANA), "sk_test_own_123456789"),
      [],
    ],
    ["gave way to another", ({ offer }) => offer("sk_test_third_12345678stuv"), ["stuv"]],
  ])("that %s before Discord took its question is not asked about", async (_, end, asked) => {
    const guild = await opened();
    const { offer, channels, clock, deliver, told } = guild;
    channels.openMishap = () => ({ kind: "throttled", retryAfterMs: 1000 });
    await offer();
    clock.moveBy(KEY_OFFER_MS);
    channels.openMishap = undefined;
    await end(guild);
    await deliver();
    expect(told(ANA).map(({ text }) => /Chave nova[^]*…(\w+)/.exec(text)?.[1])).toEqual(asked);
  });

  test("loses the race against the member's own", async () => {
    const { services } = await opened();
    const request = connectRequest({ connectedBy: CARLA, apiKey: new Secret(NEW_KEY) });
    expect(await mistakeIn(services.accounts.connect(request))).toBe("member_has_key");
  });
});

test("buttons under the address of another wallet account are out of date, as a key is connected", async () => {
  const { person, wallet } = await opened();
  await person(ANA).command("conta webhook");
  const shown = (await person(ANA).command("conta webhook")) as Reply;
  const questions = Object.values(buttonsOf(shown));
  expect(questions).toHaveLength(2);
  const ends: string[] = [];
  for (const act of ["Trocar", "Desligar"]) {
    const question = await person(ANA).act(idOf(shown, act));
    ends.push(idOf(question, `${act} agora`));
  }
  wallet.report = async () => ({ ...sampleReport(), userId: "user_9913" });
  await connect(person(ANA), NEW_KEY);
  for (const button of [...questions, ...ends])
    expect(await mistakeIn(person(ANA).act(button))).toBe("outdated_component");
});
