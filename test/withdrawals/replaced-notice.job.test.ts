import {
  type NewWithdrawOp,
  noticeKey,
  type WithdrawOp,
  type WithdrawState,
} from "#src/withdrawals/withdraw-op.ts";
import { describe, expect, test } from "vitest";
import { replacedBodies } from "#src/bot-jobs.ts";
import type { DeliveryPayload } from "#src/delivery/delivery.ts";
import { replacedPosts } from "#src/delivery/outbox-replace.store.ts";
import { createReplacePosts } from "#src/delivery/replaced-posts.job.ts";
import { storedInstant } from "#src/database/columns.ts";
import { HOUR, MINUTE } from "#src/shared/time.ts";
import { outcomeNotice } from "#src/withdrawals/outcome-notice.view.ts";
import { outcomeDelivery } from "#src/withdrawals/withdraw-transition.service.ts";
import { ANA, anaKey, NOON, noticeTo, savedAccount } from "../database/builders.ts";
import { openTestStores, useStores } from "../database/use-store.ts";
import { databases, quietLog, standingClock } from "../support/databases.ts";
import { directChannel } from "../support/fake-channels.ts";
import { journalOf, newCancel, newOp, newRefund } from "./withdraw-builders.ts";

interface Edit {
  readonly channelId: string;
  readonly messageId: string;
  readonly body: DeliveryPayload;
}

/** The other notices are not about an operation. */
const none = (): DeliveryPayload => ({});
const needs = {
  notices: { outcome: outcomeNotice, external: none, guard: none, restored: none },
};
const OWN = "Substituída: a mensagem mais nova sobre este saque está abaixo.";

