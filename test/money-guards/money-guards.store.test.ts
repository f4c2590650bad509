import { describe, expect, test } from "vitest";
import { guardsInForce, type MoneyGuards } from "#src/money-guards/money-guards.ts";
import { DAY, HOUR, MINUTE } from "#src/shared/time.ts";
import { cents } from "#src/shared/money.ts";
import { guardsStore } from "#src/money-guards/money-guards.store.ts";
import { pixKeyBook } from "#src/withdrawals/pix-key-book.store.ts";
import { databases } from "../support/databases.ts";
import { ANA, BRUNO, later, NOON, noticeTo } from "../database/builders.ts";
import { useStore } from "../database/use-store.ts";

const MOST = 5;
const RULE = { tries: MOST, waitsMs: [MINUTE, HOUR, DAY] };
const CLICKS = 24;

const guardsOf = (changes: Partial<MoneyGuards> = {}): MoneyGuards => ({
  ...guardsInForce(undefined, ANA, NOON),
  ...changes,
});

const pin = {
  hash: "hash-of-the-pin",
  salt: "salt",
  wrongTries: 0,
  lockedUntil: undefined,
  endsAt: undefined,
} as const;

describe.each(databases)("money guards on $name", (kind) => {
  const store = useStore(kind);
  const guards = () => guardsStore(store().db);
  const set = async (after: MoneyGuards, before?: MoneyGuards) =>
    guards().save(before, after, "daily_cap_set", NOON, []);
  const tries = async () => (await guards().find(ANA))?.pin;
  const noticeOf = (until: Temporal.Instant) => noticeTo(ANA, `pin_locked|${until.toString()}`);
  const tryAt = (at: Temporal.Instant, ownerId = ANA) =>
    guards().reservePinTry(ownerId, RULE, at, noticeOf);
  const kindAt = async (at: Temporal.Instant) => (await tryAt(at)).kind;
  const lockAt = async (at: Temporal.Instant) => {
    for (let index = 0; index < MOST; index += 1) await tryAt(at);
    return (await tries())?.lockedUntil?.since(at).total("milliseconds");
  };

  test("come back as they were saved, with the audit and the notices", async () => {
    const whole = guardsOf({
      lockedAt: NOON,
      unlockAt: later(DAY),
      pin: { ...pin, endsAt: later(2 * DAY) },
      dailyCap: cents(100_000),
      pendingCap: { cap: cents(200_000), from: later(DAY) },
      newKeyWait: true,
      newKeyWaitEndsAt: later(3),
    });
    const notices = [noticeTo(ANA, "guard|1"), noticeTo(BRUNO, "guard|2")];
    expect(await guards().save(undefined, whole, "money_locked", NOON, notices)).toBe(true);
    expect(await guards().find(ANA)).toEqual(whole);
    expect(await guards().find(BRUNO)).toBeUndefined();
    const { db } = store();
    const audit = await db.selectFrom("audit_event").selectAll().execute();
    expect(audit).toMatchObject([{ actor: ANA, action: "money_locked", subject: ANA }]);
    expect(await db.selectFrom("outbox").select("dedupe_key").execute()).toHaveLength(2);
  });

  test("tell the end of a cap that waits from none that waits", async () => {
    const ending = guardsOf({ dailyCap: cents(1), pendingCap: { cap: undefined, from: NOON } });
    await set(ending);
    expect(await guards().find(ANA)).toEqual(ending);
    expect(await set(guardsOf(), ending)).toBe(true);
    expect(await guards().find(ANA)).toEqual(guardsOf());
  });

  test("are not saved over what changed meanwhile", async () => {
    await set(guardsOf({ dailyCap: cents(1) }));
    const read = await guards().find(ANA);
    await set(guardsOf({ dailyCap: cents(2), lockedAt: NOON }), read);
    expect(await set(guardsOf({ dailyCap: cents(3) }), read)).toBe(false);
    expect(await set(guardsOf({ dailyCap: cents(3) }))).toBe(false);
    expect(await guards().find(ANA)).toEqual(guardsOf({ dailyCap: cents(2), lockedAt: NOON }));
    const gone = guardsOf({ ownerId: BRUNO });
    expect(await set(gone, gone)).toBe(false);
  });

  test.each(["first", "later"] as const)(
    "saved by many at once %s are saved once",
    async (when) => {
      const before = when === "first" ? undefined : guardsOf({ dailyCap: cents(1) });
      if (before) await set(before);
      const saved = await Promise.all(
        Array.from({ length: CLICKS }, (_, index) => {
          const after = guardsOf({ dailyCap: cents(index + 10) });
          return guards().save(before, after, "daily_cap_set", NOON, [noticeTo(ANA, `g|${index}`)]);
        }),
      );
      expect(saved.filter(Boolean)).toHaveLength(1);
      expect((await guards().find(ANA))?.dailyCap).toBe(saved.indexOf(true) + 10);
      const owed = await store().db.selectFrom("outbox").select("dedupe_key").execute();
      expect(owed).toEqual([{ dedupe_key: `g|${saved.indexOf(true)}` }]);
    },
  );

  test("give so many tries of the PIN and no more, however many come at once", async () => {
    await set(guardsOf({ pin }));
    const reserved = await Promise.all(Array.from({ length: CLICKS }, () => tryAt(NOON)));
    const looks = reserved.filter(({ kind }) => kind === "look");
    expect(looks).toHaveLength(MOST);
    expect(await tries()).toMatchObject({ wrongTries: MOST });
    expect((await tries())?.lockedUntil?.equals(later(MINUTE))).toBe(true);
    expect(await tryAt(later(MINUTE - 1))).toEqual({
      kind: "locked",
      lockedUntil: later(MINUTE),
    });
    const owed = await store().db.selectFrom("outbox").select("dedupe_key").execute();
    expect(owed).toEqual([{ dedupe_key: noticeOf(later(MINUTE)).dedupeKey }]);
  });

  test("count, lock and forget the tries of each owner alone", async () => {
    for (const ownerId of [ANA, BRUNO]) await set(guardsOf({ ownerId, pin }));
    await lockAt(NOON);
    expect(await tryAt(NOON, BRUNO)).toMatchObject({ kind: "look", triesLeft: MOST - 1 });
    await guards().clearPinTries(BRUNO);
    expect(await kindAt(NOON)).toBe("locked");
  });

  test("begin the count anew when the lock is over", async () => {
    await set(guardsOf({ pin }));
    await lockAt(NOON);
    expect(await tryAt(later(MINUTE))).toEqual({
      kind: "look",
      triesLeft: MOST - 1,
      lockedUntil: undefined,
    });
    expect(await tries()).toMatchObject({ wrongTries: 1, lockedUntil: undefined });
  });

  test("S9: lock the PIN for longer each time, until the right one was given", async () => {
    await set(guardsOf({ pin }));
    expect(await lockAt(NOON)).toBe(MINUTE);
    expect(await lockAt(later(MINUTE))).toBe(HOUR);
    expect(await lockAt(later(2 * HOUR))).toBe(DAY);
    expect(await lockAt(later(3 * DAY))).toBe(DAY);
    const { db } = store();
    expect(await db.selectFrom("outbox").select("dedupe_key").execute()).toHaveLength(4);
    await guards().clearPinTries(ANA);
    expect(await lockAt(later(5 * DAY))).toBe(MINUTE);
  });

  test("S9: forget the locks of a PIN with the PIN", async () => {
    await set(guardsOf({ pin }));
    await lockAt(NOON);
    const read = await guards().find(ANA);
    await set(guardsOf({ pin: { ...pin, hash: "another" } }), read);
    expect(await lockAt(later(DAY))).toBe(MINUTE);
  });

  test("forget the tries after the right one, and have none without a PIN", async () => {
    await set(guardsOf({ pin }));
    await tryAt(NOON);
    await guards().clearPinTries(ANA);
    expect(await tries()).toEqual(pin);
    await set(guardsOf(), await guards().find(ANA));
    expect(await kindAt(NOON)).toBe("no_pin");
    expect(await tryAt(NOON, BRUNO)).toEqual({ kind: "no_pin" });
  });

  test("take no try back when something else is saved, and all when the PIN changes", async () => {
    await set(guardsOf({ pin }));
    const read = await guards().find(ANA);
    await tryAt(NOON);
    await tryAt(NOON);
    const capped = { ...read!, dailyCap: cents(5) };
    expect(await set(capped, read)).toBe(true);
    expect(await tries()).toMatchObject({ wrongTries: 2 });
    expect(await set({ ...capped, pin: { ...pin, hash: "another" } }, capped)).toBe(true);
    expect(await tries()).toMatchObject({ hash: "another", wrongTries: 0 });
  });

  test("forget, as the wait of new keys begins, keys only typed by their owner, no saved and no other's", async () => {
    const { db, vault } = store();
    const book = pixKeyBook(db, vault);
    const keyOf = (hash: string) => ({ hash, type: "email", masked: "b***@e***" }) as const;
    const value = "bruno@example.com";
    await book.save(ANA, { ...keyOf("saved"), value }, NOON);
    await book.noteSeen(ANA, keyOf("typed"), NOON);
    await book.noteSeen(BRUNO, keyOf("typed"), NOON);

    const waits = guardsOf({ newKeyWait: true });
    await guards().save(undefined, waits, "new_key_wait_set", later(DAY), []);
    const left = await db
      .selectFrom("pix_key")
      .select(["owner_id", "hash"])
      .orderBy("hash")
      .execute();
    expect(left).toEqual([
      { owner_id: ANA, hash: "saved" },
      { owner_id: BRUNO, hash: "typed" },
    ]);
  });

  test("take the audit and the change back when a notice cannot be kept", async () => {
    const notBefore = Temporal.Instant.from("-000001-01-01T00:00Z");
    const unwritable = { ...noticeTo(ANA, "g|1"), notBefore };
    const saving = guards().save(undefined, guardsOf(), "pin_set", NOON, [unwritable]);
    await expect(saving).rejects.toThrow(RangeError);
    expect(await guards().find(ANA)).toBeUndefined();
    expect(await store().db.selectFrom("audit_event").selectAll().execute()).toEqual([]);
  });
});
