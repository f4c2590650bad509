import { WalletError } from "../../shared/errors.ts";
import type { AccountReads } from "./dispute-poll.ts";

/** Reads of one wallet account in one look, by whichever of its keys: what one key read, another need not ask again. */
export type SharedReads = (own: AccountReads) => AccountReads;

export const createSharedReads = (): SharedReads => {
  const answers = new Map<string, Promise<unknown>>();

  const share = <Value>(name: string, read: () => Promise<Value>): Promise<Value> => {
    const known = answers.get(name);
    // The name says which read it is, so the answer under it has the type that the read gives.
    if (known !== undefined) return known as Promise<Value>;
    const answer = read();
    answers.set(name, answer);
    answer.catch((error: unknown) => {
      // What is refused to one key may be told to another.
      if (error instanceof WalletError && error.kind === "unauthorized") answers.delete(name);
    });
    return answer;
  };

  return (own) => ({
    summary: () => share("summary", own.summary),
    list: () => share("list", own.list),
    dispute: (infractionId) => share(`dispute ${infractionId}`, () => own.dispute(infractionId)),
  });
};
