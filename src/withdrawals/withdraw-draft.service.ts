import type { SeenPixKey } from "./pix-key-book.store.ts";
import {
  isSplit,
  isWithdrawal,
  type NewWithdrawOp,
  type WithdrawKind,
  type WithdrawOp,
} from "./withdraw-op.ts";
import { DAY, SECOND } from "../shared/time.ts";
import { UserError } from "../shared/errors.ts";
import { randomText } from "../shared/random.ts";
import type { Confirmation } from "./withdraw-facts.ts";
import type { Actor, MoneyNeeds } from "./money-services.service.ts";
import type { PixKey } from "./pix-key.ts";
import { isNight, underWay } from "./withdraw-limits.ts";
import { recentOf } from "./withdraw-rules.service.ts";
import type { PixKeyCheck, WithdrawalPage } from "./withdrawal.ts";
import { Secret } from "../shared/secret.ts";

const TOKEN_BYTES = 16;
const TOKEN_LIFE_MS = 120 * SECOND;
/** A person needs longer to read a question: an earlier click was meant for the message before it. */
export const READING_MS = 2 * SECOND;

/** A new single-use token; the database keeps only its hash. */
export const newToken = (
  needs: Pick<MoneyNeeds, "random" | "hashToken">,
  now: Temporal.Instant,
) => {
  const token = randomText(needs.random, TOKEN_BYTES);
  const confirmExpiresAt = now.add({ milliseconds: TOKEN_LIFE_MS });
  return { token, waits: { confirmTokenHash: needs.hashToken(token), confirmExpiresAt } };
};

/** Keeps a draft that waits for the click with its new token. `reason`: of its first event. */
export const newDraft = async (
  needs: Pick<MoneyNeeds, "random" | "hashToken" | "journal" | "clock">,
  fields: Omit<NewWithdrawOp, "confirmTokenHash" | "confirmExpiresAt">,
  reason?: string,
): Promise<Pick<Confirmation, "op" | "token" | "expiresAt">> => {
  const now = needs.clock.now();
  const { token, waits } = newToken(needs, now);
  const op = await needs.journal.draft({ ...fields, ...waits }, now, reason);
  return { op, token, expiresAt: waits.confirmExpiresAt };
};

/** Fields of a draft that pays no PIX key as yet, confirmed once. */
export const NO_KEY = {
  pixKey: "",
  pixKeyHash: "",
  pixKeyMasked: "",
  recipientId: undefined,
  confirmationsLeft: 1,
  preTxids: undefined,
  preBalance: undefined,
  skewMs: undefined,
} as const;

/** Whether the draft waits for the answer to a key question; such a draft can never be confirmed. */
export const isQuestion = (op: WithdrawOp): boolean =>
  isWithdrawal(op.kind) && op.pixKeyHash === "";

/**
 * A direct message has no guild: the operation keeps that of the account it was asked with.
 * @throws UserError not_your_button for another person, guild or channel
 */
export const requireOwnButton = (
  op: Pick<WithdrawOp, "ownerId" | "guildId" | "channelId">,
  actor: Actor,
): void => {
  const isGuilds = actor.guildId === "" || op.guildId === actor.guildId;
  const own = op.ownerId === actor.userId && isGuilds && op.channelId === actor.channelId;
  if (!own) throw new UserError({ kind: "not_your_button" });
};

export const confirmationGone = (): UserError => new UserError({ kind: "confirmation_gone" });

/** Whether the draft can still be confirmed. */
export const isLive = (op: WithdrawOp, now: Temporal.Instant): boolean =>
  op.state === "draft" &&
  op.confirmExpiresAt !== undefined &&
  Temporal.Instant.compare(now, op.confirmExpiresAt) < 0;

/** Whether the draft expired, as opposed to being given up. */
export const ranOut = ({ state, confirmExpiresAt, updatedAt }: WithdrawOp): boolean =>
  state === "abandoned" &&
  confirmExpiresAt !== undefined &&
  Temporal.Instant.compare(confirmExpiresAt, updatedAt) <= 0;

