import { type ClaimedDelivery, type NewDelivery, nonceOf } from "#src/delivery/delivery.ts";
import type { Account, DestinationChoice } from "#src/accounts/account.ts";
import {
  type AlertRoute,
  type AlertStep,
  type WatchedDispute,
} from "#src/disputes/dispute-alert.ts";
import type { Message } from "./model-discord.ts";
import { createTimeline, type Timeline } from "./truth.ts";

/** One alert in the outbox. */
export interface Told {
  readonly accountId: string;
  readonly infractionId: string;
  readonly step: AlertStep;
  readonly dueMs: number;
  /** When it was last enqueued. */
  atMs: number;
  readonly isRepeat: boolean;
  delivery: NewDelivery;
  readonly messages: Message[];
  readonly attempts: { readonly atMs: number; readonly channelId: string }[];
  readonly troubles: Set<string>;
  claims: number;
  /** From here on its text may stand on Discord. */
  firstClaimMs: number | undefined;
  /** Claims that their holder settled; in the other claims the process died. */
  settles: number;
  settled: string | undefined;
  /** Until when the check before the post has postponed it; 0: not postponed. */
  putOffMs: number;
  withdrawn: boolean;
}

/** One dispute as one account's owner sees it. */
export interface Case {
  readonly accountId: string;
  readonly infractionId: string;
  readonly keptMs: number;
  /** Its owner read it first, so its state at that time is no news. */
  readonly isFollowed: boolean;
  /** The watch began without an alert. */
  readonly isSilent: boolean;
  readonly told: Told[];
  /** Whether the owner's acknowledgement of it as answered holds. */
  readonly word: Timeline<boolean>;
  /** When the service's readings ended an acknowledgement. */
  readonly failedWordsMs: number[];
  readonly snoozedUntilMs: Timeline<number>;
  readonly known: Timeline<WatchedDispute>;
}

export interface Row {
  readonly id: string;
  readonly guildId: string;
  readonly ownerId: string;
  readonly merchant: string;
  readonly connectedMs: number;
  readonly choice: Timeline<DestinationChoice | "gone">;
  isPaused: boolean;
  isGone: boolean;
  baselineMs: number | undefined;
  readonly cases: Map<string, Case>;
}

/** The judge's record of people's choices and the bot's commits. */
export interface Ledger {
  readonly rows: ReadonlyMap<string, Row>;
  readonly routes: ReadonlyMap<string, Timeline<AlertRoute>>;
  readonly byNonce: ReadonlyMap<string, Told>;
  /** The claimed alert: one that goes elsewhere than before has a nonce of its own from then on. */
  readonly toldOf: (claim: Pick<ClaimedDelivery, "dedupeKey" | "nonce">) => Told | undefined;
  readonly routeAt: (guildId: string, atMs: number) => AlertRoute | undefined;
  readonly onAccount: (account: Account, merchant: string) => void;
  readonly onGone: (accountId: string) => void;
  readonly onRoute: (route: AlertRoute) => void;
  readonly onKept: (dispute: WatchedDispute, isFollowed: boolean, isSilent: boolean) => Case;
  readonly onDelivery: (delivery: NewDelivery, dueMs: number | undefined) => Told | undefined;
}

export const createLedger = (nowMs: () => number): Ledger => {
  const rows = new Map<string, Row>();
  const routes = new Map<string, Timeline<AlertRoute>>();
  const byNonce = new Map<string, Told>();
  const routeAt = (guildId: string, atMs: number): AlertRoute | undefined =>
    routes.get(guildId)?.at(atMs);
  /** It was cancelled, and is owed again. */
  const handedAgain = (told: Told, delivery: NewDelivery): Told => {
    const isUntold = told.settled === "obsolete" || told.settled === "unknown";
    if (!isUntold && !told.withdrawn) return told;
    const again = { atMs: nowMs(), delivery, settled: undefined, withdrawn: false };
    return Object.assign(told, again);
  };
  return {
    rows,
    routes,
    byNonce,
    toldOf: ({ dedupeKey, nonce }) => {
      const told = byNonce.get(nonceOf(dedupeKey));
      if (told !== undefined) byNonce.set(nonce, told);
      return told;
    },
    routeAt,
    onAccount: (account, merchant) => {
      const { id, guildId, ownerId, alerts } = account;
      const row = rows.get(id) ?? {
        id,
        guildId,
        ownerId,
        merchant,
        connectedMs: nowMs(),
        choice: createTimeline<DestinationChoice | "gone">(),
        isPaused: false,
        isGone: false,
        baselineMs: undefined,
        cases: new Map<string, Case>(),
      };
      rows.set(id, row);
      row.isPaused = account.pausedAt !== undefined;
      if (row.choice.at(nowMs()) !== alerts) row.choice.set(nowMs(), alerts);
    },
    onGone: (accountId) => {
      const row = rows.get(accountId);
      if (row === undefined) return;
      row.isGone = true;
      row.choice.set(nowMs(), "gone");
    },
    onRoute: (route) => {
      const line = routes.get(route.guildId) ?? createTimeline<AlertRoute>();
      routes.set(route.guildId, line);
      line.set(nowMs(), route);
    },
    onKept: ({ watchId: accountId, infractionId }, isFollowed, isSilent) => {
      const fresh: Case = {
        accountId,
        infractionId,
        keptMs: nowMs(),
        isFollowed,
        isSilent,
        told: [],
        word: createTimeline<boolean>(),
        failedWordsMs: [],
        snoozedUntilMs: createTimeline<number>(),
        known: createTimeline<WatchedDispute>(),
      };
      rows.get(accountId)?.cases.set(infractionId, fresh);
      return fresh;
    },
    onDelivery: (delivery, dueMs) => {
      const nonce = nonceOf(delivery.dedupeKey);
      const about = delivery.alert;
      if (about === undefined) return undefined;
      const before = byNonce.get(nonce);
      if (before !== undefined) return handedAgain(before, delivery);
      const { watchId: accountId, infractionId, step } = about;
      const own = rows.get(accountId)?.cases.get(infractionId);
      const isRepeat = delivery.repeatOf !== undefined;
      const first = own?.told.find((each) => each.delivery.dedupeKey === delivery.repeatOf);
      const told: Told = {
        accountId,
        infractionId,
        step,
        dueMs: about.dueAt?.epochMilliseconds ?? dueMs ?? first?.dueMs ?? 0,
        atMs: nowMs(),
        isRepeat,
        delivery,
        messages: [],
        attempts: [],
        troubles: new Set(),
        claims: 0,
        firstClaimMs: undefined,
        settles: 0,
        settled: undefined,
        putOffMs: 0,
        withdrawn: false,
      };
      own?.told.push(told);
      byNonce.set(nonce, told);
      return told;
    },
  };
};
