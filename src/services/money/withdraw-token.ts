import type { WithdrawOp } from "../../domain/withdraw-op.ts";
import { SECOND } from "../../shared/time.ts";
import { UserError } from "../../shared/errors.ts";
import { randomText } from "../../shared/random.ts";
import type { MoneyNeeds } from "./money-needs.ts";
import type { Actor } from "./money-services.ts";

const TOKEN_BYTES = 16;
const TOKEN_LIFE_MS = 120 * SECOND;

/** A new single-use token; only its hash is kept. */
export const newToken = (
  needs: Pick<MoneyNeeds, "random" | "hashToken">,
  now: Temporal.Instant,
): { readonly token: string; readonly hash: string; readonly expiresAt: Temporal.Instant } => {
  const token = randomText(needs.random, TOKEN_BYTES);
  return {
    token,
    hash: needs.hashToken(token),
    expiresAt: now.add({ milliseconds: TOKEN_LIFE_MS }),
  };
};

/** A draft that waits for the answer to a question, and can never be confirmed. */
export const isQuestion = (op: WithdrawOp): boolean => op.kind !== "cancel" && op.pixKeyHash === "";

/** @throws UserError not_your_button for anybody else, and anywhere else */
export const requireOwnButton = (
  op: Pick<WithdrawOp, "ownerId" | "guildId" | "channelId">,
  actor: Actor,
): void => {
  const own =
    op.ownerId === actor.userId && op.guildId === actor.guildId && op.channelId === actor.channelId;
  if (!own) throw new UserError({ kind: "not_your_button" });
};

export const gone = (): UserError => new UserError({ kind: "confirmation_gone" });

/** Whether it can still be confirmed. */
export const isLive = (op: WithdrawOp, now: Temporal.Instant): boolean =>
  op.state === "draft" &&
  op.confirmExpiresAt !== undefined &&
  Temporal.Instant.compare(now, op.confirmExpiresAt) < 0;

/** Whether its time to be confirmed ended, and nothing else ended it. */
export const ranOut = ({ state, confirmExpiresAt, updatedAt }: WithdrawOp): boolean =>
  state === "abandoned" &&
  confirmExpiresAt !== undefined &&
  Temporal.Instant.compare(confirmExpiresAt, updatedAt) <= 0;

/** A draft that nobody can confirm any more, given up. @throws UserError confirmation_gone when somebody moved it on */
export const expired = async (
  needs: Pick<MoneyNeeds, "journal" | "clock">,
  op: WithdrawOp,
): Promise<WithdrawOp> => {
  const step = { to: "abandoned", reason: "expired" } as const;
  const left = await needs.journal.move(op, step, needs.clock.now());
  if (left.kind !== "moved") throw gone();
  return left.op;
};

/**
 * The question has stood long enough to be read. A clock that was set meanwhile holds nobody up.
 * @throws UserError clicked_too_soon
 */
export const requireRead = (
  { clock, readingMs }: Pick<MoneyNeeds, "clock" | "readingMs">,
  { updatedAt }: WithdrawOp,
): void => {
  const stoodForMs = Math.abs(clock.now().since(updatedAt).total("milliseconds"));
  if (stoodForMs < readingMs) throw new UserError({ kind: "clicked_too_soon" });
};

/** The draft of this token, live or given up. @throws UserError confirmation_gone, not_your_button */
export const draftOfToken = async (
  needs: MoneyNeeds,
  actor: Actor,
  token: string,
): Promise<WithdrawOp> => {
  const op = await needs.journal.findByToken(needs.hashToken(token));
  if (op === undefined) throw gone();
  requireOwnButton(op, actor);
  return op;
};
