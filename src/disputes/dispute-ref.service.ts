import type { DisputeWatch } from "./dispute-watch.store.ts";
import type { DisputeRef } from "./dispute-list.ts";
import type { AccountsStore } from "../accounts/accounts.store.ts";
import {
  type Asker,
  type Connection,
  connectionOf,
  readableKey,
} from "../accounts/asker.service.ts";
import { UserError } from "../shared/errors.ts";

/** Stores that find the account of a button. */
interface RefNeeds extends Pick<AccountsStore, "apiKey" | "ofOwner" | "ofWatch"> {
  readonly watched: Pick<DisputeWatch, "find">;
}

/** The person's watch that follows the dispute, or else all, the latest first: the service shows a dispute to its account's keys alone. */
const presentWatches = async (
  { ofOwner, ofWatch, watched }: RefNeeds,
  userId: string,
  infractionId: string,
) => {
  const watchIds = [...new Set((await ofOwner(userId)).map(({ watchId }) => watchId))];
  const kept = await Promise.all(watchIds.map((each) => watched.find(each, infractionId)));
  const following = kept.find((each) => each !== undefined);
  return await Promise.all(
    (following === undefined ? watchIds.toReversed() : [following.watchId]).map(ofWatch),
  );
};

/**
 * The account of a button, for its owner alone: such buttons also stand in channels. The watch that it names ended if
 * the owner disconnected since, and a key connected again has another: of several accounts, each may be the one.
 * @throws UserError not_your_dispute, not_connected, key_unreadable
 */
export const connectionsOfRef = async (
  needs: RefNeeds,
  { userId }: Pick<Asker, "userId">,
  { watchId, infractionId }: DisputeRef,
): Promise<readonly Connection[]> => {
  const named = await needs.ofWatch(watchId);
  const watches = named === undefined ? await presentWatches(needs, userId, infractionId) : [named];
  const connections: Connection[] = [];
  for (const { reader } of watches.filter((each) => each !== undefined)) {
    const { id, ownerId } = reader;
    if (ownerId !== userId) throw new UserError({ kind: "not_your_dispute", ownerId });
    const apiKey = await readableKey(needs.apiKey(id));
    if (apiKey !== undefined) connections.push(connectionOf(reader, apiKey));
  }
  if (connections.length === 0) throw new UserError({ kind: "not_connected" });
  return connections;
};
