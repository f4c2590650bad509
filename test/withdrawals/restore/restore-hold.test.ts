import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareWithJournal } from "#src/withdrawals/restore/restore-hold.ts";
import type { ListedWithdrawal } from "#src/withdrawals/withdrawal.ts";
import { storedInstant } from "#src/database/columns.ts";
import { restoreHolds } from "#src/withdrawals/restore/restore-holds.store.ts";
import { DAY, HOUR, MINUTE } from "#src/shared/time.ts";
import { brunoKey, later, noticeTo, NOON } from "../../database/builders.ts";
import { useQueryPlans } from "../../database/query-plans.ts";
import { standingClock } from "../../support/databases.ts";
import {
  actor,
  ANA,
  BRUNO,
  connect,
  disconnect,
  ghostsOf,
  listInSmall,
  look,
  type MoneyStage,
  openMoneyStage,
  order,
  refusal,
  restore,
} from "../money-stage.ts";
import { ACCOUNT } from "../withdraw-builders.ts";

const SINCE = Temporal.Instant.from("2026-11-20T12:00:00Z");

/** The service's clock minus ours, in truth and as the answer's time told it. */
interface Skew {
  readonly trueMs: number;
  readonly measuredMs: number | undefined;
}

/** A clock that was measured may be hours off; one that was not is taken for nearly right. */
const skews: fc.Arbitrary<Skew> = fc.oneof(
  fc.integer({ min: -6 * HOUR, max: 6 * HOUR }).map((trueMs) => ({ trueMs, measuredMs: trueMs })),
  fc
    .integer({ min: -4 * MINUTE, max: 4 * MINUTE })
    .map((trueMs) => ({ trueMs, measuredMs: undefined })),
);

/** A withdrawal at the service, and how the bot knows it: read in the list before the copy, or claimed since. */
interface Made {
  readonly afterMs: number;
  readonly dated: boolean;
  readonly by: "seen" | "claimed" | "nobody";
}

const made: fc.Arbitrary<Made> = fc.record({
  afterMs: fc.oneof(
    fc.integer({ min: -6 * HOUR, max: 6 * HOUR }),
    fc.integer({ min: -5 * MINUTE, max: 5 * MINUTE }),
  ),
  dated: fc.boolean(),
  by: fc.constantFrom("seen", "claimed", "nobody"),
});

const txidOf = (index: number): string => `TX${index}`;

/** The service's list: newest first, dated by the service's clock, one page long. */
const pageOf = (
  all: readonly (Made & { readonly txid: string })[],
  size: number,
  { trueMs, measuredMs }: Skew,
) => ({
  skewMs: measuredMs,
  items: all
    .toSorted((one, other) => other.afterMs - one.afterMs)
    .slice(0, size)
    .map(({ txid, afterMs, dated }): ListedWithdrawal => ({
      txid,
      amount: undefined,
      status: undefined,
      requestedAt: dated ? SINCE.add({ milliseconds: afterMs + trueMs }) : undefined,
    })),
});

describe("S3: an account is not cleared while the journal lacks a withdrawal of its", () => {
  it("whatever is listed, dated, known or cut off", () => {
    fc.assert(
      fc.property(
        fc.array(made, { maxLength: 12 }),
        fc.integer({ min: 1, max: 12 }),
        skews,
        (given, size, skew) => {
          // A reading contains only withdrawals made before the copy.
          const all = given
            .filter(({ by, afterMs }) => by !== "seen" || afterMs < 0)
            .map((each, index) => ({ ...each, txid: txidOf(index) }));
          const of = (by: Made["by"]) =>
            new Set(all.filter((each) => each.by === by).map(({ txid }) => txid));
          const lost = all.filter(({ by, afterMs }) => by === "nobody" && afterMs >= 0);
          const page = pageOf(all, size, skew);
          const verdict = compareWithJournal(page, SINCE, {
            claimed: of("claimed"),
            seen: of("seen"),
          });
          return lost.length === 0 || verdict.kind === "held";
        },
      ),
      { numRuns: 3_000 },
    );
  });

  it("with an empty list where an operation knows of one", () => {
    const page = { items: [], skewMs: 0 };
    const claimed = new Set(["TX1"]);
    expect(compareWithJournal(page, SINCE, { claimed, seen: new Set() })).toMatchObject({
      why: "short",
    });
    const none = { claimed: new Set<string>(), seen: new Set<string>() };
    expect(compareWithJournal(page, SINCE, none)).toEqual({ kind: "clear" });
  });

  it("with a page that ends before the copy begins", () => {
    const items = [{ txid: "TX1", requestedAt: SINCE, amount: undefined, status: undefined }];
    const known = { claimed: new Set(["TX1"]), seen: new Set<string>() };
    expect(compareWithJournal({ items, skewMs: 0 }, SINCE, known)).toMatchObject({ why: "short" });
  });
});

