import { describe, expect, it } from "vitest";
import type { Dispute } from "#src/disputes/dispute.ts";
import { createDisputeReminders } from "#src/disputes/dispute-reminders.service.ts";
import { HOUR, MINUTE } from "#src/shared/time.ts";
import { mistakeIn } from "../support/mistake-in.ts";
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
    createDisputeReminders({ ...accounts, clock, watched });
  return { clock, ref, watched: disputeWatch, over, reminders: over(disputeWatch) };
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

describe("putting off reminders that are stopped", () => {
  it.each([40, 7, 3])("changes nothing with %d hours left, and says so", async (hoursLeft) => {
    const { clock, ref, watched, reminders } = await openDesk(hoursLeft);
    const { watched: muted } = await reminders.mute(actor(), ref);
    clock.moveBy(MINUTE);
    expect(await reminders.snooze(actor(), ref)).toEqual({ kind: "already_muted", watched: muted });
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
    expect(await hasty.snooze(actor(), ref)).toMatchObject({ kind: "already_muted" });
  });
});
