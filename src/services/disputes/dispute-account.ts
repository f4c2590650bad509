import type { Account } from "../../domain/account.ts";
import type { DisputeRef } from "../../domain/dispute-list.ts";
import { walletKeyOf } from "../../domain/wallet-key.ts";
import { UserError } from "../../shared/errors.ts";
import type { DisputeConnection, DisputeReadingNeeds } from "./dispute-needs.ts";
import type { DisputeActor } from "./dispute-services.ts";

type Needs = Pick<DisputeReadingNeeds, "find" | "apiKey">;
type WatchNeeds = Pick<DisputeReadingNeeds, "ofWatch" | "apiKey">;

const connectionOf = async (
  needs: Pick<Needs, "apiKey">,
  account: Account | undefined,
): Promise<DisputeConnection> => {
  const apiKey = account && (await needs.apiKey(account.id));
  if (account === undefined || apiKey === undefined) throw new UserError({ kind: "not_connected" });
  return { account, key: walletKeyOf(account, apiKey) };
};

/** The account of whoever asks, in this guild. @throws UserError not_connected */
export const connectionOfAsker = async (
  needs: Needs,
  { guildId, userId }: DisputeActor,
): Promise<DisputeConnection> => await connectionOf(needs, await needs.find(guildId, userId));

/**
 * The account that a button is about, for its owner alone: messages with such buttons stand in channels too.
 * @throws UserError not_your_dispute, not_connected when it was disconnected since
 */
export const connectionOfRef = async (
  needs: WatchNeeds,
  { userId }: Pick<DisputeActor, "userId">,
  { accountId }: DisputeRef,
): Promise<DisputeConnection> => {
  const account = (await needs.ofWatch(accountId))?.reader;
  if (account !== undefined && account.ownerId !== userId) {
    throw new UserError({ kind: "not_your_dispute", ownerId: account.ownerId });
  }
  return await connectionOf(needs, account);
};