describe("S3: a list, by minutes after the copy,", () => {
  it("clears one's own, whose txid it writes in another case", () => {
    const requestedAt = [SINCE.add({ minutes: 10 }), SINCE.subtract({ hours: 1 })];
    const items = requestedAt.map((at, index) => ({
      txid: `tx${index}`,
      requestedAt: at,
      amount: undefined,
      status: undefined,
    }));
    const known = { claimed: new Set(["TX0"]), seen: new Set<string>() };
    expect(compareWithJournal({ items, skewMs: 0 }, SINCE, known)).toEqual({ kind: "clear" });
  });

  it.each([
    ["claimed 10, seen -60", "clear"],
    ["claimed 10, other -60", "clear"],
    ["claimed 10, claimed undated, seen -60", "clear"],
    ["seen -60, claimed 10", "held"],
    ["claimed 10, other -4", "held"],
  ])("of %s is %s", (listed, kind) => {
    const items = listed.split(", ").map((row): ListedWithdrawal => {
      const [txid = "", minutes] = row.split(" ");
      const requestedAt =
        minutes === "undated" ? undefined : SINCE.add({ minutes: Number(minutes) });
      return { txid, amount: undefined, status: undefined, requestedAt };
    });
    const known = { claimed: new Set(["claimed"]), seen: new Set(["seen"]) };
    expect(compareWithJournal({ items, skewMs: undefined }, SINCE, known).kind).toBe(kind);
  });
});

it("an account connected after a year of nightly stops is looked up in one query of the journal", async () => {
  const { db, plans } = await useQueryPlans(standingClock(NOON.toString()));
  const stops = Array.from({ length: 365 }, (_, night) => ({
    number: night + 1,
    cause: "gap" as const,
    noticed_at: storedInstant(later((night - 366) * DAY)),
    last_event_at: null,
    alive_at: null,
  }));
  await db.insertInto("database_restore").values(stops).execute();
  plans(/./);
  expect(await restoreHolds(db).find(ACCOUNT, NOON)).toBeUndefined();
  expect(plans(/withdraw_op/)).toHaveLength(1);
});

describe("S3: an account that is removed and connected again weeks later", () => {
  const connectedAgain = async (stage: MoneyStage) => {
    await disconnect(stage);
    stage.clock.moveBy(20 * DAY);
    const { accountFp, connectedAt } = await connect(stage);
    return await stage.stores.holds.find(accountFp, connectedAt);
  };

  it("waits where it was asked about", async () => {
    const stage = await openMoneyStage();
    const copied = stage.clock.now();
    stage.add({ txid: "LOST" });
    await restore(stage, copied);
    await refusal(stage.money.withdrawals.prepare(order()));
    expect((await connectedAgain(stage))?.asked?.txids).toEqual(["LOST"]);
  });

  it("waits where an earlier restore of it was compared", async () => {
    const stage = await openMoneyStage();
    await restore(stage, stage.clock.now());
    await stage.money.withdrawals.prepare(order());
    await restore(stage, stage.clock.now());
    expect((await connectedAgain(stage))?.number).toBe(2);
  });
});

it("an account that was connected after a gap does not wait for another one of before it", async () => {
  const stage = await openMoneyStage();
  await restore(stage, stage.clock.now(), "gap");
  stage.clock.moveBy(MINUTE);
  const { accountFp, connectedAt } = await connect(stage, { ownerId: BRUNO }, brunoKey);
  expect(await stage.stores.holds.find(accountFp, connectedAt)).toBeUndefined();
});

it("S3: a reading of a later restore tells of no withdrawal beside a question that was answered since", async () => {
  const stage = await openMoneyStage();
  const { accountFp } = await connect(stage, { guildId: "2" });
  const { holds } = stage.stores;
  const copied = stage.clock.now();
  stage.add({ txid: "LOST" });
  await restore(stage, copied);
  await refusal(stage.money.withdrawals.prepare(order()));
  const asked = await holds.find(accountFp);
  await restore(stage, copied);
  const read = await holds.find(accountFp);
  if (asked === undefined || read === undefined) throw new Error("The account is not held");
  const now = stage.clock.now();
  expect(await holds.acknowledge(asked, ANA, now, () => [], [])).toBe(true);
  expect(await holds.tellBeside(read, [noticeTo(ANA, "ghost|late")], now)).toBe(0);
});

it("S3: a question stands as it was asked where the list writes a txid in another case since", async () => {
  const stage = await openMoneyStage();
  await look(stage);
  stage.add({ txid: "PAUSED" });
  await restore(stage, stage.clock.now(), "gap");
  await look(stage);
  const hold = await stage.stores.holds.find(stage.stores.vault.hashWalletUser(ANA));
  listInSmall(stage);
  await look(stage);
  expect(await ghostsOf(stage)).toEqual([]);
  await stage.money.withdrawals.acknowledgeRestore(actor(), hold?.asked?.answerId ?? "");
  await look(stage);
  expect(await ghostsOf(stage)).toEqual([]);
});
