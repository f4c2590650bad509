import type { Cents } from "../shared/money.ts";
import type { Locale } from "../shared/locale.ts";
import type { AlertRoute } from "../disputes/dispute-alert.ts";
import type { WithdrawKind } from "../withdrawals/withdraw-op.ts";
import { type DeliveryTarget, isRouteOpen } from "../delivery/delivery.ts";

/** Where one key's alerts, notices or reports go: the guild's channel, the owner's direct messages, or nowhere. */
export const destinationChoices = ["channel", "direct", "off"] as const;

export type DestinationChoice = (typeof destinationChoices)[number];

/** One seller's connected API key in one guild. The key itself stays encrypted in the store. */
export interface Account {
  readonly id: string;
  readonly guildId: string;
  /** Discord user who owns the key: only this user's commands use it. */
  readonly ownerId: string;
  /** Discord user who typed the key: the owner, or an admin on the owner's behalf. */
  readonly connectedBy: string;
  readonly keyLast4: string;
  /** Keyed hash of the API key: the same key gives the same fingerprint in every guild. */
  readonly keyFingerprint: string;
  /** Keyed hash of the service's user id: the same for every key of a wallet account. Source: service.md 2.7. */
  readonly accountFp: string;
  /** The disputes of the wallet account are watched under this id, one for each owner, across guilds. */
  readonly watchId: string;
  /** Whether the service's user id was seen to equal the owner's Discord id. */
  readonly ownerVerified: boolean;
  /** Whether the owner agreed to the daily report in the guild's channel. */
  readonly reportConsent: boolean;
  /** Whether the owner has the daily report by direct message instead. */
  readonly reportDirect: boolean;
  /** Time of the last consent or choice, after which reports begin, or of a first refusal; undefined: no answer yet. */
  readonly reportConsentAt: Temporal.Instant | undefined;
  /** Where the owner wants dispute alerts. */
  readonly alerts: DestinationChoice;
  /**
   * Language in which the owner connected a key, chose where posts go, or read `/conta ver`, here or in another server when
   * it was connected; undefined: an admin connected it.
   */
  readonly locale: Locale | undefined;
  /** Set while the service refuses the key (401): jobs skip the account until the key works again. */
  readonly pausedAt: Temporal.Instant | undefined;
  /** When the wallet account was connected in the guild; another key of it leaves the time. */
  readonly connectedAt: Temporal.Instant;
}

/** The connection by which alerts of its wallet account go out. */
export interface ToldAccount extends Account {
  /** Whether the owner has connected other wallet accounts too. */
  readonly hasOthers?: boolean;
}

/** Where the owner's daily report goes. */
export const reportChoice = ({
  reportConsent,
  reportDirect,
}: Pick<Account, "reportConsent" | "reportDirect">): DestinationChoice => {
  if (reportConsent) return "channel";
  return reportDirect ? "direct" : "off";
};

/**
 * Those of a wallet account's connections that give a right. While it has a key that the service accepts, owners with
 * refused keys alone are left out: a key is revoked to end their sight of the account and their actions.
 */
export const entitledAmong = (all: readonly Account[]): readonly Account[] => {
  const accepted = all.filter(({ pausedAt }) => pausedAt === undefined);
  const entitled = new Set((accepted.length > 0 ? accepted : all).map(({ ownerId }) => ownerId));
  return all.filter(({ ownerId }) => entitled.has(ownerId));
};

export const isEntitledAmong = (all: readonly Account[], ownerId: string): boolean =>
  entitledAmong(all).some((each) => each.ownerId === ownerId);

/**
 * A connection of each other owner who has the right of `entitledAmong`, one with a known language where there is one. Who
 * typed the key of `saved` is left out.
 */
export const otherOwnersOf = (
  { ownerId, connectedBy }: Account,
  all: readonly Account[],
): readonly Account[] => {
  const others = entitledAmong(all).filter(
    (each) => each.ownerId !== ownerId && each.ownerId !== connectedBy,
  );
  const known = others.filter(({ locale }) => locale !== undefined);
  return [...new Map([...others, ...known].map((each) => [each.ownerId, each])).values()];
};

