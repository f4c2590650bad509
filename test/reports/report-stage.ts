import { WalletError, type WalletErrorKind } from "#src/shared/errors.ts";
import { sold, stageWithAna } from "../support/stage.ts";

export const SINCE = Temporal.Instant.from("2026-11-18T12:00Z");
/** The first report is that of 18 November: both sellers agreed before it. */
export const FIRST = "2026-11-19T00:05Z";
export const BRUNO = "u-bruno";

export const failing = (kind: WalletErrorKind) => async (): Promise<never> => {
  throw new WalletError({ kind, method: "GET", route: "/v1/sales/report", requestId: "req-7" });
};

/** Ana and Bruno in one server. */
export const withBruno = async (start = FIRST) => {
  const stage = await stageWithAna(start);
  const brunoId = await stage.addSeller({ ownerId: BRUNO, since: SINCE });
  const reads: string[] = [];
  /** Bruno's reads fail while this is set. */
  const trouble: { kind: WalletErrorKind | undefined } = { kind: undefined };
  stage.wallet.read = async (account, day) => {
    reads.push(account.ownerId);
    if (account.id === brunoId && trouble.kind !== undefined) await failing(trouble.kind)();
    return sold(day, account.id === brunoId ? 50 : 100);
  };
  return { ...stage, brunoId, reads, trouble, posts: () => stage.textsIn() };
};
