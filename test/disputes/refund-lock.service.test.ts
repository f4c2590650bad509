import { describe, expect, it } from "vitest";
import type { Dispute } from "#src/disputes/dispute.ts";
import type { ListedDispute } from "#src/disputes/dispute-list.ts";
import { followedDispute } from "#src/disputes/dispute-watch.ts";
import { createDisputeWatch } from "#src/disputes/dispute-watch.job.ts";
import { HOUR, MINUTE } from "#src/shared/time.ts";
import { Secret } from "#src/shared/secret.ts";
import { quietLog } from "../support/databases.ts";
import {
  ANA,
  BRUNO,
  connect,
  GUILD,
  type MoneyStage,
  refusal,
} from "../withdrawals/money-stage.ts";
import { ask, refunded, SALE, sold } from "../withdrawals/refunds/refund-stage.ts";
import { apiSale, sampleDispute } from "./dispute-samples.ts";

const dispute = (given: Partial<Dispute> = {}): Dispute =>
  sampleDispute({ infractionId: "d1", txid: SALE, ...given });

/** A wallet whose list names payments by an id of another kind. */
const listing = (stage: MoneyStage, row: Partial<ListedDispute> = {}): MoneyStage["wallet"] => ({
  ...stage.wallet,
  disputes: async (...given) => {
    const page = await stage.wallet.disputes(...given);
    const other = { txid: "E18236120202611201500s0f2", ...row };
    return { ...page, items: page.items.map((each) => ({ ...each, ...other })) };
  },
});

/** A wallet whose list and paths have the ids by which the stage keeps disputes, in whatever case they are written. */
const listingKeys = ({ wallet, disputes }: MoneyStage): MoneyStage["wallet"] => ({
  ...wallet,
  disputes: async (...given) => {
    const page = await wallet.disputes(...given);
    const items = [...disputes].map(([infractionId, each]) => ({ ...each, infractionId }));
    return { ...page, items };
  },
});

const watchIdOf = async ({ stores }: MoneyStage): Promise<string> =>
  (await stores.accounts.find(GUILD, ANA))?.watchId ?? "";

const watchedOf = async (stage: MoneyStage) =>
  await stage.stores.disputeWatch.of(await watchIdOf(stage));

/** The watch's look at Ana's disputes. */
const look = async (stage: MoneyStage, wallet = stage.wallet): Promise<void> => {
  const { clock, stores } = stage;
  const { accounts, alertRoutes: routes, disputeWatch: watch } = stores;
  const needs = { clock, accounts, watch, routes, wallet, log: quietLog, onOwed: () => {} };
  await createDisputeWatch(needs).poll(new AbortController().signal);
};