/** Abandons a draft. @throws UserError confirmation_gone when another click changed it first */
export const abandon = async (
  needs: Pick<MoneyNeeds, "journal" | "clock">,
  op: WithdrawOp,
  reason = "expired",
): Promise<WithdrawOp> => {
  const left = await needs.journal.move(op, { to: "abandoned", reason }, needs.clock.now());
  if (left.kind !== "moved") throw confirmationGone();
  return left.op;
};

/**
 * Refuses a click that comes too soon to have been read. A clock that was set back blocks no click.
 * @throws UserError clicked_too_soon
 */
export const requireRead = (
  { clock, readingMs }: Pick<MoneyNeeds, "clock" | "readingMs">,
  { updatedAt }: WithdrawOp,
): void => {
  const stoodForMs = Math.abs(clock.now().since(updatedAt).total("milliseconds"));
  if (stoodForMs < readingMs) throw new UserError({ kind: "clicked_too_soon" });
};

/** The draft of this token, live or abandoned. @throws UserError confirmation_gone, not_your_button */
export const draftOfToken = async (
  needs: MoneyNeeds,
  actor: Actor,
  token: string,
): Promise<WithdrawOp> => {
  const op = await needs.journal.findByToken(needs.hashToken(token));
  if (op === undefined) throw confirmationGone();
  requireOwnButton(op, actor);
  return op;
};

type AskedTwice = Confirmation["askedTwice"][number];

/** Reasons why a single click is not enough. */
export const askedTwice = (facts: {
  readonly kind: WithdrawKind;
  readonly key: PixKey;
  readonly seen: SeenPixKey;
  readonly listRead: boolean;
}): readonly AskedTwice[] => {
  const reasons: readonly (readonly [AskedTwice, boolean])[] = [
    ["new_key", facts.seen.lastUsedAt === undefined],
    ["unreadable_list", !facts.listRead],
    ["split", isSplit(facts.kind)],
    ["suspect_key", facts.key.suspect],
  ];
  return reasons.filter(([, holds]) => holds).map(([reason]) => reason);
};

interface ConfirmationFacts extends Pick<
  Confirmation,
  "op" | "token" | "expiresAt" | "sentMeanwhile"
> {
  readonly key: PixKey;
  readonly seen: SeenPixKey;
  readonly holder: PixKeyCheck | undefined;
  readonly hasPin: boolean;
  /** The service's list, read just now; undefined when it was unreadable. */
  readonly page: WithdrawalPage | undefined;
}

/** Facts of the confirmation as far as they are known. */
export const confirmationOf = async (
  needs: MoneyNeeds,
  facts: ConfirmationFacts,
): Promise<Confirmation> => {
  const { op, key, seen, holder, page, sentMeanwhile } = facts;
  const { journal } = needs;
  const now = needs.clock.now();
  const { accountFp, ownerId, recipientId } = op;
  const open = await journal.openOf(accountFp);
  const claimed = await journal.claimantsOf(accountFp, page?.items.map(({ txid }) => txid) ?? []);
  const sentAt = await journal.lastSentAt(accountFp);
  const isSpent = sentAt !== undefined && Temporal.Instant.compare(sentAt, op.createdAt) >= 0;
  return {
    kind: "confirmation",
    op,
    token: facts.token,
    expiresAt: facts.expiresAt,
    confirmationsLeft: op.confirmationsLeft,
    askedTwice: askedTwice({ kind: op.kind, key, seen, listRead: op.preTxids !== undefined }),
    // The PIN is asked for only with the click that sends.
    pinRequired: facts.hasPin && op.confirmationsLeft === 1,
    pixKey: { value: new Secret(key.value), type: key.type },
    holderName: holder?.holderName,
    bankName: holder?.bankName,
    available: sentMeanwhile || isSpent ? undefined : op.preBalance,
    sentMeanwhile,
    underWay: underWay(open, page, claimed, ownerId),
    recent: await recentOf(needs, accountFp, { sentAt, page, claimed }, now),
    nextAllowedAt: now.add({ milliseconds: DAY }),
    night: isNight(now),
    lastSplitBalance:
      recipientId === undefined
        ? undefined
        : await needs.splitBalances.last(accountFp, recipientId),
    keySaved: seen.saved,
  };
};
