import { describe, expect, it } from "vitest";
import { DAY, MINUTE } from "#src/shared/time.ts";
import { alertTo } from "../../store/dispute-builders.ts";
import { actor, inFull, openDisputesStage } from "./disputes-stage.ts";
import { ANA } from "../money/money-stage.ts";

const overview = ({ disputes }: Awaited<ReturnType<typeof openDisputesStage>>) =>
  disputes.overview(actor(), "all", 0);

describe("what the overview says of alerts", () => {
  it("is where they go, and how many of the last seven days reached nobody", async () => {
    const stage = await openDisputesStage();
    const { accounts, outbox } = stage.stores;
    expect(await overview(stage)).toMatchObject({ alerts: "direct", undelivered: 0 });
    const now = stage.clock.now();
    await outbox.enqueue({ ...alertTo(ANA, stage.accountId, "new"), notBefore: now }, now);
    const [held] = await outbox.claim({ owner: "one", leaseMs: MINUTE, limit: 1, now });
    await outbox.settle(held!, { state: "dead", error: "unreachable_person 50007" });
    expect(await overview(stage)).toMatchObject({ undelivered: 1 });
    expect(await stage.disputes.undelivered(stage.accountId)).toBe(1);
    stage.clock.moveBy(7 * DAY + 1);
    expect(await overview(stage)).toMatchObject({ undelivered: 0 });
    await accounts.setAlerts(actor().guildId, ANA, "off", now);
    expect(await overview(stage)).toMatchObject({ alerts: "off" });
  });
});

describe("what the overview says of those without an answer", () => {
  it("is how many the bank has decided, on whatever page they stand", async () => {
    const stage = await openDisputesStage();
    stage.listed = inFull;
    stage.add("waits");
    stage.add("lost", { analysisStatus: "accepted" });
    stage.add("won", { analysisStatus: "rejected" });
    stage.add("lost-with-answer", { status: "agreed", analysisStatus: "accepted" });
    stage.add("strange", { analysisStatus: "dividido" });
    stage.add("cancelled", { status: "canceled", analysisStatus: "accepted" });
    expect(await overview(stage)).toMatchObject({ awaiting: 1, decidedUnanswered: 2 });
    const narrowed = await stage.disputes.overview(actor(), "cancelled", 0);
    expect(narrowed).toMatchObject({ found: 1, decidedUnanswered: 2 });
  });
});
