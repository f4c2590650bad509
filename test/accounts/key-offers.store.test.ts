import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import type { Account } from "#src/accounts/account.ts";
import {
  KEY_OFFER_MS,
  type KeyOffer,
  type NewKeyOffer,
  type OfferEndNotice,
  offerQuestionKey,
} from "#src/accounts/wallet-key.ts";
import type { NewDelivery } from "#src/delivery/delivery.ts";
import { MINUTE } from "#src/shared/time.ts";
import { accountsStore } from "#src/stores.ts";
import { keyOffers } from "#src/accounts/key-offers.store.ts";
import { rotateKeys } from "#src/database/key-rotation.ts";
import { migrations } from "#src/database/migrations/index.ts";
import { outboxStore } from "#src/delivery/outbox.store.ts";
import { parseKeyRing } from "#src/database/encryption.ts";
import { openVault } from "#src/database/vault.ts";
import { databases, testRandom } from "../support/databases.ts";
import {
  ANA,
  anaKey,
  anaOtherKey,
  BRUNO,
  brunoKey,
  CARLA,
  GUILD,
  later,
  NOON,
  noticeTo,
  savedAccount,
} from "../database/builders.ts";
import { audited } from "../disputes/dispute-builders.ts";
import { OLD_ACCOUNT, openUpgraded } from "../database/old-database.ts";
import { ringLine, useStores, WALLET } from "../database/use-store.ts";
import { directChannel } from "../support/fake-channels.ts";
import * as people from "../support/guild.ts";
import { mistakeIn } from "../support/mistake-in.ts";
import { sampleReport } from "../support/samples.ts";

const toAna = (changes: Partial<NewKeyOffer> = {}): NewKeyOffer => ({
  guildId: GUILD,
  ownerId: ANA,
  askedBy: CARLA,
  locale: "pt-BR",
  askedAt: NOON,
  ...changes,
});
const question = ({ id, ownerId }: KeyOffer) => noticeTo(ownerId, `question ${id}`);
const told = noticeTo(CARLA, "told");
const endOf = ({ id, askedBy }: KeyOffer) => noticeTo(askedBy, `end ${id}`);
const unwritable = () => ({ ...told, target: undefined as never });
const notice = ({ id, ownerId }: Account) => noticeTo(ownerId, `first ${id}`);

/** Ana has a key, and Carla offers her another one of its account. */
const withOffer = async (): Promise<people.Guild> => {
  const guild = await people.openGuild();
  const forAna = { user: { membro: { id: people.ANA, bot: false, isMember: true } } };
  guild.wallet.report = async () => ({ ...sampleReport(), userId: "user_8812" });
  await people.connect(guild.person(people.ANA), people.ANA_KEY);
  const admin = guild.person(people.CARLA, { manager: true });
  await people.connect(admin, "sk_test_new_key_987654wxyz", forAna);
  return guild;
};

test("a key that the owner types is saved together with the end of an offer, or not at all", async () => {
  const guild = await withOffer();
  await sql`create trigger refuse before delete on pending_key
    begin select raise(abort, 'the disk is full'); end`.execute(guild.db);
  await expect(
    people.connect(guild.person(people.ANA), "sk_test_own_key_987654abcd"),
  ).rejects.toThrow();
  const account = await guild.stores.accounts.find(people.GUILD, people.ANA);
  expect(account?.keyLast4).toBe(people.ANA_KEY.slice(-4));
});

test("an offered key that the ring opens no more is led out of, and its admin told", async () => {
  const guild = await withOffer();
  const now = guild.clock.now();
  const [offer] = await guild.stores.keyOffers.ofGuild(people.GUILD, now);
  await guild.db.updateTable("pending_key").set({ api_key: "v1.lost.a.b.c" }).execute();
  const accepting = guild.person(people.ANA, { guildId: "" }).act(`conta:trocar:${offer!.id}`);
  expect(await mistakeIn(accepting)).toBe("key_offer_gone");
  expect(await guild.stores.keyOffers.ofGuild(people.GUILD, now)).toEqual([]);
  await guild.delivered();
  const news = guild.channels.inChannel(directChannel(people.CARLA)).map(({ text }) => text);
  expect(news[0]).toMatch(/não consigo mais ler a chave que você ofereceu/);
});

