import { describe, expect, it } from "vitest";
import type { Account } from "#src/accounts/account.ts";
import type { Dispute } from "#src/disputes/dispute.ts";
import { reminderView } from "#src/disputes/dispute-alert.view.ts";
import { disputeTexts } from "#src/disputes/texts.ts";
import { createDisputeReminders } from "#src/disputes/dispute-reminders.service.ts";
import { HOUR, MINUTE } from "#src/shared/time.ts";
import { anaOtherKey } from "../database/builders.ts";
import { readMessage } from "../ui/read-message.ts";
import { mistakeIn } from "../support/mistake-in.ts";
import { ANA, connect, GUILD } from "../withdrawals/money-stage.ts";
import { actor, openDisputeReading } from "./dispute-reading-stage.ts";

const MED = "med-1";

const openDesk = async (hoursLeft: number, given: Partial<Dispute> = {}) => {
  const stage = await openDisputeReading();
  const { clock, accountId } = stage;
  const { accounts, disputeWatch } = stage.stores;
  const ref = { watchId: accountId, infractionId: MED };
  stage.add(MED, { dueAt: clock.now().add({ hours: hoursLeft }), ...given });
  await stage.disputes.open(actor(), ref);
  const over = (watched: Pick<typeof disputeWatch, "find" | "step">) =>
    createDisputeReminders({ ...accounts, clock, watched, open: stage.disputes.open });
  return { ...stage, ref, watched: disputeWatch, over, reminders: over(disputeWatch) };
};

describe("taking back the word of having answered", () => {
  it("lets reminders go on, and changes nothing of one that awaits no answer", async () => {
    const { ref, watched, reminders, clock } = await openDesk(40);
    await reminders.mute(actor(), ref);
    const outcome = await reminders.resume(actor(), ref);
    expect(outcome).toMatchObject({ kind: "resumed", watched: { answeredByOwnerAt: undefined } });
    expect(await watched.find(ref.watchId, MED)).toEqual(outcome.watched);
    const stranger = actor({ userId: "stranger" });
    expect(await mistakeIn(reminders.resume(stranger, ref))).toBe("not_your_dispute");
    clock.moveBy(41 * HOUR);
    expect(await reminders.resume(actor(), ref)).toMatchObject({ kind: "nothing" });
  });
});

describe("a wish about the reminders of a MED that has none", () => {
  it.each([
    [{}, "overdue"],
    [{ status: "in_review" }, "other"],
    [{ status: "disagreed" }, "defended"],
  ] as const)("of %j carries the state %s", async (given, state) => {
    const { ref, reminders, clock } = await openDesk(1, given);
    if (state === "overdue") clock.moveBy(2 * HOUR);
    for (const wish of ["mute", "resume", "snooze"] as const)
      expect(await reminders[wish](actor(), ref)).toMatchObject({ kind: "nothing", state });
  });
});

describe("a wish about the reminders of a MED that is not polled, as alerts are off", () => {
  const unpolled = async (hoursLeft: number, change: Partial<Dispute>) => {
    const desk = await openDesk(hoursLeft);
    const { clock, stores, there } = desk;
    await stores.accounts.setAlerts(GUILD, ANA, "off", clock.now(), undefined);
    there.set(MED, { ...there.get(MED)!, ...change });
    return desk;
  };

  it("answers by how it stands now", async () => {
    const { clock, ref, reminders } = await unpolled(40, { analysisStatus: "rejected" });
    clock.moveBy(50 * HOUR);
    for (const wish of ["mute", "resume", "snooze"] as const)
      expect(await reminders[wish](actor(), ref)).toMatchObject({ kind: "nothing", state: "won" });
  });

  it.each(["pt-BR", "en-US"] as const)("promises no reminder in %s", async (locale) => {
    const { clock, ref, reminders } = await unpolled(40, {});
    for (const wish of ["mute", "snooze", "resume", "snooze"] as const) {
      const view = reminderView(await reminders[wish](actor(), ref), clock.now(), locale);
      const [, said] = readMessage(view);
      expect(said).toBe(disputeTexts(locale).disputeAlerts.offHere);
    }
  });

  it("goes by its deadline of now", async () => {
    const dueAt = Temporal.Instant.from("2026-12-01T15:00Z");
    const { clock, ref, reminders } = await unpolled(10, { dueAt });
    clock.moveBy(20 * HOUR);
    const until = clock.now().add({ hours: 6 });
    const snoozed = { kind: "snoozed", until, watched: { dueAt } };
    expect(await reminders.snooze(actor(), ref)).toMatchObject(snoozed);
    expect(await reminders.mute(actor(), ref)).toMatchObject({ kind: "muted", watched: { dueAt } });
  });
});