/** Whether `owned`, the owner's connections, have no other key of the wallet account that the service accepts. */
export const isLastKey = (
  { watchId, keyFingerprint }: Account,
  owned: readonly Account[],
): boolean =>
  owned.every(
    (each) =>
      each.watchId !== watchId ||
      each.keyFingerprint === keyFingerprint ||
      each.pausedAt !== undefined,
  );

/** Data lost with a connection, besides its key. */
export interface ConnectionLosses {
  /** Proofs, and PIX keys that were saved or used, are erased with the owner's last connection in any guild. */
  readonly proofs: number;
  readonly pixKeys: number;
  /** Whether the owner's choice of a channel, or of silence, for alerts is lost. */
  readonly alertChoice: boolean;
  /** Whether alerts of the wallet account end although it stays connected: off elsewhere, or with refused keys. */
  readonly alertsEnd: boolean;
  /** Unanswered disputes that lose their reminders. */
  readonly disputes: number;
  /** Soonest deadline of these disputes. */
  readonly dueAt: Temporal.Instant | undefined;
  /** Charges without an end, which the bot has stopped following. */
  readonly charges: number;
  /** Whether the address that the service calls is lost. */
  readonly webhook: boolean;
  /** Amount of the month's goal in the server. */
  readonly goal: Cents | undefined;
  /** Whether the report still comes by direct message, through another connection. */
  readonly directGoesOn: boolean;
  /** Whether notices of sales end. */
  readonly saleNotices: boolean;
  /** Whether the daily report and the closes end. Of a key in another one's place: a deletion speaks of them itself. */
  readonly report?: boolean;
}

/** Operations under way that only one connection can follow. */
export interface UnfinishedOperations {
  /** Code of the oldest; undefined for another owner's. */
  readonly opId: string | undefined;
  /** Of the oldest. */
  readonly kind: WithdrawKind;
  /** Number of the others. */
  readonly others: number;
}

/** Facts of the question before a connection is deleted. */
export interface Disconnection {
  /** Differs for each key, and for other unfinished operations. */
  readonly questionId: string;
  readonly unfinished: UnfinishedOperations | undefined;
  readonly losses: ConnectionLosses;
}

/** Language of an alert: the channel's, or the owner's if known. */
export const alertLocale = (
  kind: DeliveryTarget["kind"],
  account: Pick<Account, "locale"> | undefined,
  route: Pick<AlertRoute, "locale"> | undefined,
): Locale => (kind === "person" ? account?.locale : undefined) ?? route?.locale ?? "pt-BR";

/** Where alerts go now. A missing, switched off or suspended channel falls back to the owner's direct messages. */
export const alertTarget = (
  { alerts, ownerId }: Pick<Account, "alerts" | "ownerId">,
  route: AlertRoute | undefined,
): DeliveryTarget =>
  alerts === "channel" && isRouteOpen(route)
    ? { kind: "channel", channelId: route.channelId }
    : { kind: "person", userId: ownerId };

/** Discord's answer to whether a user is a member of a guild. */
export type PresenceAnswer =
  | { readonly kind: "here" }
  | { readonly kind: "left" }
  /** A rate limit prevented the question; another turn comes soon. */
  | { readonly kind: "limited"; readonly retryAfterMs: number }
  /** No answer, or an unclear answer. `isBotOutside`: the bot itself is not in the guild, so that the answer says so of each member. */
  | { readonly kind: "unknown"; readonly isBotOutside?: boolean };

/**
 * Whether the report of the wallet account goes on by direct message through one of these other connections of the owner:
 * a refused key brings no report, and continues only the reports that another refused key owes.
 */
export const hasDirectReport = (
  { watchId, pausedAt }: Account,
  others: readonly Account[],
): boolean =>
  others.some(
    (each) =>
      each.watchId === watchId &&
      each.reportDirect &&
      (pausedAt !== undefined || each.pausedAt === undefined),
  );

/** Whether both keys are known to belong to the same wallet account. */
export const isSameWallet = (
  before: Account,
  after: { readonly fingerprint: string; readonly accountFp: string },
): boolean => before.accountFp === after.accountFp || before.keyFingerprint === after.fingerprint;
