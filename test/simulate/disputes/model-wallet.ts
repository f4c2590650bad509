import type { WalletClient } from "#src/wallet/client.ts";
import { WalletError, type WalletErrorKind } from "#src/shared/errors.ts";
import type { Dice } from "../dice.ts";
import type { VirtualTime } from "../virtual-time.ts";
import type { Truth } from "./truth.ts";
import type { ReadName, Weather } from "./weather.ts";

interface ModelWalletNeeds {
  readonly truth: Truth;
  readonly time: VirtualTime;
  readonly dice: Dice;
  readonly weather: Weather;
  readonly merchantOf: (apiKey: string) => string | undefined;
  readonly onFailure: (apiKey: string, what: ReadName, infractionId: string | undefined) => void;
}

const FAILURES: readonly [WalletErrorKind, ...WalletErrorKind[]] = [
  "unavailable",
  "timeout",
  "malformed",
  "rate_limited",
  "unreachable",
];

const failed = (kind: WalletErrorKind): WalletError =>
  new WalletError({ kind, method: "GET", route: "/v1/meds" });

/** The reads of the wallet service that the watch of disputes uses. */
export type DisputeReads = Pick<WalletClient, "dispute" | "disputes" | "disputeSummary">;

/** The service as one process sees it: an answer says how things stood when it was made, some time before it comes. */
export const createModelWallet = (needs: ModelWalletNeeds): DisputeReads => {
  const { truth, time, dice, weather, merchantOf, onFailure } = needs;
  const read = async <Value>(
    apiKey: string,
    what: ReadName,
    infractionId: string | undefined,
    answer: (merchant: string) => Value | undefined,
  ): Promise<Value> => {
    await time.sleep(weather.readMs());
    const merchant = merchantOf(apiKey);
    const away = weather.walletAway(what, time.nowMs()) !== undefined || weather.readFails();
    const value = merchant === undefined || away ? undefined : answer(merchant);
    await time.sleep(weather.readMs());
    if (merchant !== undefined && value !== undefined) return value;
    onFailure(apiKey, what, infractionId);
    if (merchant === undefined) throw failed("unauthorized");
    throw failed(away ? dice.pick([...FAILURES] as [WalletErrorKind]) : "not_found");
  };
  return {
    dispute: ({ apiKey }, infractionId) =>
      read(apiKey.reveal(), "dispute", infractionId, (merchant) =>
        truth.read(merchant, infractionId),
      ),
    disputes: ({ apiKey }) => read(apiKey.reveal(), "list", undefined, truth.list),
    disputeSummary: ({ apiKey }) => read(apiKey.reveal(), "summary", undefined, truth.summary),
  };
};
