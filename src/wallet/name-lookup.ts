import { type LookupAddress, lookup as systemLookup } from "node:dns";
import type { LookupFunction } from "node:net";
import { MINUTE, SECOND } from "../shared/duration.ts";

/** Asks the machine, hosts file included. */
export type ResolveName = (hostname: string) => Promise<readonly LookupAddress[]>;

/** Node asks in a queue that hashes, files and all other names share: minutes may pass until an answer. */
const resolveBySystem: ResolveName = (hostname) =>
  new Promise((resolve, reject) => {
    systemLookup(hostname, { all: true }, (error, addresses) => {
      if (error === null) resolve(addresses);
      else reject(error);
    });
  });

/** Older addresses are used at once and asked for anew beside that. */
const FRESH_MS = 30 * SECOND;
/** Older ones may be somebody else's by now: the call waits for the answer. */
const USABLE_MS = 10 * MINUTE;

interface Known {
  readonly addresses: readonly LookupAddress[];
  readonly at: number;
}

/**
 * Addresses of hosts, shared by all connections that are given it. A call whose host was asked for in the last ten
 * minutes waits for no look-up, so that money leaves although the threads that look names up are busy.
 * @param parts.nowMs a clock that never steps back.
 */
export const createNameLookup = (
  parts: { readonly resolve?: ResolveName; readonly nowMs?: () => number } = {},
): LookupFunction => {
  const { resolve = resolveBySystem, nowMs = () => performance.now() } = parts;
  const known = new Map<string, Known>();
  const asking = new Map<string, Promise<Known>>();

  const askOnce = async (hostname: string): Promise<Known> => {
    try {
      const found = { addresses: await resolve(hostname), at: nowMs() };
      known.set(hostname, found);
      return found;
    } finally {
      asking.delete(hostname);
    }
  };

  const ask = (hostname: string): Promise<Known> => {
    const asked = asking.get(hostname) ?? askOnce(hostname);
    asking.set(hostname, asked);
    return asked;
  };

  const find = async (hostname: string): Promise<Known> => {
    const kept = known.get(hostname);
    const ageMs = kept === undefined ? Infinity : nowMs() - kept.at;
    if (kept !== undefined && ageMs <= FRESH_MS) return kept;
    const asked = ask(hostname);
    if (kept === undefined || ageMs > USABLE_MS) return await asked;
    // What is known stands until the machine has another answer.
    asked.catch(() => {});
    return kept;
  };

  return (hostname, { all = false, family = 0 }, callback) => {
    const wanted = Number(String(family).replace("IPv", ""));
    const answer = ({ addresses }: Known): void => {
      const fitting = addresses.filter((each) => wanted === 0 || each.family === wanted);
      const [first] = fitting;
      if (all) callback(null, fitting);
      else if (first === undefined) callback(notFound(hostname), "");
      else callback(null, first.address, first.family);
    };
    void find(hostname).then(answer, (error: NodeJS.ErrnoException) => callback(error, ""));
  };
};

const notFound = (hostname: string): NodeJS.ErrnoException =>
  Object.assign(new Error(`No address of ${hostname} is of that family`), { code: "ENOTFOUND" });
