import { describe, expect, it } from "vitest";
import type { Account } from "#src/accounts/account.ts";
import { createLearnWallets } from "#src/accounts/learn-wallets.job.ts";
import { createWalletLearning } from "#src/reports/sales.service.ts";
import { WalletError, type WalletErrorKind } from "#src/shared/errors.ts";
import { anaKey, anaOtherKey, BRUNO, NOON, savedAccount } from "../database/builders.ts";
import { useStores } from "../database/use-store.ts";
import { databases, quietLog, standingClock } from "../support/databases.ts";
import { sampleReport } from "../support/samples.ts";

const ELSEWHERE = "900000000000000002";
const clock = standingClock(NOON.toString());
const { signal } = new AbortController();

describe.each(databases)("S2: connections of an older version on $name", (kind) => {
  const { store, accounts } = useStores(kind, clock);
  const connected = async () => {
    const unknown = { ownerVerified: false } as const;
    await accounts().save(savedAccount(unknown), anaKey);
    await accounts().save(savedAccount({ ...unknown, guildId: ELSEWHERE }), anaKey);
    await accounts().save(savedAccount({ ...unknown, ownerId: BRUNO }), anaOtherKey);
  };
  const job = (failing: WalletErrorKind[] = []) => {
    const asked: string[] = [];
    const learnWallets = createLearnWallets({
      clock,
      log: quietLog,
      unlearnt: accounts().unlearnt,
      readReport: async ({ keyFingerprint }: Account) => {
        asked.push(keyFingerprint);
        const failed = failing.shift();
        if (failed === undefined) return { ...sampleReport(), userId: "user_1" };
        throw new WalletError({ kind: failed, method: "GET", route: "/v1/sales/report" });
      },
      learn: createWalletLearning({ clock, log: quietLog, learn: accounts().learn }),
    });
    return { asked, run: () => learnWallets(signal) };
  };

  it("S2: are asked once for each key whose wallet account it is of", async () => {
    await connected();
    const { asked, run } = job();
    await run();
    await run();
    expect(new Set(asked).size).toBe(2);
    expect(asked).toHaveLength(2);
    const rows = await store().db.selectFrom("account").select(["account_fp"]).distinct().execute();
    expect(rows).toEqual([{ account_fp: store().vault.hashWalletUser("user_1") }]);
    expect(await accounts().unlearnt()).toEqual([]);
  });

  it("S2: are asked again after a failure that passes, and not after a refusal of the key", async () => {
    await connected();
    const { asked, run } = job(["timeout", "unauthorized"]);
    for (let times = 0; times < 4; times += 1) await run();
    expect(asked).toHaveLength(3);
    expect((await accounts().unlearnt()).length).toBeGreaterThan(0);
  });
});
