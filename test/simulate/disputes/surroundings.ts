import type { Dice } from "../dice.ts";
import type { VirtualTime } from "../virtual-time.ts";
import type { Ledger, Row } from "./ledger.ts";
import {
  createModelDiscord,
  directChannel,
  type Message,
  type ModelDiscord,
} from "./model-discord.ts";
import { createModelWallet, type DisputeReads } from "./model-wallet.ts";
import type { Truth } from "./truth.ts";
import type { Weather } from "./weather.ts";

interface SurroundingNeeds {
  readonly truth: Truth;
  readonly time: VirtualTime;
  readonly dice: Dice;
  readonly weather: Weather;
  readonly ledger: Ledger;
  readonly keys: ReadonlyMap<string, string>;
  readonly owners: ReadonlyMap<string, string>;
  readonly note: (text: string) => void;
  readonly onPost: (message: Message) => void;
  readonly onReadFailed: (accountId: string, infractionId: string) => void;
  /** A fault of one account; undefined: possibly of all. */
  readonly onTrouble: (row: Row | undefined) => void;
}

/** Whether a service that the account needs is away. */
export const isAway = (row: Row, ledger: Ledger, weather: Weather, nowMs: number): boolean => {
  const route = ledger.routeAt(row.guildId, nowMs);
  const isUnread = (channelId: string): boolean => weather.history(channelId, nowMs) === "failing";
  return (
    weather.walletAway("summary", nowMs) !== undefined ||
    weather.walletAway("dispute", nowMs) !== undefined ||
    weather.discordAway(nowMs) !== undefined ||
    weather.peopleClosed(row.ownerId, nowMs) !== undefined ||
    isUnread(directChannel(row.ownerId)) ||
    (route !== undefined &&
      (weather.channelLost(route.channelId, nowMs) !== undefined || isUnread(route.channelId)))
  );
};

/** The wallet service and Discord, observed by the judges. */
export const createSurroundings = (
  needs: SurroundingNeeds,
): { readonly wallet: DisputeReads; readonly discord: ModelDiscord } => {
  const { time, dice, weather, ledger, keys, owners, note, onTrouble } = needs;
  const wallet = createModelWallet({
    ...needs,
    merchantOf: (apiKey) => keys.get(apiKey),
    onFailure: (apiKey, what, infractionId) => {
      for (const row of ledger.rows.values()) {
        if (owners.get(row.id) !== apiKey || row.isGone) continue;
        if (infractionId !== undefined) needs.onReadFailed(row.id, infractionId);
        onTrouble(row);
      }
      note(`reading ${what} ${infractionId ?? ""} of ${apiKey} fails`);
    },
  });
  const discord = createModelDiscord(time, dice, weather, {
    onAttempt: (nonce, channelId) => {
      ledger.byNonce.get(nonce)?.attempts.push({ atMs: time.nowMs(), channelId });
    },
    onMessage: (message) => {
      const told = ledger.byNonce.get(message.nonce);
      const what = told ? `${told.infractionId} ${told.step}${told.isRepeat ? " again" : ""}` : "";
      note(`${message.id} stands in ${message.channelId}: ${what}`);
      needs.onPost(message);
    },
    onTrouble: (nonce, why) => {
      const told = ledger.byNonce.get(nonce ?? "");
      told?.troubles.add(why);
      note(`Discord: ${why} ${told?.infractionId ?? ""} ${told?.step ?? ""}`);
      onTrouble(ledger.rows.get(told?.accountId ?? ""));
    },
  });
  return { wallet, discord };
};
