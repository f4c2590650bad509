import { setImmediate } from "node:timers/promises";
import type {
  DeliveryPayload,
  Posting,
  HistorySearch,
  PostOutcome,
  UnopenedChannel,
} from "#src/delivery/delivery.ts";
import { type Clock, MINUTE } from "#src/shared/time.ts";
import { createDeliver, type DeliverNeeds } from "#src/delivery/deliver.job.ts";
import { noMetrics } from "#src/shared/metrics.ts";
import { quietLog } from "./databases.ts";

interface PostedMessage {
  readonly id: string;
  readonly channelId: string;
  readonly nonce: string;
  readonly at: Temporal.Instant;
  /** All text of the message, for searches. */
  readonly text: string;
  /** The sentence outside of embeds. */
  readonly content: string;
  readonly pings: DeliveryPayload["pings"];
}

/** A fault of one post: before or after the message was created. */
export type Mishap = { readonly outcome: PostOutcome; readonly made: boolean };

/** Channels that keep their posts and honour nonces as Discord documents. */
export interface FakeChannels extends Omit<Posting, "post"> {
  /** Replaceable, to make it hang. */
  post: Posting["post"];
  readonly messages: readonly PostedMessage[];
  readonly inChannel: (channelId: string) => readonly PostedMessage[];
  mishap: ((channelId: string) => Mishap | undefined) | undefined;
  searchMishap:
    | ((
        channelId: string,
        search: Parameters<Posting["findPosted"]>[1],
      ) => HistorySearch | undefined)
    | undefined;
  openMishap: (() => UnopenedChannel | undefined) | undefined;
}

const NONCE_WINDOW_MS = 3 * MINUTE;
const DIRECT = "dm-";

export const directChannel = (userId: string): string => `${DIRECT}${userId}`;

export const createFakeChannels = (clock: Clock): FakeChannels => {
  const messages: PostedMessage[] = [];
  const byNonce = new Map<string, PostedMessage>();
  const made = (channelId: string, body: Parameters<Posting["post"]>[1]): PostedMessage => {
    const { nonce, pings, embeds, content } = body;
    const at = clock.now();
    const known = byNonce.get(nonce);
    const ageMs = known && Math.abs(at.epochMilliseconds - known.at.epochMilliseconds);
    if (known && ageMs !== undefined && ageMs < NONCE_WINDOW_MS) return known;
    const text = JSON.stringify(embeds ?? content);
    const message = {
      id: `m${messages.length + 1}`,
      channelId,
      nonce,
      at,
      text,
      content: content ?? "",
      pings,
    };
    messages.push(message);
    byNonce.set(nonce, message);
    return message;
  };
  const channels: FakeChannels = {
    messages,
    inChannel: (channelId) => messages.filter((message) => message.channelId === channelId),
    mishap: undefined,
    searchMishap: undefined,
    openMishap: undefined,
    post: async (channelId, body) => {
      // Lets other tasks run, as a socket would.
      await setImmediate();
      const mishap = channels.mishap?.(channelId);
      if (mishap !== undefined && !mishap.made) return mishap.outcome;
      const { id } = made(channelId, body);
      return mishap?.outcome ?? { kind: "posted", messageId: id };
    },
    openDirectMessage: async (userId) =>
      channels.openMishap?.() ?? { channelId: directChannel(userId) },
    findPosted: async (channelId, search) => {
      const { after, before, reference } = search;
      const mishap = channels.searchMishap?.(channelId, search);
      if (mishap !== undefined) return mishap;
      const found = messages.find(
        (message) =>
          message.channelId === channelId &&
          message.text.includes(reference) &&
          Temporal.Instant.compare(message.at, after) >= 0 &&
          (before === undefined || Temporal.Instant.compare(message.at, before) < 0),
      );
      return found === undefined ? { kind: "absent" } : { kind: "found", messageId: found.id };
    },
  };
  return channels;
};

/** The job that posts, with what most tests do not look at. */
export const testDeliver = (
  needs: Pick<DeliverNeeds, "clock" | "outbox" | "posting"> & Partial<DeliverNeeds>,
): ReturnType<typeof createDeliver> =>
  createDeliver({
    log: quietLog,
    metrics: noMetrics,
    owner: "one",
    hooks: {},
    revalidate: async () => ({ kind: "holds" }),
    ...needs,
  });
