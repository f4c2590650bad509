import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ANA, BRUNO } from "#src/sandbox/world.ts";
import { START, walletUnderTest, type WalletUnderTest } from "./wallet-support.ts";

let its: WalletUnderTest;
let server: Server;
let address: string;
let calls: string[];
const LIMIT_MS = 60_000;

beforeEach(async () => {
  its = await walletUnderTest(ANA.apiKey);
  calls = [];
  server = createServer((request, response) => {
    calls.push(`${request.method} ${request.url}`);
    request.resume();
    response.writeHead(202).end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/here`;
});

afterEach(() => server.close());

const sell = (owner: string) => its.wallet.sale({ owner, origin: "api", reais: 10 });
const openMed = () =>
  its.wallet.openMed(ANA.id, {
    amountCents: 100,
    situationType: "FRAUDE",
    hoursToAnswer: 100,
    original: undefined,
  });

test("the wallet calls the registered address at a sale, a MED, a withdrawal and its end", async () => {
  const { webhooks } = its.wallet;
  webhooks.register(ANA.id, address);
  const calledAfter = async (happens: () => unknown, times: number): Promise<void> => {
    await happens();
    await expect.poll(() => calls.length).toBe(times);
  };
  await calledAfter(() => sell(ANA.id), 1);
  let med = "";
  await calledAfter(() => (med = openMed()), 2);
  await calledAfter(() => its.wallet.cancelMed(ANA.id, med), 3);
  const order = { amountCents: 3_000, pixKey: "a@b.example", turbo: true };
  await calledAfter(() => its.wallet.dashboardWithdraw(ANA.id, order), 4);
  await calledAfter(() => {
    its.moveTo(START.add({ milliseconds: LIMIT_MS }));
    webhooks.look();
  }, 5);
  expect(new Set(calls)).toEqual(new Set(["POST /here"]));
  await expect.poll(webhooks.answered).toBe(5);
});

test("the wallet calls no one about other accounts, nor after the address was taken back", async () => {
  const { webhooks } = its.wallet;
  webhooks.register(ANA.id, address);
  expect(webhooks.registered(ANA.id)).toBe(address);
  sell(BRUNO.id);
  webhooks.register(ANA.id, undefined);
  expect(webhooks.registered(ANA.id)).toBeUndefined();
  sell(ANA.id);
  webhooks.register(ANA.id, address);
  sell(ANA.id);
  await expect.poll(webhooks.answered).toBe(1);
  expect(calls).toHaveLength(1);
});

test("an address beyond this machine, or with a port that does not exist, is refused", () => {
  const { webhooks } = its.wallet;
  for (const wrong of [
    "https://example.com/x",
    "http://10.0.0.1/x",
    "http://127.0.0.1.evil/",
    "http://127.0.0.1:99999/x",
    "x",
  ])
    expect(() => webhooks.register(ANA.id, wrong)).toThrow(RangeError);
  expect(webhooks.registered(ANA.id)).toBeUndefined();
});
