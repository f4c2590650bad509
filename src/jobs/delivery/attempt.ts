import {
  type ClaimedDelivery,
  type DeliveryPayload,
  type DeliveryTarget,
  type HistorySearch,
  type PostOutcome,
  referenceOf,
} from "../../domain/delivery.ts";
import {
  type AttemptOutcome,
  isLastWord,
  isMereSilence,
  nextStep,
  postedFrom,
} from "../../domain/settlement.ts";
import { type Clock, MINUTE } from "../../shared/time.ts";

/** What Discord is asked to do. None of these throws. */
export interface Posting {
  /** At most one request that may post. */
  readonly post: (
    channelId: string,
    body: DeliveryPayload & {
      readonly nonce: string;
      readonly enforce_nonce: true;
    },
  ) => Promise<PostOutcome>;
  readonly openDirectMessage: (
    userId: string,
  ) => Promise<{ readonly channelId: string } | PostOutcome>;
  readonly findPosted: (
    channelId: string,
    search: {
      readonly after: Temporal.Instant;
      readonly nonce: string;
      readonly reference: string;
    },
  ) => Promise<HistorySearch>;
}

/** What is to be done with a delivery right before a post. */
export type Verdict =
  | { readonly kind: "holds" }
  | Extract<AttemptOutcome, { readonly kind: "waits" | "moved" | "untrue" }>;

/** Whether what is about to be posted is still so. Never rejects. */
export type StillTrue = (
  claim: Pick<ClaimedDelivery, "accountId" | "attempts" | "dedupeKey" | "kind" | "target">,
) => Promise<Verdict>;

/** Discord's clock, which dates its messages, may be this far from ours. */
const CLOCK_TOLERANCE_MS = 15 * MINUTE;

/**
 * One attempt at a claimed delivery: at most one request that may post, and only when no earlier one did. Nothing is
 * posted after `leaseEnd`: by then another process may have posted it, longer ago than Discord keeps a nonce.
 */
export const attempt = async (
  claim: ClaimedDelivery,
  posting: Posting,
  clock: Clock,
  leaseEnd: Temporal.Instant,
  stillTrue: StillTrue,
): Promise<AttemptOutcome> => {
  const { dedupeKey, nonce, payload, target } = claim;
  const step = nextStep(claim, clock.now());
  if (step === "expire") return { kind: "expired" };
  const channel = await channelOf(target, posting);
  if ("kind" in channel) return channel;
  const find = (): Promise<HistorySearch> => {
    const after = postedFrom(claim).subtract({ milliseconds: CLOCK_TOLERANCE_MS });
    const reference = referenceOf(dedupeKey);
    return posting.findPosted(channel.channelId, { after, nonce, reference });
  };
  if (step === "search") {
    const search = await find();
    // Where nobody lets us read, a repeat that stays unclear is marked already, and has nothing after it.
    const isBlind =
      search.kind === "unreadable" && search.lasting && (isLastWord(claim) || isMereSilence(claim));
    if (search.kind !== "absent" && !isBlind) return search;
  }
  // Also before a repeat: whoever claimed it first may have died before it asked.
  const judged = await stillTrue(claim);
  if (judged.kind !== "holds") {
    const search: HistorySearch = isBlindRepeat(claim, step) ? await find() : { kind: "absent" };
    const isProof = search.kind !== "unreadable" || !search.lasting;
    return search.kind !== "absent" && isProof ? search : judged;
  }
  if (Temporal.Instant.compare(clock.now(), leaseEnd) >= 0)
    return { kind: "unopened", reason: "lease_over" };
  return posting.post(channel.channelId, { ...payload, nonce, enforce_nonce: true });
};

/** An earlier attempt may have posted it, which the nonce would have kept from being posted twice. */
const isBlindRepeat = (
  { firstAttemptAt, claimedAt }: ClaimedDelivery,
  step: ReturnType<typeof nextStep>,
): boolean => step === "post" && Temporal.Instant.compare(firstAttemptAt, claimedAt) < 0;

const channelOf = async (
  target: DeliveryTarget,
  posting: Posting,
): Promise<{ readonly channelId: string } | AttemptOutcome> => {
  if (target.kind === "channel") return { channelId: target.channelId };
  const opened = await posting.openDirectMessage(target.userId);
  return "kind" in opened && opened.kind === "unclear"
    ? { kind: "unopened", reason: opened.reason }
    : opened;
};
