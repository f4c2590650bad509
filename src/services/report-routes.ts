import {
  type DeliveryPayload,
  type DeliveryState,
  type NewDelivery,
  referenceOf,
} from "../domain/delivery.ts";
import type { ReportRoute } from "../domain/report-route.ts";
import { testPostResult } from "../domain/test-post.ts";
import type { Clock } from "../shared/clock.ts";
import { UserError } from "../shared/errors.ts";
import type { ReportRoutesService } from "./services.ts";

export interface ReportRoutesNeeds {
  readonly clock: Clock;
  readonly find: (guildId: string) => Promise<ReportRoute | undefined>;
  /** Lifts a suspension, and begins at `at` when the route was off or new. */
  readonly save: (
    route: Omit<ReportRoute, "activeSince" | "suspendedAt">,
    at: Temporal.Instant,
    actor: string,
  ) => Promise<ReportRoute>;
  /** Makes what waits for the channel due; true when the route was suspended. */
  readonly lift: (guildId: string, channelId: string) => Promise<boolean>;
  readonly audience: ReportRoutesService["audience"];
  readonly enqueue: (delivery: NewDelivery, at: Temporal.Instant) => Promise<unknown>;
  /** Attempts what is owed now; resolves when each was tried. */
  readonly deliver: () => Promise<unknown>;
  readonly deliveryState: (dedupeKey: string) => Promise<DeliveryState | undefined>;
  readonly testPost: (facts: {
    readonly route: ReportRoute;
    readonly reference: string;
  }) => DeliveryPayload;
}

/** Where a guild's reports go. */
export const createReportRoutesService = (needs: ReportRoutesNeeds): ReportRoutesService => {
  const { clock, find, audience } = needs;
  return {
    find,
    audience,
    save: (route) => needs.save(route, clock.now(), route.updatedBy),
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
      // The channel takes posts again, so what was held back for it can go.
      if (result === "posted" && route.suspendedAt !== undefined) {
        if (await needs.lift(guildId, channelId)) await needs.deliver();
      }
      return { result, channelId };
    },
  };
};
