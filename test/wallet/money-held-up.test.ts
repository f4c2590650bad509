import { pino } from "pino";
import { expect, test } from "vitest";

import { noMetrics } from "#src/shared/metrics.ts";
import { cents } from "#src/shared/money.ts";
import { Secret } from "#src/shared/secret.ts";
import { DEFAULT_LIMITS } from "#src/wallet/limits.ts";
import { createMoneySender } from "#src/wallet/money-sender.ts";
import { withdrawal } from "#src/wallet/withdraw.ts";
import { createVirtualTimers } from "./virtual-timers.ts";

test.each([
  [10_000, "accepted", 1],
  [15_000, "not_sent", 0],
])(
  "A turn that a frozen process takes after %d ms is %s: others may have judged it by then",
  async (frozenMs, state, sent) => {
    const timers = createVirtualTimers();
    let calls = 0;
    const send = createMoneySender({
      call: async () => {
        calls += 1;
        const body = '{"success":true,"withdrawal":{"txid":"w7e20b8d5f31"}}';
        return { complete: true, status: 200, headers: {}, body };
      },
      breaker: { note: () => {} },
      pacers: [
        {
          take: () => {
            timers.advance(frozenMs);
            return 0;
          },
          hold: () => {},
          size: () => 0,
          close: () => {},
        },
      ],
      limits: DEFAULT_LIMITS,
      timers,
      random: { bytes: (size) => new Uint8Array(size), fraction: () => 0 },
      log: pino({ level: "silent" }),
      metrics: noMetrics,
    });
    const key = { apiKey: new Secret("sk_sandbox_ana_4f9b27c1d05e"), fingerprint: "account" };
    const request = { amount: cents(12_035), pixKey: "chave", turbo: false };

    expect(await send(withdrawal(request), key)).toHaveProperty("state", state);
    expect(calls).toBe(sent);
  },
);
