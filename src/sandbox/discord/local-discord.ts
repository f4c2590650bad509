import type { APIApplicationCommand } from "discord-api-types/v10";
import type { VirtualClock } from "../clock.ts";
import type { Faults } from "../faults.ts";
import type { RecordedRequest } from "../recorder.ts";
import type { SandboxPerson } from "../world.ts";
import type { GatewayControl } from "./gateway-control.ts";
import type { PersonView } from "./person-view.ts";
import type { Person } from "./person.ts";
import type { StoredMessage } from "./shown.ts";

export type { GatewayControl } from "./gateway-control.ts";
export type { ChannelView, PersonView } from "./person-view.ts";
export type { CommandInput, Person } from "./person.ts";
export type { Choice, Shown, ShownField, ShownModal, StoredMessage } from "./shown.ts";

export interface LocalDiscordOptions {
  readonly clock: VirtualClock;
  readonly faults: Faults;
  /** Called with every REST request, refused and failed ones included. */
  readonly record?: (request: RecordedRequest) => void;
  /** Any free one by default. */
  readonly port?: number;
  /** Guilds that the bot is in; only the first has channels and people that matter. 1 by default. */
  readonly guildCount?: number;
  /** For how long `enforce_nonce` finds an earlier message, by the virtual clock. 5 minutes by default. */
  readonly nonceWindowMs?: number;
  /** REST requests a second of one bot, interaction endpoints exempt. 50 by default; Infinity: no limit. */
  readonly requestsPerSecond?: number;
  /** Messages that may be posted to one channel in 5 seconds. 5 by default; Infinity: no limit. */
  readonly postsPerChannel?: number;
  /** 41,250 by default, as Discord's. */
  readonly heartbeatIntervalMs?: number;
  /** How long a person waits for the first answer. 3 seconds by default, as Discord's. */
  readonly answerWithinMs?: number;
}

/** One REST request and its answer. */
export interface AnsweredRequest extends RecordedRequest {
  /** Method and path with names for ids, e.g. `POST /channels/{id}/messages`. */
  readonly route: string;
  /** Undefined when the connection was broken or left hanging. */
  readonly status: number | undefined;
  /** Discord's error code, when it refused. */
  readonly code: number | undefined;
  /** Made to fail on purpose. */
  readonly faulty: boolean;
  readonly at: Temporal.Instant;
}

export interface NoncePosts {
  /** POSTs that carried this nonce. */
  attempts: number;
  /** Messages that they made; more than one when the nonce was out of its window or not enforced. */
  readonly messageIds: string[];
}

/** Discord on this machine: REST v10 and gateway v10 over real sockets on 127.0.0.1, and people to act as. */
export interface LocalDiscord {
  /** `http://127.0.0.1:PORT/api`; REST v10 is under `/v10`. */
  readonly apiUrl: string;
  readonly port: number;
  readonly gateway: GatewayControl;

  /** Act as somebody. @throws RangeError when nobody has this id. */
  readonly person: (id: string) => Person;
  readonly addPerson: (person: SandboxPerson) => Person;
  readonly visibleTo: (userId: string) => PersonView;
  /** Told after anything that some screen may show has changed. */
  readonly onChange: (listener: () => void) => () => void;

  /** What the channel holds for everybody, oldest first, without deleted ones. */
  readonly messages: (channelId: string) => readonly StoredMessage[];
  readonly directMessages: (userId: string) => readonly StoredMessage[];
  readonly commands: () => readonly APIApplicationCommand[];

  /** A further text channel of the first guild; gives its id. */
  readonly addChannel: (name: string) => string;
  readonly deleteChannel: (channelId: string) => void;
  readonly deleteMessage: (messageId: string) => void;
  /** All that the bot may do in this channel, as a permission bit set. */
  readonly setBotPermissions: (channelId: string, permissions: bigint) => void;
  /** Takes the bot out of the guild, or back into it. */
  readonly setBotInGuild: (inGuild: boolean) => void;
  /** Another bot token from now on; connections with the old one are closed with 4004. */
  readonly resetToken: (token: string) => void;

  /** The last 10,000 requests, oldest first. */
  readonly requests: () => readonly AnsweredRequest[];
  readonly postsByNonce: () => ReadonlyMap<string, NoncePosts>;
  readonly stop: () => Promise<void>;
}

/** Starts it. The bot's token and the people are those of `world.ts`. */
export const startLocalDiscord = async (_options: LocalDiscordOptions): Promise<LocalDiscord> => {
  throw new Error("Not built yet");
};
