import { balance } from "./balances.ts";
import { medList } from "./med-list.ts";
import { medDetail, medSummary } from "./meds.ts";
import { validatePixKey } from "./pix-validate.ts";
import type { Route } from "./resource.ts";
import { salesReport } from "./sales-report.ts";
import { splitWithdraw } from "./split-withdraw.ts";
import { transaction } from "./transactions.ts";
import { cancelWithdrawal, withdraw } from "./withdraw.ts";
import { withdrawalList } from "./withdrawal-list.ts";
import { withdrawalDetail } from "./withdrawals.ts";

/** Fixed paths stand before those with an id. Source: service.md 4. */
const ROUTES: readonly Route[] = [
  { method: "POST", path: "/v1/split/withdraw", withdraws: true, answer: splitWithdraw },
  { method: "POST", path: "/v1/withdraw", withdraws: true, answer: withdraw },
  { method: "POST", path: "/v1/withdraw/cancel", withdraws: false, answer: cancelWithdrawal },
  { method: "POST", path: "/v1/pix/validate", withdraws: false, answer: validatePixKey },
  { method: "GET", path: "/v1/balance", withdraws: false, answer: balance },
  { method: "GET", path: "/v1/withdrawals", withdraws: false, answer: withdrawalList },
  { method: "GET", path: "/v1/transactions/:id", withdraws: false, answer: transaction },
  { method: "GET", path: "/v1/withdrawals/:id", withdraws: false, answer: withdrawalDetail },
  { method: "GET", path: "/v1/meds", withdraws: false, answer: medList },
  { method: "GET", path: "/v1/meds/summary", withdraws: false, answer: medSummary },
  { method: "GET", path: "/v1/meds/:id", withdraws: false, answer: medDetail },
  { method: "GET", path: "/v1/sales/report", withdraws: false, answer: salesReport },
];

export interface MatchedRoute {
  readonly route: Route;
  readonly id: string;
}

/** Undefined is a wrong endpoint. */
export const matchRoute = (method: string, pathname: string): MatchedRoute | undefined => {
  for (const route of ROUTES) {
    if (route.method !== method) continue;
    const id = idIn(route.path, pathname);
    if (id !== undefined) return { route, id };
  }
  return undefined;
};

const idIn = (path: string, pathname: string): string | undefined => {
  if (!path.endsWith("/:id")) return path === pathname ? "" : undefined;
  const folder = path.slice(0, -":id".length);
  const rest = pathname.startsWith(folder) ? pathname.slice(folder.length) : "";
  if (rest === "" || rest.includes("/")) return undefined;
  try {
    return decodeURIComponent(rest);
  } catch {
    // A broken escape names nothing.
    return undefined;
  }
};