describe.each(databases)("S18: a key that an admin offers, on $name", (kind) => {
  const { store, accounts } = useStores(kind);
  const offers = (vault = store().vault) => keyOffers(store().db, vault);
  /** The member types a key. */
  const ownKey = (ownerId: string, offerNotice: OfferEndNotice) => {
    const typed = savedAccount({ ownerId, connectedAt: later(1) });
    const apiKey = ownerId === ANA ? anaKey : brunoKey;
    return accounts().save(typed, apiKey, undefined, undefined, undefined, offerNotice);
  };
  const outbox = () => outboxStore(store().db, async () => NOON);
  const connectAna = () => accounts().save(savedAccount(), anaKey);
  const offer = async (changes: Partial<NewKeyOffer> = {}, key = anaOtherKey) => {
    const kept = await offers().keep(toAna(changes), key, question, endOf);
    if (kept === undefined) throw new Error("Nothing was offered");
    return kept;
  };

  test("waits sealed beside the present key, with the question owed", async () => {
    await connectAna();
    const kept = await offer();
    expect(kept).toMatchObject({ ...toAna(), keyLast4: "bb66" });
    expect(kept.id).toMatch(/^[\w-]{22}$/);
    expect(await offers().find(kept.id, later(MINUTE))).toEqual(kept);
    expect(await offers().ofGuild(GUILD, NOON)).toEqual([kept]);
    expect((await offers().apiKey(kept.id))?.reveal()).toBe(anaOtherKey.reveal());
    expect(await outbox().state(`question ${kept.id}`)).toBe("due");
    expect((await accounts().findWithKey(GUILD, ANA))?.apiKey.reveal()).toBe(anaKey.reveal());
    expect(await audited(store().db)).toContain(`${CARLA} key_offered`);
  });

  test("is kept for nobody who has no key there", async () => {
    expect(await offers().keep(toAna(), anaOtherKey, question, endOf)).toBeUndefined();
    expect(await offers().ofGuild(GUILD, NOON)).toEqual([]);
  });

  test("opens as a key of no connection, and a connection's key as no offer", async () => {
    const { db, vault } = store();
    await connectAna();
    const { id } = await offer();
    const row = await db.selectFrom("pending_key").selectAll().executeTakeFirstOrThrow();
    expect(() => vault.open({ rowId: id, ownerId: ANA }, row.api_key)).toThrow(/cannot be opened/);
    const sealed = vault.seal({ rowId: id, ownerId: ANA }, anaKey);
    expect(() => vault.openPendingKey({ rowId: id, ownerId: ANA }, sealed)).toThrow(
      /cannot be opened/,
    );
  });

  test("takes the place of an earlier one to the same member, whose admin is told", async () => {
    await connectAna();
    const first = await offer();
    const second = await offer({ askedAt: later(MINUTE) }, brunoKey);
    expect(await offers().find(first.id, later(MINUTE))).toBeUndefined();
    expect(await offers().ofGuild(GUILD, later(MINUTE))).toEqual([second]);
    expect(await outbox().state(`end ${first.id}`)).toBe("due");
    expect(await outbox().state(`end ${second.id}`)).toBeUndefined();
  });

  test("is asked about no more where another one, or a key without it, takes its place", async () => {
    await connectAna();
    // Under the key by which its end finds it.
    const asking = (given: KeyOffer) => noticeTo(given.ownerId, offerQuestionKey(given.id));
    const first = await offers().keep(toAna(), anaOtherKey, asking, endOf);
    const second = await offers().keep(toAna(), brunoKey, asking, endOf);
    const states = () =>
      Promise.all([first, second].map((each) => outbox().state(offerQuestionKey(each?.id ?? ""))));
    expect(await states()).toEqual(["obsolete", "due"]);
    await ownKey(ANA, endOf);
    expect(await states()).toEqual(["obsolete", "obsolete"]);
  });

  test("gives way together with the notice to its admin, or not at all", async () => {
    await connectAna();
    const kept = await offer();
    const ways = [
      () => offers().keep(toAna(), brunoKey, question, unwritable),
      () => accounts().remove(GUILD, ANA, ANA, later(1), { offerNotice: unwritable }),
      () => ownKey(ANA, unwritable),
    ];
    for (const way of ways) {
      await expect(way()).rejects.toThrow(TypeError);
      expect(await offers().ofGuild(GUILD, NOON)).toEqual([kept]);
    }
    expect(await accounts().find(GUILD, ANA)).toBeDefined();
  });

  test("is over a day later, and erased with its admin told once", async () => {
    await connectAna();
    const kept = await offer();
    expect(await offers().expired(later(KEY_OFFER_MS - 1))).toEqual([]);
    expect(await offers().find(kept.id, later(KEY_OFFER_MS))).toBeUndefined();
    expect(await offers().ofGuild(GUILD, later(KEY_OFFER_MS))).toEqual([]);
    expect(await offers().expired(later(KEY_OFFER_MS))).toEqual([kept]);
    expect(await offers().end(kept, "expired", told, later(KEY_OFFER_MS))).toBe(true);
    expect(await offers().end(kept, "expired", told, later(KEY_OFFER_MS))).toBe(false);
    expect(await offers().apiKey(kept.id)).toBeUndefined();
    expect(await outbox().state("told")).toBe("due");
  });

  test.each(["accepted", "refused"] as const)("once %s is gone, on its record", async (how) => {
    await connectAna();
    const kept = await offer();
    await offers().end(kept, how, told, later(1));
    expect(await offers().expired(later(2 * KEY_OFFER_MS))).toEqual([]);
    expect(await audited(store().db)).toContain(`ana key_offer_${how}`);
  });

  test("replaces the present key and ends at once, or does neither once it has ended", async () => {
    await connectAna();
    const kept = await offer();
    const keyNow = async () => (await accounts().findWithKey(GUILD, ANA))?.apiKey.reveal();
    const accept = (notice: NewDelivery) =>
      accounts().saveAgreed({ offer: kept, notice }, savedAccount(), anaOtherKey, ANA);
    await expect(accept(unwritable())).rejects.toThrow(TypeError);
    expect(await offers().find(kept.id, NOON)).toEqual(kept);
    expect(await keyNow()).toBe(anaKey.reveal());
    expect(await accept(told)).toBeDefined();
    expect(await offers().find(kept.id, NOON)).toBeUndefined();
    expect(await outbox().state("told")).toBe("due");
    expect(await keyNow()).toBe(anaOtherKey.reveal());
    expect(await accept(noticeTo(CARLA, "again"))).toBeUndefined();
    expect(await outbox().state("again")).toBeUndefined();
  });

  test("is erased with the connection that it was to replace, and with no other", async () => {
    await connectAna();
    await accounts().save(savedAccount({ ownerId: BRUNO }), brunoKey);
    const ana = await offer();
    const bruno = await offer({ ownerId: BRUNO });
    await accounts().remove(GUILD, ANA, ANA, later(1), { offerNotice: endOf });
    expect(await offers().ofGuild(GUILD, NOON)).toEqual([bruno]);
    expect(await outbox().state(`end ${ana.id}`)).toBe("due");
    expect(await outbox().state(`end ${bruno.id}`)).toBeUndefined();
    await ownKey(BRUNO, endOf);
    expect(await offers().ofGuild(GUILD, NOON)).toEqual([]);
    expect(await outbox().state(`end ${bruno.id}`)).toBe("due");
  });

  test("ends alone, of several to one member in two servers and to another member", async () => {
    const elsewhere = "900000000000000002";
    await connectAna();
    await accounts().save(savedAccount({ guildId: elsewhere }), anaKey);
    await accounts().save(savedAccount({ ownerId: BRUNO }), brunoKey);
    const [ana, there] = [await offer(), await offer({ guildId: elsewhere })];
    const bruno = await offer({ ownerId: BRUNO });
    await ownKey(ANA, endOf);
    expect(await offers().find(ana.id, NOON)).toBeUndefined();
    expect(await offers().ofGuild(elsewhere, NOON)).toEqual([there]);
    expect(await offers().end(bruno, "refused", told, later(1))).toBe(true);
    expect(await offers().ofGuild(elsewhere, NOON)).toEqual([there]);
  });

  test("is sealed anew when the key ring changes", async () => {
    await connectAna();
    const { id } = await offer();
    const second = ringLine("second");
    const both = parseKeyRing(`${second}\n${ringLine("first")}`);
    const report = await rotateKeys(store().db, both, WALLET, testRandom);
    expect(report).toMatchObject({ rotated: 4, unreadable: [] });
    const vault = await openVault(store().db, parseKeyRing(second), WALLET, testRandom);
    expect((await offers(vault).apiKey(id))?.reveal()).toBe(anaOtherKey.reveal());
  });

  test("finds no way in where a first key alone may go", async () => {
    const first = await accounts().saveFirst(
      notice,
      savedAccount({ connectedBy: CARLA }),
      anaKey,
      ANA,
    );
    expect(first).toMatchObject({ connectedBy: CARLA });
    const again = savedAccount({ connectedBy: CARLA, connectedAt: later(1) });
    expect(await accounts().saveFirst(notice, again, anaOtherKey, ANA)).toBeUndefined();
    expect(await accounts().find(GUILD, ANA)).toEqual(first);
    const both = await Promise.all(
      [anaKey, anaOtherKey].map((key) =>
        accounts().saveFirst(notice, savedAccount({ ownerId: BRUNO }), key, BRUNO),
      ),
    );
    expect(both.filter((each) => each !== undefined)).toHaveLength(1);
  });

  test("and is a first one is kept with the notice to its owner, or not at all", async () => {
    const first = savedAccount({ connectedBy: CARLA });
    const noWords = () => {
      throw new Error("No words");
    };
    const untold = accounts().saveFirst(noWords, first, anaKey, ANA);
    await expect(untold).rejects.toThrow("No words");
    expect(await accounts().find(GUILD, ANA)).toBeUndefined();
    const kept = await accounts().saveFirst(notice, first, anaKey, ANA);
    expect(await outbox().state(`first ${kept?.id}`)).toBe("due");
  });
});

test.each(databases)(
  "a database of the version before offers on $name keeps its account, and takes an offer for it",
  async (kind) => {
    const before = Object.keys(migrations).indexOf("0007-people");
    const { db, vault } = await openUpgraded(kind, before);
    const accounts = accountsStore(db, vault);
    expect(await accounts.ofOwner(ANA)).toMatchObject([{ id: OLD_ACCOUNT, guildId: GUILD }]);
    expect(await keyOffers(db, vault).keep(toAna(), anaOtherKey, question, endOf)).toBeDefined();
    await accounts.remove(GUILD, ANA, ANA, later(1));
    expect(await keyOffers(db, vault).ofGuild(GUILD, NOON)).toEqual([]);
  },
);