describe("buttons of an alert whose watch ended as its seller disconnected", () => {
  const disconnected = async () => {
    const desk = await openDesk(40);
    const { stores, clock, ref } = desk;
    await stores.accounts.remove(GUILD, ANA, ANA, clock.now());
    const isOf = async ({ watchId }: Account) => {
      const opened = await desk.disputes.open(actor(), ref);
      expect([opened.watchId, opened.dispute.infractionId]).toEqual([watchId, MED]);
      expect(await desk.reminders.mute(actor(), ref)).toMatchObject({ kind: "muted" });
    };
    expect(await mistakeIn(desk.disputes.open(actor(), ref))).toBe("not_connected");
    return { ...desk, isOf };
  };

  it("find the MED by the key that was connected again", async () => {
    const { stores, clock, ref, isOf } = await disconnected();
    const again = await connect({ stores, clock });
    expect(again.watchId).not.toBe(ref.watchId);
    await isOf(again);
  });

  it.each([
    ["mute", "muted"],
    ["resume", "resumed"],
    ["snooze", "snoozed"],
  ] as const)("%s before the new watch has read the MED, which begins it", async (wish, kind) => {
    const { stores, clock, ref, reminders, watched } = await disconnected();
    const { watchId } = await connect({ stores, clock });
    const outcome = await reminders[wish](actor(), ref);
    expect(outcome).toMatchObject({ kind, watched: { watchId, infractionId: MED } });
    expect(await watched.find(watchId, MED)).toEqual(outcome.watched);
  });

  it("find it among the seller's accounts, none of which follows it yet, by the one that has it", async () => {
    const desk = await disconnected();
    const { stores, clock } = desk;
    const again = await connect({ stores, clock });
    clock.moveBy(MINUTE);
    const elsewhere = { guildId: "900000000000000002", ownerVerified: false };
    await connect({ stores, clock }, elsewhere, anaOtherKey, "loja-b");
    desk.owned.set(MED, again.accountFp);
    await desk.isOf(again);
    desk.there.clear();
    const gone = { ...desk.ref, infractionId: "med-2" };
    expect(await mistakeIn(desk.disputes.open(actor(), gone))).toBe("dispute_not_found");
    expect(await mistakeIn(desk.reminders.mute(actor(), gone))).toBe("dispute_not_found");
  });

  it("find it beside an account whose key is refused, and say so where no other has it", async () => {
    const desk = await disconnected();
    const { stores, clock, disputes, owned, refused } = desk;
    const again = await connect({ stores, clock });
    clock.moveBy(MINUTE);
    const elsewhere = { guildId: "900000000000000002", ownerVerified: false };
    const other = await connect({ stores, clock }, elsewhere, anaOtherKey, "loja-b");
    refused.add(other.accountFp);
    owned.set(MED, other.accountFp);
    await expect(disputes.open(actor(), desk.ref)).rejects.toMatchObject({ kind: "unauthorized" });
    owned.set(MED, again.accountFp);
    await desk.isOf(again);
  });

  it("find it among the seller's accounts by the one that follows it", async () => {
    const { stores, clock, disputes, isOf } = await disconnected();
    const again = await connect({ stores, clock });
    await disputes.detail(actor(), MED);
    clock.moveBy(MINUTE);
    const elsewhere = { guildId: "900000000000000002", ownerVerified: false };
    await connect({ stores, clock }, elsewhere, anaOtherKey, "loja-b");
    await isOf(again);
  });
});

describe("putting off reminders that are stopped", () => {
  it.each([40, 7, 3])("changes nothing with %d hours left, and says so", async (hoursLeft) => {
    const { clock, ref, watched, reminders } = await openDesk(hoursLeft);
    const { watched: muted } = await reminders.mute(actor(), ref);
    clock.moveBy(MINUTE);
    expect(await reminders.snooze(actor(), ref)).toEqual({ kind: "muted", watched: muted });
    expect(await watched.find(ref.watchId, MED)).toEqual(muted);
  });

  it("says so where another click stopped them just then", async () => {
    const { ref, watched, over, reminders } = await openDesk(40);
    const hasty = over({
      ...watched,
      step: async (...step) => {
        const { answeredByOwnerAt } = (await watched.find(ref.watchId, MED)) ?? {};
        if (answeredByOwnerAt === undefined) await reminders.mute(actor(), ref);
        return await watched.step(...step);
      },
    });
    expect(await hasty.snooze(actor(), ref)).toMatchObject({ kind: "muted" });
  });
});
