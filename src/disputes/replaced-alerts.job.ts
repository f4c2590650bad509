import { alertLocale } from "../accounts/account.ts";
import type { AccountsStore } from "../accounts/accounts.store.ts";
import type { ReplacedBody } from "../delivery/replaced-posts.job.ts";
import { replacedAlert } from "./dispute-alert.view.ts";
import type { AlertRoutes } from "./dispute-stores.ts";

/** The body of an alert that a newer one of the same dispute replaces; undefined once its account is removed. */
export const createReplacedAlert =
  (needs: {
    readonly accounts: Pick<AccountsStore, "findById">;
    readonly routes: Pick<AlertRoutes, "find">;
  }): ReplacedBody =>
  async ({ target, guildId, accountId, payload, isBelow }) => {
    const account = accountId === null ? undefined : await needs.accounts.findById(accountId);
    if (account === undefined) return undefined;
    const route = guildId === null ? undefined : await needs.routes.find(guildId);
    return replacedAlert(payload, isBelow, alertLocale(target.kind, account, route));
  };
