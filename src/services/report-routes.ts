import {
  type DeliveryPayload,
  type DeliveryState,
  type NewDelivery,
  notice,
  referenceOf,
} from "../domain/delivery.ts";
import type { Account, Presences } from "../domain/account.ts";
import {
  type ReportAudience,
  type ReportRoute,
  testPostResult,
  type TestPostResult,
} from "../domain/report-route.ts";
import type { Clock } from "../shared/time.ts";
import type { Locale } from "../shared/locale.ts";
import { UserError } from "../shared/errors.ts";

export interface TestPost {
  readonly result: TestPostResult;
  readonly channelId: string;
}

export interface ReportRoutesService {
  readonly find: (guildId: string) => Promise<ReportRoute | undefined>;
  /** Stores the route and lifts a suspension; a route that was off delivers from now on. */
  readonly save: (route: Omit<ReportRoute, "activeSince" | "suspendedAt">) => Promise<ReportRoute>;
  /**
   * Posts a marked test message through the outbox, as reports are posted.
   * @throws UserError report_not_configured
   */
  readonly test: (guildId: string, interactionId: string) => Promise<TestPost>;
  /** Number of connected sellers in the guild, and of sellers with consent. */
  readonly audience: (guildId: string) => Promise<ReportAudience>;
}

export interface ReportRoutesNeeds {
  readonly clock: Clock;
  readonly find: (guildId: string) => Promise<ReportRoute | undefined>;
  /** Lifts a suspension; a route that was off or new begins at `at`. */
  readonly save: (
    route: Omit<ReportRoute, "activeSince" | "suspendedAt">,
    at: Temporal.Instant,
    actor: string,
  ) => Promise<ReportRoute>;
  /** Makes deliveries to the channel due; true when the route was suspended. */
  readonly lift: (guildId: string, channelId: string) => Promise<boolean>;
  readonly audience: ReportRoutesService["audience"];
  readonly enqueue: (delivery: NewDelivery, at: Temporal.Instant) => Promise<unknown>;
  /** Attempts due deliveries now; resolves after the attempts. */
  readonly deliver: () => Promise<unknown>;
  readonly deliveryState: (dedupeKey: string) => Promise<DeliveryState | undefined>;
  readonly wake: () => void;
  readonly ownersIn: (
    guildId: string,
    skipped: number,
    limit: number,
  ) => Promise<readonly string[]>;
  readonly findAccount: (guildId: string, ownerId: string) => Promise<Account | undefined>;
  readonly presences: Pick<Presences, "find">;
  /** Asks an owner for consent to posted reports. */
  readonly reportChannelNotice: (facts: {
    readonly guildId: string;
    readonly channelId: string;
    readonly locale: Locale;
    readonly reference: string;
  }) => DeliveryPayload;
  readonly testPost: (facts: {
    readonly route: ReportRoute;
    readonly reference: string;
  }) => DeliveryPayload;
}

/** More sellers than any server has so far; further sellers can still use `/conta ver`. */
const MOST_ASKED = 1_000;

export const createReportRoutesService = (needs: ReportRoutesNeeds): ReportRoutesService => {
  const { clock, find, audience } = needs;
  /** Asks every seller who has not answered yet, at most once each, and only when there is a channel to name. */
  const askForConsent = async ({ guildId, channelId, locale }: ReportRoute): Promise<void> => {
    for (const ownerId of await needs.ownersIn(guildId, 0, MOST_ASKED)) {
      const account = await needs.findAccount(guildId, ownerId);
      const { leftAt } = (await needs.presences.find(guildId, ownerId)) ?? {};
      if (account === undefined || leftAt !== undefined) continue;
      if (account.reportConsent || account.reportConsentAt !== undefined) continue;
      const dedupeKey = `notice|report_channel|${account.id}`;
      const facts = { guildId, channelId, locale: account.locale ?? locale };
      const now = clock.now();
      const message = notice(
        ownerId,
        { dedupeKey, guildId, accountId: account.id, notBefore: now },
        (reference) => needs.reportChannelNotice({ ...facts, reference }),
      );
      await needs.enqueue(message, now);
    }
    needs.wake();
  };

  return {
    find,
    audience,
    save: async (route) => {
      const before = await find(route.guildId);
      const saved = await needs.save(route, clock.now(), route.updatedBy);
      if (saved.active && before?.active !== true) await askForConsent(saved);
      return saved;
    },
    test: async (guildId, interactionId) => {
      const route = await find(guildId);
      if (route === undefined) throw new UserError({ kind: "report_not_configured" });
      const { channelId } = route;
      const dedupeKey = `test|${guildId}|${channelId}|${interactionId}`;
      const now = clock.now();
      const test: NewDelivery = {
        dedupeKey,
        kind: "test",
        target: { kind: "channel", channelId },
        guildId,
        accountId: null,
        payload: needs.testPost({ route, reference: referenceOf(dedupeKey) }),
        notBefore: now,
      };
      await needs.enqueue(test, now);
      await needs.deliver();
      const result = testPostResult(await needs.deliveryState(dedupeKey));
      // The channel takes posts again, so its blocked deliveries are released.
      if (result === "posted" && route.suspendedAt !== undefined) {
        if (await needs.lift(guildId, channelId)) await needs.deliver();
      }
      return { result, channelId };
    },
  };
};
