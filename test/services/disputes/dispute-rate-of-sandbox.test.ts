import { expect, onTestFinished, test } from "vitest";
import { readDisputeRate } from "#src/services/disputes/dispute-rate.ts";
import { Secret } from "#src/shared/secret.ts";
import { ANA } from "#src/sandbox/world.ts";
import { START, walletUnderTest } from "../../sandbox/wallet/wallet-support.ts";
import { sampleAccount, sampleReport } from "../../support/samples.ts";
import { connectClient } from "../../wallet/wallet-setup.ts";
import { actor } from "./disputes-stage.ts";

test("the sandbox's list, which says when its disputes were created, gives a rate without reading each", async () => {
  const { wallet } = await walletUnderTest(ANA.apiKey);
  onTestFinished(() => wallet.stop());
  const { client } = connectClient(wallet.baseUrl);
  const account = sampleAccount();
  const rate = await readDisputeRate(
    {
      clock: { now: () => START },
      find: async () => account,
      ofWatch: async () => ({ told: account, reader: account }),
      apiKey: async () => new Secret(ANA.apiKey),
      wallet: {
        ...client,
        dispute: async () => {
          throw new Error("Read one by one");
        },
        // At the pace of an account's quota thirty of the sandbox's own would take half a minute.
        salesReport: async () => sampleReport(),
      },
      watched: {
        find: async () => undefined,
        of: async () => [],
        keep: async () => undefined,
        undelivered: async () => 0,
        unlisted: async () => ({ count: 0, told: 0 }),
      },
    },
    actor(),
  );
  // All eight were opened in those days, and one was cancelled.
  expect(rate).toMatchObject({ known: true, disputes: 7, sales: 180, basisPoints: 389 });
});