describe.each(databases)("a posted message about an operation on $name", (kind) => {
  const clock = standingClock(NOON.toString());
  const { store, accounts, outbox } = useStores(kind, clock);
  const drafted = (changes: Partial<NewWithdrawOp> = {}): Promise<WithdrawOp> =>
    journalOf(store()).draft(newOp(changes), clock.now());

  /** Enqueues the message about a state, a minute after the one before. */
  const tell = async (op: WithdrawOp, state: WithdrawState): Promise<string> => {
    clock.moveBy(MINUTE);
    const now = clock.now();
    const delivery = outcomeDelivery(needs, { ...op, state }, undefined, now);
    await outbox().enqueue(delivery, now);
    return delivery.dedupeKey;
  };
  /** Lets Discord accept every due message; its id is the key, and null once the message is deleted. */
  const post = async (isDeleted = false): Promise<void> => {
    clock.moveBy(MINUTE);
    const request = { owner: "one", leaseMs: MINUTE, limit: 9, now: clock.now() };
    const claims = await outbox().claim(request);
    for (const claim of claims) {
      const messageId = isDeleted ? null : claim.dedupeKey;
      await outbox().settle(claim, { state: "sent", messageId });
    }
    if (claims.length > 0) await post();
  };
  const told = async (op: WithdrawOp, state: WithdrawState): Promise<string> => {
    const key = await tell(op, state);
    await post();
    return key;
  };
  const edits = async (): Promise<readonly Edit[]> => {
    const made: Edit[] = [];
    const run = createReplacePosts({
      clock,
      log: quietLog,
      posts: replacedPosts(store().db),
      bodyOf: replacedBodies(await openTestStores(store().open)),
      edit: async (channelId, messageId, body) => {
        made.push({ channelId, messageId, body });
        return "edited";
      },
      openDirectMessage: async (userId) => ({ channelId: directChannel(userId) }),
    });
    await run(new AbortController().signal);
    return made;
  };

  test("says that it is replaced once a newer one is posted, and loses its buttons", async () => {
    const op = await drafted();
    const older = await told(op, "manual");
    await tell(op, "not_executed");
    expect(await edits()).toEqual([]);
    await post();
    const [edit, ...more] = await edits();
    expect(more).toEqual([]);
    expect(edit).toMatchObject({
      channelId: directChannel(ANA),
      messageId: older,
      body: {
        content: OWN,
        embeds: [
          {
            title: expect.stringContaining("Preciso que você confira este saque"),
            description: OWN,
            footer: { text: expect.stringContaining("ref ") },
          },
        ],
      },
    });
    expect(edit?.body.components).toBeUndefined();
    expect(edit?.body.embeds?.[0]?.fields).toBeUndefined();
    expect(await edits()).toEqual([]);
  });

  test("is replaced with all before it, and only by a message of the same operation", async () => {
    const [first, second] = [await drafted(), await drafted()];
    const older = [await told(first, "unknown"), await told(second, "unknown")];
    const manual = await told(first, "manual");
    await told(first, "completed");
    const edited = new Set((await edits()).map(({ messageId }) => messageId));
    expect(edited).toEqual(new Set([older[0], manual]));
    await told(second, "completed");
    expect((await edits()).map(({ messageId }) => messageId)).toEqual([older[1]]);
  });

  test.each([
    ["a withdrawal", {}, OWN],
    ["a cancellation", newCancel("TX1"), "sobre este cancelamento está abaixo."],
    ["a refund", newRefund("TX2"), "sobre este estorno está abaixo."],
    [
      "a withdrawal in English",
      { locale: "en-US" },
      "Replaced: the newest message about this withdrawal is below.",
    ],
  ] as const)(
    "of %s is replaced in its words and its owner's language",
    async (_subject, changes, said) => {
      const op = await drafted(changes);
      await told(op, "unknown");
      await told(op, "completed");
      const [edit] = await edits();
      expect(edit?.body.content).toContain(said);
    },
  );

  test("is replaced by the one below it, though the clock was set back between them", async () => {
    const op = await drafted();
    const older = await told(op, "unknown");
    clock.moveBy(-HOUR);
    await told(op, "manual");
    clock.moveBy(HOUR);
    expect((await edits()).map(({ messageId }) => messageId)).toEqual([older]);
  });

  test("keeps its question when a newer one says that all goes well: it is not asked again", async () => {
    const op = await drafted();
    const question = await told(op, "manual");
    await told(op, "accepted");
    expect(await edits()).toEqual([]);
    await told(op, "completed");
    expect((await edits()).map(({ messageId }) => messageId)).toEqual([question]);
  });

  test("is edited once, however many follow it", async () => {
    const op = await drafted();
    const first = await told(op, "unknown");
    const second = await told(op, "manual");
    expect((await edits()).map(({ messageId }) => messageId)).toEqual([first]);
    await told(op, "completed");
    expect((await edits()).map(({ messageId }) => messageId)).toEqual([second]);
  });

  test("is left when it was deleted right after its post", async () => {
    const op = await drafted();
    await tell(op, "unknown");
    await post(true);
    await told(op, "completed");
    expect(await edits()).toEqual([]);
  });

  test("is left once its owner has decided there: the answer stands in it", async () => {
    const op = await drafted();
    await told(op, "unknown");
    await told(op, "manual");
    await store()
      .db.updateTable("withdraw_op")
      .set({ state: "resolved_manual" })
      .where("id", "=", op.id)
      .execute();
    expect(await edits()).toEqual([]);
  });

  test("is left when its text was erased, and one that was retracted was never there", async () => {
    const op = await drafted();
    await tell(op, "unknown");
    await outbox().cancelUnsent(noticeKey({ ...op, state: "unknown" }), clock.now());
    const manual = await told(op, "manual");
    expect(await edits()).toEqual([]);
    await store()
      .db.updateTable("outbox")
      .set({ payload: "{}" })
      .where("dedupe_key", "=", manual)
      .execute();
    await told(op, "completed");
    expect(await edits()).toEqual([]);
  });

  test("about another matter is not worded as an alert of a MED", async () => {
    const { id: accountId } = await accounts().save(savedAccount(), anaKey);
    const payload = { embeds: [{ title: "Meta" }] };
    await outbox().enqueue({ ...noticeTo(ANA, "goal"), accountId, payload }, clock.now());
    await post();
    await store()
      .db.updateTable("outbox")
      .set({ replace_at: storedInstant(clock.now()), replaced_by: "another goal" })
      .execute();
    expect(await edits()).toEqual([]);
  });
});
