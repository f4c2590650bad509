import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import type { Database } from "#src/schema.ts";
import { answerIdOf, type RestoreCause } from "#src/withdrawals/restore/restore-hold.ts";
import { restoreHolds } from "#src/withdrawals/restore/restore-holds.store.ts";
import { externalWithdrawals } from "#src/withdrawals/wallet-observations.store.ts";
import { storedInstant } from "#src/database/columns.ts";
import { createGroupCommit } from "#src/database/group-commit.ts";
import { Secret } from "#src/shared/secret.ts";
import { pause } from "#src/shared/time.ts";
import { databases } from "../support/databases.ts";
import { NOON, savedAccount } from "./builders.ts";
import { useStore, testAccounts } from "./use-store.ts";

const GAP_MS = 100;
const gap = () => pause(GAP_MS);

const holdOf = (accountFp: string, cause: RestoreCause) => ({
  accountFp,
  first: 1,
  number: 1,
  cause,
  noticedAt: NOON,
  renewedAt: NOON,
  since: NOON,
  asked: undefined,
  told: new Set<string>(),
});

const useFakeTimeouts = (): void => {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
};

describe.each(databases)("what is committed together, on $name", (kind) => {
  const store = useStore(kind);
  const write = (name: string) => async (trx: Database) => {
    await trx.insertInto("meta").values({ name, value: "" }).execute();
    return name;
  };
  const kept = async (): Promise<readonly string[]> => {
    const rows = await store().db.selectFrom("meta").select("name").orderBy("name").execute();
    return rows.map(({ name }) => name).filter((name) => /^[a-z]$/.test(name));
  };

  test("gives each its own result", async () => {
    const together = createGroupCommit(store().db);
    expect(await Promise.all(["a", "b", "c"].map((name) => together(write(name))))).toEqual([
      "a",
      "b",
      "c",
    ]);
    expect(await kept()).toEqual(["a", "b", "c"]);
  });

  test("loses nothing by one that fails, which fails alone and leaves nothing", async () => {
    const together = createGroupCommit(store().db);
    const failing = async (trx: Database): Promise<never> => {
      await write("x")(trx);
      throw new Error("refused");
    };
    const results = await Promise.allSettled([
      together(write("a")),
      together(write("b")),
      together(failing),
      together(write("c")),
    ]);
    expect(results.map(({ status }) => status)).toEqual([
      "fulfilled",
      "fulfilled",
      "rejected",
      "fulfilled",
    ]);
    expect(await kept()).toEqual(["a", "b", "c"]);
  });

  test("ends no hold by a reading that is older than the question of another", async () => {
    const { db } = store();
    const holds = restoreHolds(db, createGroupCommit(db, gap));
    const hold = holdOf("account-1", "restored");
    const answerId = answerIdOf(hold, "newer", ["t1"]);
    const question = { why: "newer", txids: ["t1"], answerId } as const;
    await db
      .insertInto("database_restore")
      .values({ number: 1, cause: "restored", noticed_at: storedInstant(NOON) })
      .execute();
    await holds.ask(hold, question, NOON, []);
    expect(await holds.clear(hold, NOON, [])).toBe(false);
    const asked = await holds.findAsked(answerId);
    expect(asked?.asked).toEqual(question);
    expect(await holds.clear(asked!, NOON, [])).toBe(true);
    await holds.ask(hold, question, NOON, []);
    expect(await holds.find("account-1", undefined)).toBeUndefined();
  });
});

describe("commits on SQLite", () => {
  const [sqlite] = databases;
  const store = useStore(sqlite!);
  let workedMs = 0;
  beforeEach(() => {
    const clock = vi.spyOn(performance, "now").mockImplementation(() => workedMs);
    onTestFinished(() => clock.mockRestore());
  });

  test("come at once, and then in their distance, with all that came in between", async () => {
    useFakeTimeouts();
    const commits = vi.spyOn(store().db, "transaction");
    const together = createGroupCommit(store().db, gap);
    await together(async () => {});
    const rest = Promise.all(Array.from({ length: 20 }, () => together(async () => {})));
    await vi.advanceTimersByTimeAsync(GAP_MS - 1);
    expect(commits).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1);
    await rest;
    expect(commits).toHaveBeenCalledTimes(2);
  });

  test("come before the end of their distance when somebody waits for one", async () => {
    useFakeTimeouts();
    const gaps: boolean[] = [];
    const together = createGroupCommit(store().db, async (isAwaited) => {
      gaps.push(isAwaited);
      await gap();
    });
    await together(async () => {});
    await vi.waitUntil(() => gaps.length > 0);
    const written = together(async () => "written");
    expect(await together(async () => "awaited", "awaited")).toBe("awaited");
    expect(await written).toBe("written");
    expect(gaps).toEqual([false, true]);
  });

  test("of very many give the event loop a turn between them", async () => {
    const commits = vi.spyOn(store().db, "transaction");
    const together = createGroupCommit(store().db);
    const turns: number[] = [];
    const turn = (): NodeJS.Immediate =>
      setImmediate(() => turns.push(commits.mock.calls.length) < 3 && turn());
    turn();
    const all = Array.from({ length: 100 }, (_, index) =>
      together(async () => {
        workedMs += 1;
        return index;
      }),
    );
    expect(await Promise.all(all)).toEqual(Array.from({ length: 100 }, (_, index) => index));
    // Ten milliseconds of work each.
    expect(commits).toHaveBeenCalledTimes(10);
    expect(turns[0]).toBeLessThan(5);
  });

  test("share one transaction among all accounts compared after a restore", async () => {
    const { db, vault } = store();
    const together = createGroupCommit(db);
    const [holds, external] = [restoreHolds(db, together), externalWithdrawals(db, together)];
    const accounts: string[] = [];
    for (let index = 0; index < 10; index++) {
      const connection = savedAccount({ guildId: String(index) });
      const key = new Secret(`sk_sandbox_${index}`);
      accounts.push((await testAccounts(db, vault).save(connection, key)).accountFp);
    }
    const commits = vi.spyOn(db, "transaction").mockClear();
    await Promise.all(
      accounts.flatMap((accountFp) => [
        holds.clear(holdOf(accountFp, "gap"), NOON, []),
        external.observe(accountFp, ["t1"], NOON, () => []),
      ]),
    );
    expect(commits).toHaveBeenCalledTimes(1);
    expect(await db.selectFrom("restore_check").select("cleared").execute()).toHaveLength(10);
    expect(await db.selectFrom("ghost_seen").select("txid").execute()).toHaveLength(10);
  });

  test("keep nobody waiting after looks", async () => {
    useFakeTimeouts();
    const together = createGroupCommit(store().db, gap);
    for (const each of [1, 2, 3]) expect(await together(async () => each, "poll")).toBe(each);
  });
});
