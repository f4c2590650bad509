import { describe, expect, test } from "vitest";
import { storedInstant } from "#src/database/columns.ts";
import { DAY, HOUR, MINUTE, SECOND } from "#src/shared/time.ts";
import { TRUST_MS } from "#src/webhooks/call-trust.ts";
import { webhookStore } from "#src/webhooks/webhooks.store.ts";
import { databases } from "../support/databases.ts";
import {
  ANA,
  anaKey,
  anaOtherKey,
  BRUNO,
  brunoKey,
  GUILD,
  later,
  NOON,
  noticeTo,
  savedAccount,
} from "../database/builders.ts";
import { useStores } from "../database/use-store.ts";
import { ANA as SELLER, ANA_KEY, connect, openGuild } from "../support/guild.ts";

const OTHER_GUILD = "900000000000000002";
const of = { accountFp: "fp-ana", ownerId: ANA };

describe.each(databases)("webhooks on $name", (kind) => {
  const { store, accounts } = useStores(kind);
  const webhooks = () => webhookStore(store().db);
  const restore = (number: number, cause: "restored" | "gap") =>
    store()
      .db.insertInto("database_restore")
      .values({ number, cause, noticed_at: storedInstant(NOON) })
      .execute();

  test("take calls from when they are made, and tell when the last one came", async () => {
    expect(await webhooks().find(of)).toBeUndefined();
    expect(await webhooks().called("hash-1", NOON)).toBeUndefined();
    await webhooks().make(of, "hash-1", NOON);
    const made = { madeAt: NOON, lastCallAt: undefined, isFromCopy: false };
    expect(await webhooks().find(of)).toEqual(made);
    expect(await webhooks().called("hash-1", later(5))).toBe("fp-ana");
    expect(await webhooks().find(of)).toEqual({ ...made, lastCallAt: later(5) });
  });

  test("end when they are replaced or removed, and others of the account go on", async () => {
    const bruno = { ...of, ownerId: BRUNO };
    await webhooks().make(of, "hash-1", NOON);
    await webhooks().make(bruno, "hash-b", NOON);
    await webhooks().make(of, "hash-2", later(1), NOON);
    expect(await webhooks().called("hash-1", later(2))).toBeUndefined();
    expect(await webhooks().called("hash-2", later(2))).toBe("fp-ana");
    expect(await webhooks().remove(of, later(1), later(3))).toBe(true);
    expect(await webhooks().remove(of, later(1), later(4))).toBe(false);
    expect(await webhooks().called("hash-2", later(5))).toBeUndefined();
    expect(await webhooks().called("hash-b", later(5))).toBe("fp-ana");
    const audit = await store().db.selectFrom("audit_event").select("action").execute();
    expect(audit.map(({ action }) => action).toSorted()).toEqual([
      "webhook_made",
      "webhook_made",
      "webhook_made",
      "webhook_removed",
    ]);
  });

  test("replaced at once by answers to one question are replaced by the first alone", async () => {
    await webhooks().make(of, "old", NOON);
    const hashes = ["new1", "new2"];
    const made = await Promise.all(hashes.map((hash) => webhooks().make(of, hash, later(1), NOON)));
    expect(made.filter(Boolean)).toEqual([true]);
    const calls = await Promise.all(hashes.map((hash) => webhooks().called(hash, later(2))));
    expect(calls).toEqual(made.map((isMade) => (isMade ? "fp-ana" : undefined)));
  });

  test("made for the first time twice at once are one", async () => {
    for (let round = 0; round < 10; round += 1) {
      const first = { ...of, accountFp: `fp-${round}` };
      const made = await Promise.all(
        ["a", "b"].map((hash) => webhooks().make(first, `${hash}${round}`, NOON)),
      );
      expect(made.filter((isMade) => isMade)).toHaveLength(1);
    }
  });

  test("removed while they are replaced are either removed or replaced, and a new one stays", async () => {
    for (let round = 0; round < 10; round += 1) {
      await webhooks().make(of, `old${round}`, NOON);
      const [isReplaced, isRemoved] = await Promise.all([
        webhooks().make(of, `new${round}`, later(1), NOON),
        webhooks().remove(of, NOON, later(1)),
      ]);
      expect(isRemoved).toBe(!isReplaced);
      expect(await webhooks().remove(of, later(1), later(2))).toBe(isReplaced);
    }
  });

  test("from before a restore stay silent until they are replaced", async () => {
    await webhooks().make(of, "hash-1", NOON);
    await restore(1, "gap");
    expect(await webhooks().called("hash-1", later(1))).toBe("fp-ana");
    await restore(2, "restored");
    expect(await webhooks().called("hash-1", later(2))).toBeUndefined();
    expect((await webhooks().find(of))?.isFromCopy).toBe(true);
    await webhooks().make(of, "hash-2", later(3), NOON);
    expect(await webhooks().called("hash-2", later(4))).toBe("fp-ana");
    expect((await webhooks().find(of))?.isFromCopy).toBe(false);
  });

  test("learn that calls announce the news of one subject, for all processes", async () => {
    await webhooks().make(of, "hash-1", NOON);
    const announce = async (ms: number) => {
      await webhooks().called("hash-1", later(ms));
      return await webhooks().foundNews("fp-ana", "sales", later(ms + SECOND));
    };
    expect(await announce(0)).toBeUndefined();
    const until = later(HOUR + SECOND + TRUST_MS);
    expect(await announce(HOUR)).toEqual(until);
    const trusted = [{ accountFp: "fp-ana", subject: "sales", until }];
    expect(await webhookStore(store().db).trusted(later(2 * HOUR))).toEqual(trusted);
    expect(await webhooks().trusted(until)).toEqual([]);
    expect(await webhooks().foundNews("fp-ana", "sales", later(3 * HOUR))).toBeUndefined();
    expect(await webhooks().trusted(later(3 * HOUR))).toEqual([]);
    await webhooks().called("hash-1", later(3 * HOUR + MINUTE));
    expect(await webhooks().trusted(later(3 * HOUR + MINUTE))).toHaveLength(1);
  });

  test.each([
    ["hash-1", "hash-b"],
    ["hash-b", "hash-1"],
  ])("announce news though another address of the account rests (%s, %s)", async (rests, calls) => {
    await webhooks().make(of, "hash-1", NOON);
    await webhooks().make({ ...of, ownerId: BRUNO }, "hash-b", NOON);
    await webhooks().called(rests, NOON);
    for (const at of [HOUR, 2 * HOUR]) {
      await webhooks().called(calls, later(at));
      await webhooks().foundNews("fp-ana", "sales", later(at + SECOND));
    }
    expect(await webhooks().trusted(later(3 * HOUR))).toHaveLength(1);
  });

  test("that come often, about sales, prove nothing about MEDs among them", async () => {
    await webhooks().make(of, "hash-1", NOON);
    for (let minutes = 0; minutes < 180; minutes += 2) {
      await webhooks().called("hash-1", later(minutes * MINUTE));
      const at = later(minutes * MINUTE + SECOND);
      await webhooks().foundNews("fp-ana", "sales", at);
      if (minutes % 60 === 58) await webhooks().foundNews("fp-ana", "disputes", at);
    }
    const proven = await webhooks().trusted(later(3 * HOUR));
    expect(proven.map(({ subject }) => subject)).toEqual(["sales"]);
    for (const hours of [5, 7]) {
      await webhooks().called("hash-1", later(hours * HOUR));
      await webhooks().foundNews("fp-ana", "disputes", later(hours * HOUR + SECOND));
    }
    expect(await webhooks().trusted(later(8 * HOUR))).toHaveLength(2);
  });

  test("that come often, about sales, announce no MED that a look found a moment before", async () => {
    await webhooks().make(of, "hash-1", NOON);
    for (const hours of [1, 2]) {
      await webhooks().called("hash-1", later(hours * HOUR - 5 * MINUTE));
      await webhooks().foundNews("fp-ana", "disputes", later(hours * HOUR));
      await webhooks().called("hash-1", later(hours * HOUR + SECOND));
    }
    expect(await webhooks().trusted(later(3 * HOUR))).toEqual([]);
  });

  test("are trusted anew after they were replaced, and no more after a restore", async () => {
    const trust = async (hash: string, ms: number): Promise<number> => {
      for (const each of [ms, ms + HOUR]) {
        await webhooks().called(hash, later(each));
        await webhooks().foundNews("fp-ana", "sales", later(each));
      }
      return (await webhooks().trusted(later(ms + HOUR))).length;
    };
    await webhooks().make(of, "hash-1", NOON);
    expect(await trust("hash-1", 0)).toBe(1);
    await webhooks().make(of, "hash-2", later(2 * HOUR), NOON);
    expect(await webhooks().trusted(later(2 * HOUR))).toEqual([]);
    expect(await trust("hash-2", 3 * HOUR)).toBe(1);
    await restore(1, "restored");
    expect(await webhooks().trusted(later(4 * HOUR))).toEqual([]);
  });

  test("are known to have been trusted, for a start after their time and after a restore", async () => {
    await webhooks().make(of, "hash-1", NOON);
    expect(await webhooks().onceTrusted()).toEqual([]);
    for (const each of [0, HOUR]) {
      await webhooks().called("hash-1", later(each));
      await webhooks().foundNews("fp-ana", "sales", later(each));
    }
    await restore(1, "restored");
    expect(await webhooks().trusted(later(2 * DAY))).toEqual([]);
    expect(await webhooks().onceTrusted()).toEqual([{ accountFp: "fp-ana", subject: "sales" }]);
  });

  test("prove nothing about accounts that are never called", async () => {
    await webhooks().make(of, "hash-1", NOON);
    await webhooks().foundNews("fp-ana", "sales", NOON);
    await webhooks().foundNews("fp-other", "sales", NOON);
    expect(await store().db.selectFrom("webhook_trust").selectAll().execute()).toEqual([]);
  });

  test("of an owner whose keys are refused are silent while another owner's key works", async () => {
    const ana = await accounts().save(savedAccount(), anaKey, "seller");
    const theirs = savedAccount({ ownerId: BRUNO });
    const bruno = await accounts().save(theirs, brunoKey, "seller");
    await webhooks().make(bruno, "hash-b", NOON);
    await accounts().pause(bruno.id, NOON, noticeTo(BRUNO, "refused"));
    expect(await webhooks().called("hash-b", later(1))).toBeUndefined();
    await accounts().pause(ana.id, NOON, noticeTo(ANA, "refused too"));
    expect(await webhooks().called("hash-b", later(2))).toBe(bruno.accountFp);
    await accounts().resume(bruno.id);
    expect(await webhooks().called("hash-b", later(3))).toBe(bruno.accountFp);
  });

  test.each<[string, (connection: { readonly id: string }) => Promise<unknown>]>([
    ["has disconnected", () => accounts().remove(GUILD, BRUNO, BRUNO, later(2 * HOUR))],
    ["has refused keys", ({ id }) => accounts().pause(id, NOON, noticeTo(BRUNO, "refused"))],
  ])(
    "are trusted no more once who was called %s, though another has an address",
    async (...row) => {
      const [, end] = row;
      const ana = await accounts().save(savedAccount(), anaKey, "seller");
      const bruno = await accounts().save(savedAccount({ ownerId: BRUNO }), brunoKey, "seller");
      await webhooks().make(ana, "hash-a", NOON);
      await webhooks().make(bruno, "hash-b", NOON);
      for (const ms of [0, HOUR]) {
        await webhooks().called("hash-b", later(ms));
        await webhooks().foundNews(bruno.accountFp, "sales", later(ms));
      }
      const trusted = async () => (await webhooks().trusted(later(2 * HOUR))).length;
      expect(await trusted()).toBe(1);
      await end(bruno);
      expect(await trusted()).toBe(0);
    },
  );

  test("go with the owner's last connection to the wallet account", async () => {
    const { accountFp } = await accounts().save(savedAccount(), anaKey, ANA);
    await accounts().save(savedAccount({ guildId: OTHER_GUILD }), anaKey, ANA);
    await webhooks().make({ accountFp, ownerId: ANA }, "hash-1", NOON);
    await webhooks().called("hash-1", NOON);
    await webhooks().foundNews(accountFp, "sales", NOON);
    await accounts().remove(GUILD, ANA, ANA, later(1));
    expect(await webhooks().called("hash-1", later(2))).toBe(accountFp);
    await accounts().remove(OTHER_GUILD, ANA, ANA, later(3));
    expect(await webhooks().called("hash-1", later(4))).toBeUndefined();
    expect(await store().db.selectFrom("webhook_trust").selectAll().execute()).toEqual([]);
  });

  test("of one owner's two wallet accounts are replaced and go each by itself", async () => {
    const kept = await accounts().save(savedAccount(), anaKey, "one");
    const gone = await accounts().save(savedAccount({ guildId: OTHER_GUILD }), anaOtherKey, "two");
    await webhooks().make(kept, "hash-1", NOON);
    await webhooks().make(gone, "hash-2", NOON);
    expect(await webhooks().called("hash-1", later(1))).toBe(kept.accountFp);
    await accounts().remove(OTHER_GUILD, ANA, ANA, later(2));
    expect(await webhooks().called("hash-2", later(3))).toBeUndefined();
    expect(await webhooks().called("hash-1", later(3))).toBe(kept.accountFp);
  });

  test("of others stay, with the trust in their calls, where one is replaced and goes", async () => {
    const ana = await accounts().save(savedAccount(), anaKey, "ana");
    const bruno = await accounts().save(savedAccount({ ownerId: BRUNO }), brunoKey, "bruno");
    for (const [account, hash] of [
      [ana, "hash-a"],
      [bruno, "hash-b"],
    ] as const) {
      await webhooks().make(account, hash, NOON);
      await webhooks().called(hash, NOON);
      await webhooks().foundNews(account.accountFp, "sales", NOON);
    }
    const trust = () => store().db.selectFrom("webhook_trust").select("account_fp").execute();
    expect(await trust()).toHaveLength(2);
    await webhooks().make(ana, "hash-2", later(1), NOON);
    expect(await trust()).toEqual([{ account_fp: bruno.accountFp }]);
    await accounts().remove(GUILD, ANA, ANA, later(2));
    expect(await webhooks().called("hash-b", later(3))).toBe(bruno.accountFp);
    expect(await trust()).toEqual([{ account_fp: bruno.accountFp }]);
  });

  test("stay when the key is replaced by another of the account, and go with another account's", async () => {
    const { accountFp } = await accounts().save(savedAccount(), anaKey, ANA);
    await webhooks().make({ accountFp, ownerId: ANA }, "hash-1", NOON);
    await accounts().save(savedAccount({ connectedAt: later(1) }), anaOtherKey, ANA);
    expect(await webhooks().called("hash-1", later(2))).toBe(accountFp);
    const other = savedAccount({ connectedAt: later(3), ownerVerified: false });
    await accounts().save(other, brunoKey, "another-account");
    expect(await webhooks().called("hash-1", later(4))).toBeUndefined();
  });

  test("keep no secret, only its hash", async () => {
    await webhooks().make(of, store().vault.webhook.hash("a-secret"), NOON);
    const rows = JSON.stringify(await store().db.selectFrom("webhook").selectAll().execute());
    expect(rows).not.toContain("a-secret");
  });
});

test("a first address that two devices ask for at once is shown to one, and the other reads its state", async () => {
  const { person } = await openGuild();
  await connect(person(SELLER), ANA_KEY);
  const answers = await Promise.all([1, 2].map(() => person(SELLER).command("conta webhook")));
  const texts = answers.map((answer) => JSON.stringify(answer));
  expect(texts.filter((text) => text.includes("/ganchos/"))).toHaveLength(1);
  expect(texts.filter((text) => text.includes("gancho-perguntar-troca"))).toHaveLength(1);
});
