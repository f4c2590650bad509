import type { Posting, DeliveryPayload } from "#src/delivery/delivery.ts";
import { MINUTE, SECOND } from "#src/shared/time.ts";
import type { Dice } from "../dice.ts";
import type { VirtualTime } from "../virtual-time.ts";
import type { Weather } from "./weather.ts";

export interface Message {
  readonly id: string;
  readonly channelId: string;
  readonly nonce: string;
  readonly atMs: number;
  readonly body: DeliveryPayload;
}

interface DiscordEvents {
  readonly onAttempt: (nonce: string, channelId: string) => void;
  readonly onMessage: (message: Message) => void;
  /** Called when the sender learns no outcome, or is told to retry. */
  readonly onTrouble: (nonce: string | undefined, why: string) => void;
}

export interface ModelDiscord {
  readonly posting: Posting;
  readonly messages: readonly Message[];
}

const DIRECT = "dm-";
export const directChannel = (userId: string): string => `${DIRECT}${userId}`;

/** Channels that keep their posts and honour nonces for a while, across all channels, as documented. */
export const createModelDiscord = (
  time: VirtualTime,
  dice: Dice,
  weather: Weather,
  events: DiscordEvents,
): ModelDiscord => {
  const messages: Message[] = [];
  const byNonce = new Map<string, Message>();
  type Body = Parameters<Posting["post"]>[1];

  const make = (channelId: string, { nonce, ...body }: Body): Message => {
    const known = body.enforce_nonce ? byNonce.get(nonce) : undefined;
    if (known && time.nowMs() - known.atMs < weather.nonceMs) return known;
    const id = `m${messages.length + 1}`;
    const message = { id, channelId, nonce, atMs: time.nowMs(), body };
    messages.push(message);
    byNonce.set(nonce, message);
    events.onMessage(message);
    return message;
  };
  const isClosed = (channelId: string): boolean =>
    weather.peopleClosed(channelId.slice(DIRECT.length), time.nowMs()) !== undefined;

  const post: Posting["post"] = async (channelId, body) => {
    events.onAttempt(body.nonce, channelId);
    await time.sleep(weather.postMs());
    const isDirect = channelId.startsWith(DIRECT);
    if (isDirect && isClosed(channelId)) {
      events.onTrouble(body.nonce, "unreachable");
      return { kind: "unreachable_person", code: 50_007 };
    }
    if (weather.channelLost(channelId, time.nowMs()) !== undefined) {
      events.onTrouble(body.nonce, "lost_channel");
      return { kind: "lost_channel", code: 50_001 };
    }
    const fate = weather.postFate(time.nowMs());
    if (fate !== "answered") events.onTrouble(body.nonce, fate);
    if (fate === "throttled") {
      return { kind: "throttled", retryAfterMs: dice.between(SECOND, 5 * MINUTE) };
    }
    const made = fate === "answered" || fate === "lost_after" ? make(channelId, body) : undefined;
    if (fate === "late") time.after(dice.between(0, 20 * SECOND), () => void make(channelId, body));
    await time.sleep(weather.postMs());
    if (fate === "answered" && made !== undefined) return { kind: "posted", messageId: made.id };
    return { kind: "unclear", reason: fate };
  };

  return {
    messages,
    posting: {
      post,
      openDirectMessage: async (userId) => {
        await time.sleep(weather.postMs());
        const fails = weather.discordAway(time.nowMs()) !== undefined;
        if (!fails) return { channelId: directChannel(userId) };
        events.onTrouble(undefined, "unopened");
        return { kind: "throttled", retryAfterMs: 15 * SECOND };
      },
      findPosted: async (channelId, { after, before, nonce, reference }) => {
        await time.sleep(weather.postMs());
        const history = weather.history(channelId, time.nowMs());
        const found = messages.find(
          (message) =>
            message.channelId === channelId &&
            message.atMs >= after.epochMilliseconds &&
            (before === undefined || message.atMs < before.epochMilliseconds) &&
            JSON.stringify(message.body.embeds).includes(reference),
        );
        await time.sleep(weather.postMs());
        if (history !== "readable") {
          events.onTrouble(nonce, `history_${history}`);
          return { kind: "unreadable", lasting: history === "refused" };
        }
        return found === undefined ? { kind: "absent" } : { kind: "found", messageId: found.id };
      },
    },
  };
};