describe("a refund under disputes of which the list alone was read", () => {
  it.each([
    ["answered", { status: "disagreed" }, "open"],
    ["lost", { status: "disagreed", analysisStatus: "accepted" }, "returned"],
  ] as const)("is refused where the first look found one that is %s", async (_, facts, why) => {
    const stage = await sold();
    stage.disputes.set("d1", dispute(facts));
    const wallet = listing(stage);
    stage.failing.set("dispute", "timeout");
    await look(stage, wallet);
    stage.failing.delete("dispute");
    expect(await watchedOf(stage)).toHaveLength(1);

    const money = stage.process({ wallet });
    expect(await refusal(ask({ money }))).toMatchObject({ kind: "payment_disputed", why });
  });

  it.each([
    ["was accepted all the same", "accepted"],
    ["was decided nobody knows how", undefined],
  ])("is refused where the list says that one is cancelled and %s", async (_, listed) => {
    const stage = await sold();
    stage.disputes.set("d1", dispute({ status: "canceled", analysisStatus: "accepted" }));
    const wallet = listing(stage, { analysisStatus: listed });
    const money = stage.process({ wallet });
    expect(await refusal(ask({ money }))).toMatchObject({ why: "returned" });
  });

  it.each([
    ["agreed to", { status: "agreed" }, {}, "open"],
    ["cancelled", { status: "canceled" }, { analysisStatus: "accepted" }, "returned"],
  ] as const)(
    "is refused where one kept as %s is no longer listed",
    async (_, facts, since, why) => {
      const stage = await sold();
      const now = stage.clock.now();
      const kept = followedDispute(await watchIdOf(stage), dispute(facts), now);
      await stage.stores.disputeWatch.keep({ ...kept, txid: "" }, [], now);
      stage.disputes.set("d1", dispute({ ...facts, ...since }));
      const disputes: MoneyStage["wallet"]["disputes"] = async (...given) => ({
        ...(await stage.wallet.disputes(...given)),
        items: [],
      });
      const money = stage.process({ wallet: { ...stage.wallet, disputes } });
      expect(await refusal(ask({ money }))).toMatchObject({ kind: "payment_disputed", why });
    },
  );

  it("is refused where the sale alone is the payment, at each try and after the watch's look", async () => {
    const stage = await sold();
    stage.disputes.set("d1", dispute({ txid: "E2E-1", sale: { ...apiSale, txid: SALE } }));
    const disputed = { kind: "payment_disputed", why: "open", infractionId: "d1" };
    expect(await refusal(ask(stage))).toEqual(disputed);
    expect(await refusal(ask(stage))).toEqual(disputed);

    await look(stage);
    expect(await watchedOf(stage)).toHaveLength(1);
    expect(await refusal(ask({ money: stage.process() }))).toEqual(disputed);
  });

  it("is refused where the sale's txid is the payment, and the rest of the sale was unreadable", async () => {
    const stage = await sold();
    stage.disputes.set("d1", dispute({ txid: "E2E-1", sale: undefined, saleTxid: SALE }));
    await look(stage);
    const money = stage.process();
    expect(await refusal(ask({ money }))).toMatchObject({ kind: "payment_disputed", why: "open" });
  });

  it.each(["the watch", "a refund", "a refund beside many"])(
    "is refused where the sale is the payment, and a later reading for %s lacks the sale",
    async (reader) => {
      const stage = await sold();
      stage.disputes.set("d1", dispute({ txid: "E2E-1", sale: { ...apiSale, txid: SALE } }));
      await look(stage);
      stage.disputes.set("d1", dispute({ txid: "E2E-1", sale: undefined }));
      if (reader === "the watch") {
        stage.clock.moveBy(2 * HOUR);
        await look(stage);
      }
      if (reader === "a refund beside many")
        for (let count = 2; count < 15; count++)
          stage.disputes.set(`d${count}`, dispute({ infractionId: `d${count}`, txid: "other" }));
      const money = stage.process();
      const disputed = { kind: "payment_disputed", why: "open", infractionId: "d1" };
      expect(await refusal(ask({ money }))).toEqual(disputed);
      expect(await refusal(ask({ money }))).toEqual(disputed);
      expect(await refusal(ask({ money: stage.process() }))).toEqual(disputed);
    },
  );

  it("is refused where the list writes its id in another case, and a later reading lacks the sale", async () => {
    const stage = await sold();
    const bare = dispute({ status: "disagreed", txid: "E2E-1" });
    const wallet = listing(stage, { infractionId: "D1" });
    stage.disputes.set("D1", { ...bare, saleTxid: SALE });
    await look(stage, wallet);
    stage.disputes.set("D1", bare);

    const money = stage.process({ wallet });
    expect(await refusal(ask({ money }))).toMatchObject({ kind: "payment_disputed", why: "open" });
  });

  it("is made beside one of which neither id is the payment's, read once", async () => {
    const stage = await sold();
    const other = { txid: "E2E-1", sale: { ...apiSale, txid: "other" } };
    stage.disputes.set("d1", dispute({ status: "disagreed", ...other }));
    await look(stage);
    stage.failing.set("dispute", "timeout");
    expect((await refunded(stage)).op.state).toBe("completed");
  });

  it.each(["disputes", "dispute"] as const)(
    "is refused with the code of the failed reading of %s",
    async (failing) => {
      const stage = await sold();
      stage.disputes.set("d1", dispute({ infractionId: "d1", txid: "other" }));
      stage.failing.set(failing, "unavailable");
      await expect(ask(stage)).rejects.toHaveProperty("cause.requestId", "req_unavailable");
    },
  );

  it("is refused until the open ones of other payments were read, ten at each try, whatever the case of their ids", async () => {
    const stage = await sold();
    for (let count = 0; count < 11; count++) {
      const decided = count < 10 ? {} : ({ status: "agreed", analysisStatus: "accepted" } as const);
      const one = dispute({ infractionId: `d${count}`, txid: "other", ...decided });
      stage.disputes.set(`D${count}`, one);
    }
    const money = stage.process({ wallet: listingKeys(stage) });
    expect(await refusal(ask({ money }))).toEqual({ kind: "disputes_unreadable" });
    expect((await refunded({ money })).op.state).toBe("completed");
  });

  it("goes on after a restart beside those that were read by their ids in another case", async () => {
    const stage = await sold();
    for (let count = 0; count < 11; count++) {
      const one = dispute({ infractionId: `d${count}`, txid: "other" });
      stage.disputes.set(`D${count}`, one);
    }
    const wallet = listingKeys(stage);
    await look(stage, wallet);
    await look(stage, wallet);
    expect(await watchedOf(stage)).toHaveLength(11);

    expect((await refunded({ money: stage.process({ wallet }) })).op.state).toBe("completed");
  });

  it("is refused for its own as soon as that was read, though more are left to read", async () => {
    const stage = await sold();
    for (let count = 0; count < 15; count++) {
      const txid = count === 3 ? SALE : "other";
      stage.disputes.set(`d${count}`, dispute({ infractionId: `d${count}`, txid }));
    }
    const money = stage.process({ wallet: listing(stage) });
    const disputed = { kind: "payment_disputed", why: "open", infractionId: "d3" };
    expect(await refusal(ask({ money }))).toEqual(disputed);
  });

  it("takes no alert of one that ended since the watch last looked, for another owner either", async () => {
    const stage = await sold();
    await connect(stage, { ownerId: BRUNO }, new Secret("sk_sandbox_bruno"), ANA);
    await look(stage);
    for (let count = 0; count < 11; count++) {
      const createdAt = stage.clock.now();
      const facts = { txid: "other", status: "agreed", analysisStatus: "accepted" } as const;
      const ended = dispute({ infractionId: `d${count}`, ...facts, createdAt });
      stage.disputes.set(ended.infractionId, ended);
    }
    expect(await refusal(ask(stage))).toEqual({ kind: "disputes_unreadable" });
    stage.clock.moveBy(10 * MINUTE);
    await look(stage);
    const told = await stage.messages();
    expect(told.filter((key) => key.includes("|lost"))).toHaveLength(22);
  });

  it("of an account without alerts goes on at the next try of another process", async () => {
    const stage = await sold();
    await stage.stores.accounts.setAlerts(GUILD, ANA, "off", stage.clock.now());
    for (let count = 0; count < 15; count++) {
      const facts = { txid: "other", status: "agreed", analysisStatus: "accepted" } as const;
      stage.disputes.set(`d${count}`, dispute({ infractionId: `d${count}`, ...facts }));
    }
    expect(await refusal(ask(stage))).toEqual({ kind: "disputes_unreadable" });
    expect((await refunded({ money: stage.process() })).op.state).toBe("completed");
  });

  it("is refused until they were read, ten at each try, whatever the case of their ids", async () => {
    const stage = await sold();
    const watchId = await watchIdOf(stage);
    const { disputeWatch } = stage.stores;
    const now = stage.clock.now();
    for (let count = 0; count < 15; count++) {
      const answered = dispute({ infractionId: `d${count}`, txid: "other", status: "disagreed" });
      const infractionId = `D${count}`;
      stage.disputes.set(infractionId, answered);
      const listed = { ...answered, infractionId, txid: "", saleTxid: undefined };
      await disputeWatch.keep(followedDispute(watchId, listed, now), [], now);
    }
    const wallet = listingKeys(stage);
    expect(await refusal(ask({ money: stage.process({ wallet }) }))).toEqual({
      kind: "disputes_unreadable",
    });
    expect((await refunded({ money: stage.process({ wallet }) })).op.state).toBe("completed");
    const kept = await disputeWatch.of(watchId);
    expect(kept.every(({ closedAt }) => closedAt === undefined)).toBe(true);
  });
});
