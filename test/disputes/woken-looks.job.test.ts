import type { DisputeWatch } from "#src/disputes/dispute-watch.store.ts";
import type { DonePoll, DuePoll } from "#src/disputes/dispute-poll.store.ts";
import { beforeEach, describe, expect, test } from "vitest";
import { createDisputeWatch } from "#src/disputes/dispute-watch.job.ts";
import { nextPollAt } from "#src/disputes/dispute-watch.ts";
import { cents } from "#src/shared/money.ts";
import { Secret } from "#src/shared/secret.ts";
import { quietLog, standingClock } from "../support/databases.ts";
import { sampleAccount } from "../support/samples.ts";

const FP = "fp-ana";
const NONE = {
  byStatus: { pending: 0, agreed: 0, disagreed: 0, canceled: 0, total: 0 },
  byAnalysis: { pending: 0, accepted: 0, rejected: 0 },
} as const;
const ONE_WON = {
  byStatus: { ...NONE.byStatus, disagreed: 1, total: 1 },
  byAnalysis: { ...NONE.byAnalysis, rejected: 1 },
};
const account = sampleAccount({ id: "a", watchId: "a", accountFp: FP, keyFingerprint: "k" });
const clock = standingClock("2026-11-20T15:01Z");

/** What the store and the looks did, in order. */
let done: string[];
let saved: DonePoll[];
let due: DuePoll[];
let counted: typeof NONE | typeof ONE_WON;
let trusted: Temporal.Instant | undefined;
let summary: (fingerprint: string) => Promise<void>;
let job: ReturnType<typeof createDisputeWatch>;

const becomeDue = (
  given: Partial<DuePoll> = {},
  counts: DuePoll["poll"]["counts"] = NONE,
): void => {
  const now = clock.now();
  const poll = {
    watchId: "a",
    nextPollAt: now.add({ minutes: 4 }),
    counts,
    listReadAt: now,
    baselineAt: now,
  };
  due.push({ account, poll, isQuiet: true, ...given });
};
const poll = (): Promise<void> => job.poll(new AbortController().signal);

beforeEach(() => {
  done = [];
  saved = [];
  due = [];
  counted = NONE;
  trusted = undefined;
  summary = async () => {};
  const watch: Partial<DisputeWatch> = {
    duePolls: async (_, limit) => due.splice(0, limit),
    countDue: async () => 0,
    awaiting: async () => [],
    of: async () => [],
    unlisted: async () => ({ count: 0, notified: 0 }),
    savePolls: async (polls) => {
      saved.push(...polls);
      if (polls.length > 0) done.push("saved");
      return polls;
    },
    makeDue: async (accountFp) => {
      done.push(`due: ${accountFp}`);
      return true;
    },
  };
  job = createDisputeWatch({
    clock,
    log: quietLog,
    accounts: {
      connectionsOf: async () => [],
      ofOwner: async () => [],
      stayedIn: async () => new Set(),
      ofWatch: async () => undefined,
      apiKey: async () => new Secret("sk_sandbox_ana_0123"),
      pause: async () => false,
    },
    watch: watch as DisputeWatch,
    routes: { find: async () => undefined },
    wallet: {
      disputeSummary: async ({ fingerprint }) => {
        await summary(fingerprint);
        return { ...counted, frozen: cents(0), lost: cents(0) };
      },
      disputes: async () => ({ items: [], unnamed: 0, isWhole: true }),
      dispute: async () => Promise.reject(new Error("not read")),
    },
    calls: {
      trustedUntil: () => trusted,
      foundNews: async (accountFp) => void done.push(`news: ${accountFp}`),
    },
    onOwed: () => {},
  });
});

describe("polls of disputes", () => {
  const soon = nextPollAt("a", undefined, clock.now());
  const late = nextPollAt("a", undefined, clock.now(), true);

  test("slow to 15 minutes while calls are trusted and no dispute awaits an answer", async () => {
    expect(clock.now().until(late).total("minutes")).toBeGreaterThan(5);
    trusted = clock.now().add({ hours: 1 });
    becomeDue();
    await poll();
    expect(saved.map(({ after }) => after.nextPollAt)).toEqual([late]);
  });

  test("come as always while a dispute awaits an answer, or calls are not trusted", async () => {
    becomeDue();
    await poll();
    trusted = clock.now().add({ hours: 1 });
    becomeDue({ isQuiet: false });
    await poll();
    becomeDue({}, undefined);
    counted = ONE_WON;
    await poll();
    expect(saved.map(({ after }) => after.nextPollAt)).toEqual([soon, soon, soon]);
  });

  test("tell of news when the counts changed, and of none at the first look or without a change", async () => {
    becomeDue();
    await poll();
    becomeDue({}, undefined);
    await poll();
    expect(done.filter((each) => each.startsWith("news"))).toEqual([]);
    counted = ONE_WON;
    becomeDue();
    // Both owners of the wallet account see the same news.
    becomeDue({ account: { ...account, id: "b", ownerId: "1180000000000000012" } });
    await poll();
    expect(done.filter((each) => each.startsWith("news"))).toEqual([`news: ${FP}`]);
  });
});

describe("a woken look", () => {
  test("makes the account due", async () => {
    expect(await job.makeDue(FP)).toBe(true);
    expect(done).toEqual([`due: ${FP}`]);
  });

  test("at an account that is polled now comes after that poll, whose result is kept", async () => {
    const answer = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    summary = async () => {
      begun.resolve();
      await answer.promise;
    };
    becomeDue();
    const polled = poll();
    await begun.promise;
    for (let calls = 0; calls < 3; calls++) expect(await job.makeDue(FP)).toBe(false);
    expect(done).toEqual([]);
    answer.resolve();
    await polled;
    expect(done).toEqual(["saved", `due: ${FP}`]);
    await job.makeDue(FP);
    expect(done.at(-1)).toBe(`due: ${FP}`);
  });
});

test("workers that a slow run held help the run after it", async () => {
  const [slow, fast] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const underWay = new Set<string>();
  summary = async (id) => {
    underWay.add(id);
    await (id.startsWith("slow") ? slow : fast).promise;
    underWay.delete(id);
  };
  const becomeManyDue = (kind: string, many: number): void => {
    for (let index = 0; index < many; index++) {
      const id = `${kind}-${index}`;
      becomeDue({ account: { ...account, accountFp: id, keyFingerprint: id } });
    }
  };
  becomeManyDue("slow", 23);
  const first = poll();
  await expect.poll(() => underWay.size).toBe(23);
  becomeManyDue("fast", 100);
  const second = poll();
  await expect.poll(() => underWay.size).toBe(24);
  slow.resolve();
  await expect.poll(() => [...underWay].filter((id) => id.startsWith("fast")).length).toBe(24);
  fast.resolve();
  await Promise.all([first, second]);
  expect([...underWay, ...due]).toEqual([]);
});
