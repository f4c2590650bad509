import type { Poster } from "#src/discord/poster.ts";
import { SECOND } from "#src/shared/time.ts";
import type { Dice } from "../dice.ts";
import type { VirtualTime } from "../virtual-time.ts";
import { isWithin, type Span } from "./model-service.ts";

interface DiscordNeeds {
  readonly time: VirtualTime;
  readonly dice: Dice;
  /** Every request fails: in the first half after a timeout, in the second half at once. */
  readonly outages: readonly Span[];
  readonly onPosted: (text: string, channelId: string) => void;
}

/** Discord behind the outbox's port: its channels remember nonces for ever. */
export const createModelDiscord = ({ time, dice, outages, onPosted }: DiscordNeeds): Poster => {
  const made = new Map<string, string>();

  /** Whether the request succeeds, after its latency. */
  const reach = async (): Promise<boolean> => {
    const outage = outages.find((each) => isWithin(each, time.nowMs()));
    const hangs = outage && time.nowMs() < (outage.fromMs + outage.untilMs) / 2;
    await time.sleep(hangs ? 15 * SECOND : dice.between(80, 500));
    return outage === undefined;
  };

  return {
    post: async (channelId, { nonce = "", embeds }) => {
      if (!(await reach())) return { kind: "unclear", reason: "unavailable" };
      const known = made.get(nonce);
      if (known !== undefined) return { kind: "posted", messageId: known };
      const messageId = String(made.size + 1);
      made.set(nonce, messageId);
      onPosted(JSON.stringify(embeds), channelId);
      return { kind: "posted", messageId };
    },
    edit: async () => ((await reach()) ? "edited" : "later"),
    openDirectMessage: async (userId) =>
      (await reach())
        ? { channelId: `direct-${userId}` }
        : { kind: "throttled", retryAfterMs: 15 * SECOND },
    findPosted: async (_channelId, { nonce }) => {
      if (!(await reach())) return { kind: "unreadable", lasting: false };
      const messageId = made.get(nonce);
      return messageId === undefined ? { kind: "absent" } : { kind: "found", messageId };
    },
    // Members stay in their servers during that day.
    askPresence: async () => ({ kind: "here" }),
    guildName: async () => undefined,
    close: () => {},
  };
};
