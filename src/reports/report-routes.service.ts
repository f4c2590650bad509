import type { testPost } from "./test-post.view.ts";
import type { Account } from "../accounts/account.ts";
import type { Stores } from "../stores.ts";
import type { DeliveryHour, DirectHour } from "./report-schedule.ts";
import type { Asker } from "../accounts/asker.service.ts";
import {
  type DeliveryState,
  type NewDelivery,
  referenceOf,
  type RouteChange,
} from "../delivery/delivery.ts";
import { UNDELIVERED_FOR_MS } from "../delivery/delivery-policies.ts";
import { type ReportRoute, testPostResult, type TestPostResult } from "./report-route.ts";
import type { Locale } from "../shared/locale.ts";
import type { SlidingLimit } from "../shared/sliding-limit.ts";
import { type Clock, SECOND } from "../shared/time.ts";
import { UserError } from "../shared/errors.ts";

interface Tester extends Pick<Asker, "guildId" | "userId"> {
  readonly interactionId: string;
}

interface ReportRoutesNeeds extends Pick<Stores, "accounts" | "ledger" | "outbox" | "routes"> {
  readonly clock: Clock;
  /** Of persons: posts they asked for that Discord did not take. */
  readonly failedPosts: SlidingLimit;
  /** Starts sending due deliveries, without waiting for them. */
  readonly wake: () => void;
  readonly pause: (ms: number) => Promise<void>;
  readonly testPost: typeof testPost;
}

/** How long a person waits for the result of a test. Posting all that is due may take minutes. */
const MOST_WAIT_MS = 20 * SECOND;
const LOOK_MS = SECOND / 4;

export const createReportRoutesService = (needs: ReportRoutesNeeds) => {
  const { accounts, clock, failedPosts, outbox, routes } = needs;
  /** Sends a test post, and tells its state once it is settled, or the latest one that a person can wait for. */
  const send = async (
    testerId: string,
    dedupeKey: string,
    place: Pick<NewDelivery, "target" | "guildId">,
    facts: Pick<Parameters<typeof testPost>[0], "route" | "directKey">,
  ): Promise<DeliveryState | undefined> => {
    const waitMs = failedPosts.waitMs(testerId);
    if (waitMs > 0) throw new UserError({ kind: "too_many_failed_posts", waitMs });
    const now = clock.now();
    const payload = needs.testPost({ ...facts, now, reference: referenceOf(dedupeKey) });
    const test: NewDelivery = {
      ...place,
      dedupeKey,
      kind: "test",
      accountId: null,
      payload,
      notBefore: now,
    };
    await outbox.enqueue(test, now);
    needs.wake();
    for (let waitedMs = 0; ; waitedMs += LOOK_MS) {
      const state = await outbox.state(dedupeKey);
      const isOpen = state === "due" || state === "sending";
      if (isOpen && waitedMs < MOST_WAIT_MS) {
        await needs.pause(LOOK_MS);
        continue;
      }
      // Also one that is tried again later: a refused direct message stays due.
      if (state !== "sent") failedPosts.take(testerId);
      return state;
    }
  };

  return {
    find: routes.find,
    chooseDirectTime: routes.chooseDirectTime,
    /** Number of connected sellers in the guild, and of sellers with consent. */
    audience: accounts.audience,
    /** Hour of the owner's direct report, which another server of the same wallet account may decide. */
    directHour: async ({ watchId }: Account): Promise<DirectHour | undefined> =>
      (await needs.ledger.sellersOf(watchId))[0],
    /** A route that was off delivers from now on. */
    save: (guildId: string, change: RouteChange<ReportRoute>) =>
      routes.save(guildId, change, clock.now()),
    /** Number of the owner's direct reports and closes of the last seven days that did not arrive. */
    undelivered: ({ id }: Account) =>
      outbox.undeliveredReports(id, clock.now().subtract({ milliseconds: UNDELIVERED_FOR_MS })),
    /**
     * Posts a marked test message through the outbox, as reports are posted.
     * @throws UserError report_not_configured, too_many_failed_posts
     */
    test: async ({ guildId, userId, interactionId }: Tester) => {
      const route = await routes.find(guildId);
      if (route === undefined) throw new UserError({ kind: "report_not_configured" });
      const { channelId } = route;
      const dedupeKey = `test|${guildId}|${channelId}|${interactionId}`;
      const place = { target: { kind: "channel", channelId }, guildId } as const;
      const result = testPostResult(await send(userId, dedupeKey, place, { route }));
      // The channel takes posts again, so its blocked deliveries are released.
      if (result === "posted" && route.suspendedAt !== undefined) {
        if (await routes.lift(guildId, channelId)) needs.wake();
      }
      return { result, channelId };
    },
    /** The same to the owner of a direct report alone. @throws UserError too_many_failed_posts */
    testDirect: async (
      { id, ownerId, keyLast4 }: Account,
      { time, timeZone }: DeliveryHour,
      locale: Locale,
      interactionId: string,
    ): Promise<TestPostResult> => {
      const place = { target: { kind: "person", userId: ownerId }, guildId: null } as const;
      const route = { active: true, time, timeZone, locale };
      const state = await send(ownerId, `test|${id}|${ownerId}|${interactionId}`, place, {
        route,
        directKey: keyLast4,
      });
      return testPostResult(state);
    },
  };
};
