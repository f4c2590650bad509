import type { ServerResponse } from "node:http";

/** Whether the fault comes before or after the server carries out the request. */
type FaultMoment = "before" | "after";

export type FaultKind =
  | { readonly kind: "status"; readonly status: 500 | 502 }
  /** The connection is reset (RST). */
  | { readonly kind: "reset" }
  /** No answer: the connection is reset after `ms`, or stays open while the server runs. */
  | { readonly kind: "hang"; readonly ms?: number }
  /** A page of HTML where JSON belongs; 200 unless said otherwise. */
  | { readonly kind: "html"; readonly status?: number }
  /** 200 with JSON cut short. */
  | { readonly kind: "broken_json" }
  /** The connection is closed in order (FIN), without an answer. */
  | { readonly kind: "close" };

export type Fault = FaultKind & { readonly at: FaultMoment };

/** Faults for `share` of the requests (0 to 1), drawn evenly from `faults`; the same seed draws the same again. */
interface FaultPlan {
  readonly seed: number;
  readonly share: number;
  readonly faults: readonly Fault[];
  /** Which routes may fail, e.g. `POST /channels/{id}/messages`; all when left out. */
  readonly appliesTo?: (route: string) => boolean;
}

/** Shared by the local Discord and the local wallet service. */
export type Faults = ReturnType<typeof createFaults>;

/** Faults that wait for their request. */
export type WaitingFaults = ReturnType<Faults["failNext"]>;

/** A fraction in [0, 1) that depends on its arguments alone: FNV-1a, then an avalanche step. */
const draw = (seed: number, text: string): number => {
  let hash = (seed ^ 0x811c9dc5) >>> 0;
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
};

interface Waiting {
  readonly routes: readonly string[];
  readonly fault: Fault;
}

/**
 * Draws faults by seed, route and number of the request within its route: the order of other requests does not
 * matter.
 */
export const createFaults = (initial?: FaultPlan) => {
  let plan = initial;
  let total = 0;
  const asked = new Map<string, number>();
  let waiting: readonly Waiting[] = [];

  const takeWaiting = (route: string): Fault | undefined => {
    const found = waiting.find(({ routes }) => routes.includes(route));
    waiting = waiting.filter((each) => each !== found);
    return found?.fault;
  };

  const planned = (route: string): Fault | undefined => {
    if (plan === undefined || plan.faults.length === 0) return undefined;
    if (plan.appliesTo !== undefined && !plan.appliesTo(route)) return undefined;
    const turn = (asked.get(route) ?? 0) + 1;
    asked.set(route, turn);
    if (draw(plan.seed, `${turn} fails ${route}`) >= plan.share) return undefined;
    return plan.faults[Math.floor(draw(plan.seed, `${turn} how ${route}`) * plan.faults.length)];
  };

  return {
    /** The fault of a request; to be called once for each. `route` is the method and the path with names for ids. */
    next: (route: string): Fault | undefined => {
      const fault = takeWaiting(route) ?? planned(route);
      if (fault !== undefined) total++;
      return fault;
    },
    /** Starts a plan from its beginning; undefined ends the planned faults. */
    setPlan: (next: FaultPlan | undefined): void => {
      plan = next;
      asked.clear();
    },
    /** Makes the next `times` requests of this route, or of any of these routes, fail; comes before any plan. */
    failNext: (routes: string | readonly string[], fault: Fault, times = 1) => {
      const added: Waiting[] = Array.from({ length: times }, () => ({
        routes: typeof routes === "string" ? [routes] : routes,
        fault,
      }));
      waiting = [...waiting, ...added];
      return {
        left: (): number => added.filter((each) => waiting.includes(each)).length,
        /** Drops the faults that are left. */
        cancel: (): void => {
          waiting = waiting.filter((each) => !added.includes(each));
        },
      };
    },
    /** Number of requests that were made to fail. */
    count: (): number => total,
  };
};

const HTML = "<!doctype html><html><body><h1>502 Bad Gateway</h1></body></html>";

/** Answers with the fault in place of the result. */
export const answerWrongly = (fault: FaultKind, response: ServerResponse): void => {
  switch (fault.kind) {
    case "status":
      response.writeHead(fault.status, { "content-type": "application/json" });
      response.end(JSON.stringify({ message: `${fault.status}: Server Error`, code: 0 }));
      return;
    case "reset":
      response.socket?.resetAndDestroy();
      return;
    case "hang":
      if (fault.ms !== undefined) {
        setTimeout(() => response.socket?.resetAndDestroy(), fault.ms).unref();
      }
      return;
    case "html":
      response.writeHead(fault.status ?? 200, { "content-type": "text/html; charset=UTF-8" });
      response.end(HTML);
      return;
    case "broken_json":
      response.writeHead(200, { "content-type": "application/json" });
      response.end('{"id": "11800000');
      return;
    case "close":
      response.socket?.end();
      return;
  }
};
