import type { NewDelivery } from "#src/delivery/delivery.ts";
import { isFinal } from "#src/withdrawals/withdraw-op.ts";
import { MINUTE, SECOND } from "#src/shared/time.ts";
import type { OutboxStore } from "#src/delivery/outbox.store.ts";
import type { Dice } from "../dice.ts";
import type { VirtualTime } from "../virtual-time.ts";
import type { Known } from "./judge.ts";

/** Discord, limited to direct messages about withdrawals. */
interface DirectMessages {
  readonly onOwed: (delivery: NewDelivery) => void;
  /** The bot found a withdrawal whose refusal it had told by a private reply. */
  readonly onFoundRefused: (opId: string) => void;
  readonly settle: () => Promise<void>;
  /** Checks that no conversation ends in doubt about a known outcome, or in a refusal that proved wrong. */
  readonly check: (known: ReadonlyMap<string, Known>) => void;
}

const LEASE_MS = 30 * SECOND;
const LONGEST_POST_MS = 5 * SECOND;
/** As many posts as fit into a lease. */
const MOST_AT_ONCE = 4;
const SETTLED_AFTER_MS = 30 * MINUTE;
const DOUBTS: ReadonlySet<string> = new Set(["unknown", "manual"]);

export const createDirectMessages = (needs: {
  readonly outbox: Pick<OutboxStore, "claim" | "settle">;
  readonly time: VirtualTime;
  readonly dice: Dice;
  readonly violate: (rule: string, why: string) => void;
  readonly onBroken: (error: unknown) => void;
}): DirectMessages => {
  const { outbox, time, dice } = needs;
  /** The state in each operation's last message. */
  const lastWord = new Map<string, string>();
  const foundRefused = new Set<string>();

  const post = async (): Promise<void> => {
    const claims = await outbox.claim({
      owner: "post",
      leaseMs: LEASE_MS,
      limit: MOST_AT_ONCE,
      now: time.clock.now(),
    });
    for (const claim of claims) {
      // The operation may advance during the post.
      await time.sleep(dice.between(0, LONGEST_POST_MS));
      const [, opId = "", state = ""] = claim.dedupeKey.split("|");
      if (claim.dedupeKey.startsWith("withdrawal|")) lastWord.set(opId, state);
      await outbox.settle(claim, { state: "sent", messageId: "1" });
    }
    if (claims.length > 0) postAfter(dice.between(0, MINUTE));
  };
  const postAfter = (ms: number): void => {
    time.after(ms, () => void post().catch(needs.onBroken));
  };

  return {
    onOwed: ({ notBefore }) => {
      const waitMs = notBefore.epochMilliseconds - time.clock.now().epochMilliseconds;
      postAfter(Math.max(waitMs, 0) + dice.between(0, MINUTE));
    },
    onFoundRefused: (opId) => void foundRefused.add(opId),
    settle: async () => {
      postAfter(SETTLED_AFTER_MS / 2);
      await time.run(time.nowMs() + SETTLED_AFTER_MS, () => false);
    },
    check: (known) => {
      for (const [opId, state] of lastWord) {
        const op = known.get(opId)?.op;
        if (op !== undefined && isFinal(op.state) && DOUBTS.has(state)) {
          needs.violate("M7", `${opId} is ${op.state}, and its last message says ${state}`);
        }
      }
      for (const opId of foundRefused) {
        if (lastWord.has(opId)) continue;
        needs.violate("M7", `${opId} was refused and made, and no message says so`);
      }
    },
  };
};
