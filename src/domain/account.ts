import type { Locale } from "../shared/locale.ts";
import type { AlertChoice, AlertRoute } from "./dispute-alert.ts";
import type { DeliveryTarget, NewDelivery } from "./delivery.ts";
import type { DeliveryHour } from "./report-schedule.ts";

/** One seller's connected API key in one guild. The key itself stays encrypted in the store. */
export interface Account {
  readonly id: string;
  readonly guildId: string;
  /** Discord user whose key this is: the only one whose commands use it. */
  readonly ownerId: string;
  /** Discord user who typed the key: the owner, or an admin on the owner's behalf. */
  readonly connectedBy: string;
  readonly keyLast4: string;
  /** Keyed hash of the API key: the same key gives the same fingerprint in every guild. */
  readonly keyFingerprint: string;
  /**
   * Keyed hash of the service's user id: the same for every key of a wallet account. While the id is not known, the
   * fingerprint of the key. Source: service.md 2.7.
   */
  readonly accountFp: string;
  /** Under this id the disputes of the wallet account are watched for this owner, in however many guilds. */
  readonly watchId: string;
  /** Whether the service's own user id was seen to be the owner's. */
  readonly ownerVerified: boolean;
  /** Whether the owner agreed to the daily report in the guild's channel. */
  readonly reportConsent: boolean;
  /** When the consent was last given; reports begin after it. */
  readonly reportConsentAt: Temporal.Instant | undefined;
  /** Where the owner wants to be told of disputes. */
  readonly alerts: AlertChoice;
  /** Language in which the owner connected the key or last chose where alerts go; undefined: an admin connected it. */
  readonly locale: Locale | undefined;
  /** Set while the service refuses the key (401): its jobs wait until it works again. */
  readonly pausedAt: Temporal.Instant | undefined;
  readonly connectedAt: Temporal.Instant;
}

/** What goes with a connection besides its key, its consent and its reports. */
export interface ConnectionLosses {
  /** These two go with the owner's last connection anywhere. */
  readonly proofs: number;
  readonly pixKeys: number;
  /** The owner chose a channel, or silence, for alerts. */
  readonly alertChoice: boolean;
  /** Disputes without an answer that nobody reminds of any more. */
  readonly disputes: number;
  /** The soonest of their deadlines. */
  readonly dueAt: Temporal.Instant | undefined;
}

/** Language in which an alert is read: the channel's, or the owner's as far as it is known. */
export const alertLocale = (
  kind: DeliveryTarget["kind"],
  account: Pick<Account, "locale"> | undefined,
  route: Pick<AlertRoute, "locale"> | undefined,
): Locale => (kind === "person" ? account?.locale : undefined) ?? route?.locale ?? "pt-BR";

/** Where the owner wants alerts now, when any at all; a channel that cannot be posted to is none. */
export const alertTarget = (
  { alerts, ownerId }: Pick<Account, "alerts" | "ownerId">,
  route: AlertRoute | undefined,
): DeliveryTarget =>
  alerts === "channel" && route?.active === true && route.suspendedAt === undefined
    ? { kind: "channel", channelId: route.channelId }
    : { kind: "person", userId: ownerId };

/** Discord's answer to whether somebody is a member of a guild. */
export type PresenceAnswer =
  | { readonly kind: "here" }
  | { readonly kind: "left" }
  /** A limit stood in the way; there is a turn soon. */
  | { readonly kind: "limited"; readonly retryAfterMs: number }
  /** No answer, or none that says either. */
  | { readonly kind: "unknown" };

/** What was heard last of a member. */
interface KnownPresence {
  /** UTC day on which Discord answered: it is asked once in each. */
  readonly askedOn: Temporal.PlainDate;
  /** When it was first heard that the member is gone; undefined while the member is there. */
  readonly leftAt: Temporal.Instant | undefined;
}

/** Whether sellers are still in the guilds where they connected a key. */
export interface Presences {
  /** Undefined when nobody ever asked. */
  readonly find: (guildId: string, ownerId: string) => Promise<KnownPresence | undefined>;
  /**
   * Sellers whose reports go out at these hours and of whom nothing was heard from that day on, by their ids after
   * `after`.
   */
  readonly unheard: (
    hours: readonly DeliveryHour[],
    since: Temporal.PlainDate,
    after: string,
    limit: number,
  ) => Promise<readonly Account[]>;
  /**
   * Keeps an answer. `notice` is owed with the first that says that the member left, and again only after the member was
   * seen there. False, with nothing kept, when the connection has gone.
   */
  readonly keep: (
    guildId: string,
    ownerId: string,
    answer: "here" | "left",
    at: Temporal.Instant,
    notice: NewDelivery | undefined,
  ) => Promise<boolean>;
}
