import * as z from "zod";

import type { Balance } from "../domain/withdrawal.ts";
import type { Send } from "./operation.ts";
import { readerOf, wireAmount } from "./wire.ts";

const ROUTE = "/v1/balance";

const wireAnswer = z
  .object({ balance: z.object({ available: wireAmount }) })
  .transform(({ balance }): Balance => balance);

const read = readerOf(wireAnswer);

/**
 * The balance that can be withdrawn. The document shows `balance.available` without its type: a number, as amounts
 * are, or a decimal string, as in the refusals of withdrawals. Source: service.md 4.7.
 * @throws WalletError
 */
export const getBalance = (send: Send): Promise<Balance> =>
  send({
    method: "GET",
    route: ROUTE,
    path: ROUTE,
    read,
    unshown: true,
    fresh: true,
    refusal: "refused",
  });
