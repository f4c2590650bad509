import type { Account } from "./account.ts";
import type { NewDelivery } from "./delivery.ts";
import type { DeliveryHour } from "./due-instant.ts";

/** Discord's answer to whether somebody is a member of a guild. */
export type PresenceAnswer =
  | { readonly kind: "here" }
  | { readonly kind: "left" }
  /** A limit stood in the way; there is a turn soon. */
  | { readonly kind: "limited"; readonly retryAfterMs: number }
  /** No answer, or none that says either. */
  | { readonly kind: "unknown" };

/** What was heard last of a member. */
export interface KnownPresence {
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
